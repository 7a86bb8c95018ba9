/** Parses the text of a page by the format of its file; loaded with the first such file. */

import { Parser } from 'htmlparser2';
import type { PlainBlocks, SourcePage } from '../../../core/image/page-text/page-text.ts';
import type { TextFile } from '../recognize-text.ts';
import { readAlto } from './alto.ts';
import { feed, readHocr, roleOf } from './hocr.ts';
import { decodeMarkup, decodePlain, readXmlEvents } from './page-builder.ts';
import { readPageXml } from './page-xml.ts';
import { maxPlainLength, maxWordLength, maxWords, TextFaultError } from './text-fault.ts';

export { BookPages } from './hocr.ts';

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

const cut = (word: string): string => (word.length > maxWordLength ? word.slice(0, maxWordLength) : word);

const wordsOf = (line: string): readonly string[] => line.split(/\s+/u).filter((word) => word !== '');

/** The words of a page of the file, by its number from 1; undefined where the file has fewer pages. Throws TextFaultError. */
export function plainBlocks(text: string, page: number): PlainBlocks | undefined {
  if (text.length > maxPlainLength) throw new TextFaultError(`The text is longer than ${maxPlainLength} characters.`);
  const own = text.split('\f')[page - 1]?.replace(/\r\n?/g, '\n');
  if (own === undefined) return undefined;
  let count = 0;
  const blocks = own.split(/\n[^\S\n]*\n/).map((block) =>
    block
      .split('\n')
      .map((line) => wordsOf(line).map(cut))
      .filter(({ length }) => {
        count += length;
        return length > 0;
      }),
  );
  if (count > maxWords) throw new TextFaultError(`The page has more than ${maxWords} words.`);
  return blocks.filter(({ length }) => length > 0);
}

/** The same as a page of text. */
export function readPlain(text: string, page: number): SourcePage | undefined {
  const blocks = plainBlocks(text, page);
  return (
    blocks && {
      unit: 'pixel',
      blocks: blocks.map((lines) => ({
        lines: lines.map((words) => ({ words: words.map((word) => ({ text: word })) })),
      })),
    }
  );
}

async function altoPages(xml: string): Promise<number> {
  let pages = 0;
  const countPage = (name: string): void => {
    if (name === 'Page') pages += 1;
  };
  await readXmlEvents(xml, { open: countPage, close: () => undefined, text: () => undefined });
  return pages;
}

async function hocrPages(html: string): Promise<number> {
  let pages = 0;
  const countPage = (_: string, attributes: Readonly<Record<string, string>>): void => {
    if (roleOf(attributes) === 'page') pages += 1;
  };
  await feed(new Parser({ onopentag: countPage }, { lowerCaseTags: true, recognizeSelfClosing: true }), html);
  return pages;
}

/** How many pages a file has, of which the first is that of the image's first page. Rejects with TextFaultError for a faulty file. */
export async function countPages({ format }: Pick<TextFile, 'format'>, bytes: Buffer): Promise<number> {
  switch (format) {
    case 'alto':
      return altoPages(decodeMarkup(bytes));
    case 'hocr':
      return hocrPages(decodeMarkup(bytes));
    case 'page':
      // A file of PAGE is about one image.
      return 1;
    case 'plain':
      return decodePlain(bytes).split('\f').length;
  }
}
