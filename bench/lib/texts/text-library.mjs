/** A library of scans with generated texts beside them. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { altoText, plainText, wordsOfPage } from './generated-pages.mjs';

const pagesInBook = 500;
export const wordsOnPage = 300;

/** The size of the scans in pixels: those of the boxes in ALTO. */
const scanSize = { width: 2400, height: 3400 };

const bookOf = (page) => `book${String(Math.floor(page / pagesInBook)).padStart(4, '0')}`;
export const nameOf = (page) => `${bookOf(page)}/p${String(page).padStart(6, '0')}`;

/** Writes the pages of a library; `format` is `txt` or `alto`. Resolves to the bytes of their words, with one space each. */
export async function makeTextLibrary(folder, { pages, format }) {
  const scan = await sharp({ create: { ...scanSize, channels: 3, background: '#eee' } })
    .webp({ lossless: true })
    .toBuffer();
  let wordBytes = 0;
  for (let from = 0; from < pages; from += pagesInBook) {
    const book = path.join(folder, bookOf(from));
    await mkdir(book, { recursive: true });
    for (let page = from; page < Math.min(pages, from + pagesInBook); page++) {
      const words = wordsOfPage(page, wordsOnPage);
      wordBytes += Buffer.byteLength(words.join(' '));
      const file = path.join(folder, nameOf(page));
      const text = format === 'alto' ? altoText(words, page) : plainText(words);
      await Promise.all([
        writeFile(`${file}.webp`, scan),
        writeFile(`${file}.${format === 'alto' ? 'xml' : 'txt'}`, text),
      ]);
    }
  }
  return { wordBytes };
}
