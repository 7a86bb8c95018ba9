/** Counts the pages in the text's file of an image with several pages, without reading their words. */
import { Parser } from 'htmlparser2';
import type { TextFile } from '../text-file.ts';
import { decodeMarkup, decodePlain } from './decode.ts';
import { feed, roleOf } from './hocr.ts';
import { readXmlEvents } from './xml-events.ts';

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
