/** `GET {base_url}/api/folder.json` and `/api/search.json`: the lists of the reading room. */
import type { FastifyPluginCallback } from 'fastify';
import type { Caller } from '../../core/access/access.ts';
import { whenAbandoned } from '../../core/http/abandoned-responses.ts';
import { addRoutes } from '../../core/http/add-routes.ts';
import type { Callers } from '../../core/http/callers.ts';
import { sendJsonError } from '../../core/http/errors.ts';
import { plainJson } from '../../core/http/negotiation.ts';
import { privateCacheControl } from '../../core/http/representation.ts';
import { sendDocument } from '../../core/http/send.ts';
import { targetOf } from '../../core/http/target.ts';
import { parseLanguages } from '../../core/image/folder/languages.ts';
import { badRequest } from '../../core/image/model/errors.ts';
import type { Browsing } from './browse.ts';

export interface BrowseParts {
  readonly browsing: Browsing;
  readonly callers: Callers;
  /** Whether there are rules of access, so that lists differ from caller to caller. */
  readonly guarded: boolean;
}

/** Below the context path. */
export const folderPath = '/api/folder.json';
export const searchPath = '/api/search.json';

/** Number of images and folders in one list: without `count`, and at most. */
export const folderCounts = { usual: 100, most: 500 } as const;

/** What a reader types is shorter; more is not searched. */
const maxQueryLength = 1000;

/** Lists change when scans are added, so that clients revalidate what they stored. */
const openCacheControl = 'no-cache';

type ListMaker = (query: URLSearchParams, caller: Caller, signal: AbortSignal) => Promise<object>;

/** A whole number from 1 on; undefined where the query has none. */
function parseNumber(name: string, query: URLSearchParams): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  if (number < 1) throw badRequest(`“${name}” must be a whole number from 1 on.`);
  return number;
}

const languagesIn = (query: URLSearchParams): readonly string[] => parseLanguages(query.get('lang') ?? '');

const folderList =
  (browsing: Browsing): ListMaker =>
  (query, caller) => {
    const page = parseNumber('pn', query);
    const label = query.get('label');
    const from = parseNumber('from', query);
    const requested = {
      path: query.get('fn') ?? '',
      count: Math.min(parseNumber('count', query) ?? folderCounts.usual, folderCounts.most),
      languages: languagesIn(query),
      ...(page === undefined ? {} : { page }),
      ...(label === null || label === '' ? {} : { label }),
      ...(from === undefined ? {} : { from }),
    };
    return browsing.folder(requested, caller);
  };

const searchList =
  (browsing: Browsing): ListMaker =>
  (query, caller, signal) => {
    const within = query.get('within');
    const count = parseNumber('count', query);
    const asked = {
      query: (query.get('q') ?? '').slice(0, maxQueryLength),
      path: query.get('fn') ?? '',
      languages: languagesIn(query),
      signal,
      from: parseNumber('from', query) ?? 1,
      ...(within === null ? {} : { within }),
      ...(count === undefined ? {} : { count }),
    };
    return browsing.search(asked, caller);
  };

export const browseRoutes: FastifyPluginCallback<BrowseParts> = (server, { browsing, callers, guarded }, done) => {
  const cacheControl = guarded ? privateCacheControl : openCacheControl;
  const add = (url: string, makeList: ListMaker): void =>
    addRoutes(server, [url], async (request, reply) => {
      try {
        const query = new URLSearchParams(targetOf(request.raw).query);
        const caller = await callers.callerOf(request.raw);
        const list = await makeList(query, caller, whenAbandoned(request.raw, reply.raw));
        return sendDocument(Buffer.from(JSON.stringify(list)), plainJson, cacheControl, request, reply);
      } catch (error) {
        return sendJsonError(error, request, reply);
      }
    });
  add(folderPath, folderList(browsing));
  add(searchPath, searchList(browsing));
  done();
};
