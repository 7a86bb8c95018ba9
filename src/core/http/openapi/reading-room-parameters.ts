/** The parameters of the reading room's addresses for the API description. */
import { folderCounts } from '../../../features/reading-room/browse-routes.ts';
import type { Example } from './example.ts';
import { inQuery } from './in-query.ts';
import type { Parameter, Schema } from './operation.ts';
import { inPath } from './path-parameters.ts';

const text: Schema = { type: 'string', default: '' };
const position: Schema = { type: 'integer', minimum: 1 };

/** All of them by name; the examples name the image of `Example`. */
export function readingRoomParameters({ image, part }: Example): Readonly<Record<string, Parameter>> {
  const { usual, most } = folderCounts;
  return {
    readingRoomPart: inPath('part', 'The file name, as the page refers to it.', { type: 'string', minLength: 1 }, part),
    'sitemap.folder': inQuery('folder', 'The path of the folder with whose pages the part begins.', text),
    'sitemap.from': inQuery('from', 'The position of its first image in that part; 0 for the folder’s own page.', {
      type: 'integer',
      minimum: 0,
      default: 0,
    }),
    'readingRoom.fn': inQuery(
      'fn',
      'The path of a folder, or of an image in it; empty for the whole library.',
      text,
      image,
    ),
    'readingRoom.pn': inQuery(
      'pn',
      'The page of the folder to find, from 1: the answer has its position as `at`.',
      position,
    ),
    'readingRoom.label': inQuery(
      'label',
      'The label of the page to find, in any case of letters; it takes precedence over `pn`.',
      text,
    ),
    'readingRoom.from': inQuery(
      'from',
      'The position of the first image and folder of the answer, from 1. Without it, the part that contains the image named.',
      position,
    ),
    'readingRoom.count': inQuery('count', `The number of images and folders in the answer; ${most} at most.`, {
      ...position,
      default: usual,
    }),
    'readingRoom.lang': inQuery('lang', 'The reader’s languages, the preferred one first, such as `de,en`.', text),
    'readingRoom.q': inQuery(
      'q',
      'Words that a name, a label or the metadata must contain, in any case and with or without accents.',
      text,
      'page',
    ),
    'readingRoom.below': inQuery('fn', 'The path of the folder to search, with all folders below it.', text),
    'readingRoom.words': inQuery('q', 'Words, phrases in quotation marks, and beginnings with `*`.', text, 'page'),
    'readingRoom.resultPage': inQuery('page', 'The part of the results, from 1.', position),
    'readingRoom.within': inQuery(
      'within',
      'The path of a folder in whose texts alone to search, with all folders below it; pages come in the order of the book.',
      text,
    ),
    'readingRoom.fromPage': inQuery(
      'from',
      'The position of the first page by its text, from 1. From 2 on, nothing is searched but texts, and `found` is empty.',
      position,
    ),
    'readingRoom.pageCount': inQuery(
      'count',
      'The number of pages by their texts, 500 at most; without it, 20, or 500 with `within`.',
      position,
    ),
  };
}
