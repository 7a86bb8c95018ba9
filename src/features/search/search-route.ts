/** `GET {base_url}/api/search.json`: the search of the reading room. */
import type { FastifyPluginCallback } from 'fastify';
import { addListRoute, type ListParts, parseNumber } from '../../core/http/add-routes.ts';
import { parseLanguages } from '../../core/image/folder/folder-metadata.ts';
import { parseWish } from '../../core/image/folder/folder-wish.ts';
import type { LibrarySearch } from './library-search.ts';
import { workOfSearch } from './search-work.ts';

export interface SearchRouteParts extends ListParts {
  readonly search: LibrarySearch;
}

/** Below the context path. */
export const searchPath = '/api/search.json';

/** Pages of an answer where a request names no number. */
const usualCount = 100;

/** What a reader types is shorter; more is not searched. */
const maxQueryLength = 1000;

export const searchRoute: FastifyPluginCallback<SearchRouteParts> = (server, parts, done) => {
  addListRoute(
    server,
    searchPath,
    parts,
    (query, caller, signal) => {
      const within = query.get('within');
      const count = parseNumber('count', query);
      const wish = parseWish((name) => query.get(name));
      const asked = {
        query: (query.get('q') ?? '').slice(0, maxQueryLength),
        path: query.get('fn') ?? '',
        languages: parseLanguages(query.get('lang') ?? ''),
        signal,
        from: parseNumber('from', query) ?? 1,
        ...(within === null ? {} : { within }),
        ...(count === undefined ? {} : { count }),
        ...(wish === undefined ? {} : { wish }),
        ...(query.get('facets') === '1' && { facets: true }),
      };
      return parts.search(asked, caller);
    },
    (query) => workOfSearch(parseNumber('from', query) ?? 1, parseNumber('count', query) ?? usualCount),
  );
  done();
};
