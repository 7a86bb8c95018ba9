/** A book in which some words are painted in colors, so that a screenshot shows where they lie. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import type { TemporaryServer } from '../browser/temporary-server.ts';
import {
  altoOf,
  type Box,
  marigold,
  pageSize,
  rose,
  startTextApp,
  type WrittenPage,
  wordsOf,
} from '../browser/text-pages.ts';

/** The words that are painted, by the names of their pages: red, green and blue in turn. */
const painted = {
  '1-marigold': ['honey.', 'eve-', 'ning,'],
  '2-rose': ['Honey'],
} as const;

const colors = ['#f00', '#0f0', '#00f'] as const;

/** The box of a word in pixels of the image. */
function boxOf(page: WrittenPage, text: string): Box {
  const word = wordsOf(page).find((one) => one.text === text);
  if (word === undefined) throw new Error(`no word ${text}`);
  return word.box;
}

async function paint(file: string, page: WrittenPage, words: readonly string[]): Promise<void> {
  const rectangles = words.map((word, index) => {
    const [x, y, width, height] = boxOf(page, word);
    return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${colors[index]}"/>`;
  });
  const { width, height } = pageSize;
  const input = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${rectangles.join('')}</svg>`,
  );
  writeFileSync(
    file,
    await sharp(await readFile(file))
      .composite([{ input, blend: 'multiply' }])
      .png()
      .toBuffer(),
  );
}

/**
 * Starts a server with the book `herbal`: the words that are painted, a page whose text has no boxes (`8-recipe`), and a
 * folder inside of it (`appendix`) with one of the words, which is another book.
 */
export const startSearchableBook = (): Promise<TemporaryServer> =>
  startTextApp(async (library) => {
    const book = path.join(library, 'herbal');
    await paint(path.join(book, '1-marigold.png'), marigold, painted['1-marigold']);
    await paint(path.join(book, '2-rose.png'), rose, painted['2-rose']);
    const blank = await readFile(path.join(book, '6-blank.png'));
    writeFileSync(path.join(book, '8-recipe.png'), blank);
    writeFileSync(path.join(book, '8-recipe.txt'), 'Oxymel: of vinegar one part, of clarified honey two parts.');
    mkdirSync(path.join(book, 'appendix'));
    writeFileSync(path.join(book, 'appendix', '1.png'), blank);
    writeFileSync(path.join(book, 'appendix', '1.xml'), altoOf(rose));
  });
