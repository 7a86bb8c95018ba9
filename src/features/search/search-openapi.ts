/** The addresses of the search in the API description. */

import {
  type ApiPart,
  inQuery,
  jsonContent,
  type Operation,
  type Schema,
  taggedAnswers,
} from '../../core/http/openapi/operation.ts';
import { schemasOf } from '../../core/http/openapi/schemas-of.ts';
import { wishNames } from '../../core/image/folder/folder-wish.ts';
import { collectionEnd } from './content-search/services.ts';
import { contentSearchMounts, contentSearchPrefix } from './content-search-routes.ts';
import { searchAnswer } from './search-answer.ts';
import { searchPath } from './search-route.ts';

/** The addresses of a manifest's search, and those of a collection's. */
const bothScopes = (prefixes: readonly string[], end: string): readonly string[] =>
  prefixes.flatMap((prefix) => ['', collectionEnd].map((scope) => `${prefix}/{identifier}${scope}${end}`));

/** Both versions: of the first one, for canvases of either version of Presentation. */
const contentSearchOperations: readonly Operation[] = ([2, 1] as const).flatMap((version): readonly Operation[] => {
  const mounts = contentSearchMounts.filter(({ search }) => search === version).map(contentSearchPrefix);
  const common = { tag: 'IIIF Presentation', errors: 'document' } as const;
  return [
    {
      ...common,
      id: `contentSearch${version}`,
      paths: bothScopes(mounts, ''),
      summary: `Words in the texts of a manifest, or of a collection, by Content Search ${version}.0`,
      description:
        'With `/collection`, those of all folders in and below the folder, else those of its own pages. Places in the order of the book, with their boxes on the canvases of our manifests and the text around them, in parts of 50 pages.',
      parameters: ['folderIdentifier', 'readingRoom.words', 'readingRoom.resultPage', 'id_token'],
      answers: taggedAnswers('The places.', jsonContent(`SearchResult${version}` as const)),
    },
    {
      ...common,
      id: `contentSearch${version}Autocomplete`,
      paths: bothScopes(mounts, '/autocomplete'),
      summary: `Words that go on from the beginning of one, by Content Search ${version}.0`,
      description: 'The most frequent words of the best 40 pages that the caller may see.',
      parameters: ['folderIdentifier', 'readingRoom.words', 'id_token'],
      answers: taggedAnswers('The words.', jsonContent(`Terms${version}` as const)),
    },
  ];
});

const search: Operation = {
  id: 'search',
  paths: [searchPath],
  summary: 'Folders and images by their names and by what metadata says of them, and pages by the words on them',
  description:
    'Images are found by their labels too, folders by all texts of their metadata; exact matches come first. The search stops after a second or 200 matches, and `complete` tells whether it covered everything. Words of texts are found by an index: whole words, phrases in quotation marks, and beginnings with `*`, whatever their case, accents, long s and ligatures. With `within`, only the texts of that folder are searched, and pages come in the order of the book.',
  parameters: [
    'readingRoom.q',
    'readingRoom.below',
    'readingRoom.within',
    'readingRoom.fromPage',
    'readingRoom.pageCount',
    'readingRoom.lang',
    ...[...wishNames, 'facets'].map((name) => `readingRoom.${name}`),
    'id_token',
  ],
  answers: taggedAnswers('The matches.', jsonContent('SearchAnswer')),
  errors: 'readingRoom',
  tag: 'reading room',
};

const text: Schema = { type: 'string', default: '' };
const position: Schema = { type: 'integer', minimum: 1 };

const document = (...required: readonly string[]): Schema => ({ type: 'object', required });

export const apiPart = (): ApiPart => ({
  operations: [search, ...contentSearchOperations],
  parameters: {
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
  },
  schemas: {
    ...schemasOf({ SearchAnswer: searchAnswer }),
    SearchResult1: document('@context', '@id', '@type', 'resources', 'hits'),
    SearchResult2: document('@context', 'id', 'type', 'items'),
    Terms1: document('@context', '@id', '@type', 'terms'),
    Terms2: document('@context', 'id', 'type', 'items'),
  },
});
