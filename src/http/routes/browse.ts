/** `GET {base_url}/api/folder.json` and `/api/search.json`: what the reading room's page asks of the library. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../access/access.ts';
import { badRequest } from '../../image/model/errors.ts';
import { parseLanguages } from '../../image/model/languages.ts';
import { sendJsonError } from '../errors.ts';
import { plainJson } from '../negotiation.ts';
import { targetOf } from '../origin.ts';
import { sendDocument } from '../send-document.ts';
import { whenAbandoned } from '../send-image.ts';
import { privateCacheControl, type Service } from '../service.ts';

/** Below the context path. */
export const folderPath = '/api/folder.json';
export const searchPath = '/api/search.json';

/** How many images and folders are answered at once where nothing is said, and at most. */
export const folderCounts = { usual: 100, most: 500 } as const;

/** Lists change when scans are added: who keeps one asks whether it is still right. */
const openCacheControl = 'no-cache';

type Ask = (query: URLSearchParams, caller: Caller, request: FastifyRequest, reply: FastifyReply) => Promise<object>;

/** A whole number from 1 on; undefined where the query does not say it. */
function numberNamed(name: string, query: URLSearchParams): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  if (number < 1) throw badRequest(`“${name}” must be a whole number from 1 on.`);
  return number;
}

const languagesIn = (query: URLSearchParams): readonly string[] => parseLanguages(query.get('lang') ?? '');

function folderAnswer({ browsing }: Service): Ask {
  return (query, caller) => {
    const page = numberNamed('pn', query);
    const label = query.get('label');
    const from = numberNamed('from', query);
    const count = Math.min(numberNamed('count', query) ?? folderCounts.usual, folderCounts.most);
    const asked = {
      path: query.get('fn') ?? '',
      count,
      languages: languagesIn(query),
      ...(page === undefined ? {} : { page }),
      ...(label === null || label === '' ? {} : { label }),
      ...(from === undefined ? {} : { from }),
    };
    return browsing.folder(asked, caller);
  };
}

function searchAnswer({ browsing }: Service): Ask {
  return (query, caller, request, reply) =>
    browsing.search(
      {
        query: query.get('q') ?? '',
        path: query.get('fn') ?? '',
        languages: languagesIn(query),
        signal: whenAbandoned(request.raw, reply.raw),
      },
      caller,
    );
}

/** Adds the routes. */
export function browseRoutes(server: FastifyInstance, base: string, service: Service): void {
  const { callers, guarded } = service;
  const asks: readonly (readonly [string, Ask])[] = [
    [folderPath, folderAnswer(service)],
    [searchPath, searchAnswer(service)],
  ];
  for (const [url, ask] of asks) {
    server.route({
      method: ['GET', 'HEAD'],
      url: base + url,
      async handler(request, reply) {
        try {
          const query = new URLSearchParams(targetOf(request.raw).query);
          const answer = await ask(query, await callers.callerOf(request.raw), request, reply);
          const body = Buffer.from(JSON.stringify(answer));
          return sendDocument(body, plainJson, guarded ? privateCacheControl : openCacheControl, request, reply);
        } catch (error) {
          return sendJsonError(error, request, reply);
        }
      },
    });
  }
}
