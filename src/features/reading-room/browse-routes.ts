/** `GET {base_url}/api/folder.json`: a part of a folder, for the reading room. */
import type { FastifyPluginCallback } from 'fastify';
import type { Caller } from '../../core/access/policy.ts';
import { arrangingMs } from '../../core/folder-descriptions/arranged-folders.ts';
import { addListRoute, type ListParts, parseNumber } from '../../core/http/add-routes.ts';
import type { FolderListing } from '../../core/image/folder/folder-listing.ts';
import { parseLanguages } from '../../core/image/folder/folder-metadata.ts';
import { parseWish } from '../../core/image/folder/folder-wish.ts';
import type { FolderQuery } from './folder-listings.ts';

export interface BrowseParts extends ListParts {
  /** A part of a folder, as far as the caller may see it. */
  readonly folderListing: (query: FolderQuery, caller: Caller) => Promise<FolderListing>;
}

/** Below the context path. */
export const folderPath = '/api/folder.json';

/** Number of images and folders in one list: without `count`, and at most. */
export const folderCounts = { usual: 100, most: 500 } as const;

export const browseRoutes: FastifyPluginCallback<BrowseParts> = (server, parts, done) => {
  const makeList = (query: URLSearchParams, caller: Caller): Promise<FolderListing> => {
    const page = parseNumber('pn', query);
    const label = query.get('label');
    const from = parseNumber('from', query);
    const wish = parseWish((name) => query.get(name));
    const requested = {
      path: query.get('fn') ?? '',
      count: Math.min(parseNumber('count', query) ?? folderCounts.usual, folderCounts.most),
      languages: parseLanguages(query.get('lang') ?? ''),
      ...(page === undefined ? {} : { page }),
      ...(label === null || label === '' ? {} : { label }),
      ...(from === undefined ? {} : { from }),
      ...(wish === undefined ? {} : { wish }),
      ...(query.get('facets') === '1' && { facets: true }),
    };
    return parts.folderListing(requested, caller);
  };
  const isArranged = (query: URLSearchParams): boolean =>
    query.get('facets') === '1' || parseWish((name) => query.get(name)) !== undefined;
  addListRoute(server, folderPath, parts, makeList, (query) => (isArranged(query) ? arrangingMs : undefined));
  done();
};
