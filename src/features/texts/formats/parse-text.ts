/** Parses the text of a page by the format of its file; loaded with the first such file. */
import type { PlainBlocks, SourcePage } from '../../../core/image/page-text/page-text.ts';
import type { TextFile } from '../text-file.ts';
import { readAlto } from './alto.ts';
import { decodeMarkup, decodePlain } from './decode.ts';
import { readHocr } from './hocr.ts';
import { readPageXml } from './page-xml.ts';
import { plainBlocks, readPlain } from './plain.ts';

export { countPages } from './count-pages.ts';
export { BookPages } from './hocr-book.ts';

/** The text of the file's page; undefined where the file has no such page. Rejects with TextFaultError for a faulty file. */
export async function parseText(
  { format, page, span }: Pick<TextFile, 'format' | 'page' | 'span'>,
  bytes: Buffer,
): Promise<SourcePage | undefined> {
  switch (format) {
    case 'alto':
      return readAlto(decodeMarkup(bytes), page);
    case 'page':
      return readPageXml(decodeMarkup(bytes), page);
    case 'hocr':
      return readHocr(decodeMarkup(bytes), span === undefined ? page : 1);
    case 'plain':
      return readPlain(decodePlain(bytes), page);
  }
}

/** The words of the page of a file with plain text; undefined where the file has no such page. Throws TextFaultError. */
export const parsePlain = ({ page }: Pick<TextFile, 'page'>, bytes: Buffer): PlainBlocks | undefined =>
  plainBlocks(decodePlain(bytes), page);
