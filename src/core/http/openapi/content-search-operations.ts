/** The addresses of IIIF Content Search in the API description. */
import { collectionEnd } from '../../../features/search/content-search/services.ts';
import { contentSearchMounts, contentSearchPrefix } from '../../../features/search/content-search-routes.ts';
import { jsonContent, taggedAnswers } from './answers.ts';
import type { Operation } from './operation.ts';

/** The addresses of a manifest's search, and those of a collection's. */
const bothScopes = (prefixes: readonly string[], end: string): readonly string[] =>
  prefixes.flatMap((prefix) => ['', collectionEnd].map((scope) => `${prefix}/{identifier}${scope}${end}`));

/** Both versions: of the first one, for canvases of either version of Presentation. */
export const contentSearchOperations: readonly Operation[] = ([2, 1] as const).flatMap(
  (version): readonly Operation[] => {
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
  },
);
