/** The formats of files that hold the words of a page: ALTO, PAGE, hOCR, and plain text. */

interface FormatFacts {
  /** For people. */
  readonly name: string;
  readonly mediaType: string;
  /** Of the address at which the file is served, without the dot. */
  readonly extension: 'xml' | 'html' | 'txt';
}

export const textFormats = {
  alto: { name: 'ALTO', mediaType: 'application/xml', extension: 'xml' },
  page: { name: 'PAGE', mediaType: 'application/xml', extension: 'xml' },
  hocr: { name: 'hOCR', mediaType: 'text/html', extension: 'html' },
  plain: { name: 'plain text', mediaType: 'text/plain', extension: 'txt' },
} as const satisfies Readonly<Record<string, FormatFacts>>;

export type TextFormat = keyof typeof textFormats;
