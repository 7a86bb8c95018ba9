/** The keys of the computed buckets: three layouts, in which the key of each index, and the index of each key, are computed. */
import { fraction, hex, scrambled, titleOf } from './words.mjs';

/**
 * Objects in the order of their keys.
 * @typedef {object} Layout
 * @property {string} name
 * @property {string} prefix what all of its keys begin with
 * @property {number} count
 * @property {(index: number) => string} keyOf without the prefix
 */

const digits = (number, length) => String(number).padStart(length, '0');

/** 48 bits in equal steps, each with a random addition, and 80 random ones: the order of identifiers is that of their indexes. */
const uuidSpace = 2 ** 48;

/** One folder, with identifiers as names. */
function flatLayout(count) {
  const step = Math.floor(uuidSpace / count);
  return {
    ...{ name: 'flat', prefix: 'flat/', count },
    keyOf(index) {
      const head = (index * step + Math.floor(step * fraction(index, 11))).toString(16).padStart(12, '0');
      const [middle, tail] = [hex(scrambled(index, 12)), hex(scrambled(index, 13))];
      const rest = hex(scrambled(index, 14)).slice(0, 4);
      return `${head.slice(0, 8)}-${head.slice(8)}-4${middle.slice(0, 3)}-8${middle.slice(3, 6)}-${tail}${rest}.tif`;
    },
  };
}

const byte = (number) => number.toString(16).padStart(2, '0');

/** In a folder of the lower level there are at least this number, unless there are 256 folders at each level. */
const inFolder = 300;

/** Two levels of folders, with numbers as names. */
function levelsLayout(count) {
  const folders = Math.min(256, Math.max(2, Math.floor(Math.sqrt(count / inFolder))));
  return {
    ...{ name: 'levels', prefix: 'levels/', count },
    keyOf(index) {
      const folder = Math.floor((index * folders ** 2) / count);
      return `${byte(Math.floor(folder / folders))}/${byte(folder % folders)}/${digits(index, 8)}.tif`;
    },
  };
}

export const pagesInBook = 500;

/** Books whose last object is a file of metadata instead of a page. */
export const hasMetadata = (book) => book % 10 === 0;

const folderOf = (book, { word, author, place, year }) => `${digits(book, 6)}-${word}-${author}-${place}-${year}`;

/** A folder for each book; the pages of every second one have names with a word of the title. */
function booksLayout(count) {
  let known = { book: -1, folder: '', suffix: '' };
  return {
    ...{ name: 'books', prefix: 'books/', count },
    keyOf(index) {
      const book = Math.floor(index / pagesInBook);
      if (known.book !== book) {
        const title = titleOf(book);
        const suffix = book % 2 === 1 ? `-${title.author}-${title.word}` : '';
        known = { book, folder: folderOf(book, title), suffix };
      }
      const page = index % pagesInBook;
      if (page === pagesInBook - 1 && hasMetadata(book)) return `${known.folder}/metadata.yaml`;
      return `${known.folder}/${digits(page + 1, 4)}${known.suffix}.tif`;
    },
  };
}

/**
 * Layouts with a third of the keys each: books, flat and levels. Their order is that of their prefixes.
 * @param {number} keys
 * @returns {readonly [Layout, Layout, Layout]}
 */
export function layoutsOf(keys) {
  const count = Math.floor(keys / 3);
  return [booksLayout(count), flatLayout(count), levelsLayout(count)];
}

/** The first index whose key, with the prefix, is not before another one. */
export function indexAtOrBehind({ prefix, count, keyOf }, key) {
  let [from, to] = [0, count];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (Buffer.compare(Buffer.from(prefix + keyOf(middle)), Buffer.from(key)) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The metadata of a book whose last object it is. */
export function metadataOf(book) {
  const { word, author, place, year } = titleOf(book);
  return `label: The ${word} of ${author}\nsummary: Printed at ${place} in ${year}\nmetadata:\n  - label: Shelf mark\n    value: Rar. ${book}\n`;
}

/** The digest in the ETag of an object. */
export const digestOf = (index, layout) =>
  [21, 22, 23, 24].map((series) => hex(scrambled(index, series + layout.prefix.length * 8))).join('');

const firstMs = Date.UTC(2012, 0, 1);

/** When an object was written: in seconds, within ten years. */
export const modifiedMsOf = (index) => firstMs + (scrambled(index, 31) % (3652 * 86_400)) * 1000;
