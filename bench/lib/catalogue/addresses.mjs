/** The addresses that are asked for, computed from the layouts: for a number and a series always the same ones. */
import { pagesInBook } from './keys.mjs';
import { fraction, hex, nameOf, scrambled, titleOf } from './words.mjs';

const count = (number, itemOf) => Array.from({ length: number }, (_, index) => itemOf(index));

/** The keys of some images, anywhere in a layout. */
export const someImages = (layout, number, series) =>
  count(number, (index) => layout.prefix + layout.keyOf(Math.floor(layout.count * fraction(index, series))))
    .map((key) => key.replace(/[^/]*\.yaml$/, ''))
    .filter((key) => key.endsWith('.tif'));

export const tileOf = (key) => `/iiif/3/${encodeURIComponent(key)}/0,0,256,256/256,256/0/default.jpg`;
export const infoOf = (key) => `/iiif/3/${encodeURIComponent(key)}/info.json`;

/** Keys that look like those of the layout, of which there are none. */
export const missingImages = (layout, number) =>
  someImages(layout, number, 71).map((key) => key.replace(/\.tif$/, 'x.tif'));

/** The folder of a book, without a slash at the end. */
export const bookOf = (books, book) => (books.prefix + books.keyOf(book * pagesInBook)).replace(/\/[^/]*$/, '');

export const searchOf = (query) => `/api/search.json?q=${encodeURIComponent(query)}`;

/** Different searches by kind. */
export function searchesOf([books, flat, levels]) {
  const bookCount = Math.ceil(books.count / pagesInBook);
  const someBook = (index, series) => scrambled(index, series) % bookCount;
  const words = [...new Set(count(400, (index) => titleOf(someBook(index, 81)).word))];
  const number = (index) => levels.keyOf(Math.floor(levels.count * fraction(index, 82))).slice(-12, -4);
  return {
    'a rare word': count(40, (index) => titleOf(someBook(index, 83)).place),
    'a common word': words.slice(0, 25),
    'two words': count(45, (index) => {
      const { word, author } = titleOf(someBook(index, 84));
      return `${word} ${author}`;
    }),
    'a part of a word': count(20, (index) => titleOf(someBook(index, 85)).author.slice(1, 6)),
    'the beginning of an identifier': count(30, (index) =>
      flat.keyOf(Math.floor(flat.count * fraction(index, 86))).slice(0, 8),
    ),
    'a number': count(20, number),
    'what nothing has': count(
      20,
      (index) => `${nameOf(scrambled(index, 87) & 0x7fff)}${hex(scrambled(index, 88)).replace(/\d/g, 'q')}`,
    ),
  };
}
