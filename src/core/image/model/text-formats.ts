/** The formats of texts: their names, their media types, and what names their versions. */

/** ALTO, PAGE, hOCR, or plain text. */
export type TextFormat = 'alto' | 'page' | 'hocr' | 'plain';

interface FormatFacts {
  /** For people. */
  readonly name: string;
  readonly mediaType: string;
  /** Of the address at which the file is served, without the dot. */
  readonly extension: 'xml' | 'html' | 'txt';
}

export const textFormats: Readonly<Record<TextFormat, FormatFacts>> = {
  alto: { name: 'ALTO', mediaType: 'application/xml', extension: 'xml' },
  page: { name: 'PAGE', mediaType: 'application/xml', extension: 'xml' },
  hocr: { name: 'hOCR', mediaType: 'text/html', extension: 'html' },
  plain: { name: 'plain text', mediaType: 'text/plain', extension: 'txt' },
};
