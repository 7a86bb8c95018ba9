/** What proxies and CDNs are told beside Cache-Control: how long to keep answers (RFC 9213), and by which keys to purge them. */
import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type Identifier, parseIdentifier, splitPage, splitTier } from '../image/model/identifier.ts';
import type { HeaderList } from './representation.ts';

/** The headers in which CDNs read keys, with what is between them: Fastly, vmod_xkey of Varnish, Cloudflare, Akamai. */
export const keyHeaders = { 'Surrogate-Key': ' ', xkey: ' ', 'Cache-Tag': ',', 'Edge-Cache-Tag': ',' } as const;

export type KeyHeader = keyof typeof keyHeaders;

/** So many folders have a key of their own in an answer; what is deeper is purged with the deepest of these. */
const maxFolders = 30;

/** Short, the same on all servers, and without the path, which a CDN has no need to know; Cloudflare ignores case. */
const keyOf = (path: string): string => `l${hash('sha256', `lectern ${path}`, 'hex').slice(0, 16)}`;

/** Without tier and page: all that is made of a file has its key. */
function namesIn(path: string): readonly string[] {
  const names = parseIdentifier(splitTier(path).path)?.segments ?? [];
  const last = names.at(-1);
  return last === undefined ? [] : [...names.slice(0, -1), splitPage(last).file];
}

/** The keys of an answer about an image or a folder: its own, and those of all folders around it, from the root, whose key all have. */
export function surrogateKeysOf(path: string): readonly string[] {
  const names = namesIn(path);
  const folders = Array.from({ length: Math.min(names.length, maxFolders) }, (_, depth) => names.slice(0, depth));
  return [...folders, names].map((around) => keyOf(around.join('/')));
}

/** The key by which everything about an image or about and in a folder is purged. */
export function purgeKeyOf(path: string): string {
  const names = namesIn(path);
  return keyOf((names.length >= maxFolders ? names.slice(0, maxFolders - 1) : names).join('/'));
}

/** Answers that shared caches keep for some time without asking; the others need no keys. */
const isKept = (cacheControl: string): boolean =>
  /\bpublic\b|\bs-maxage=/i.test(cacheControl) && !/private|no-store|no-cache/i.test(cacheControl);

export interface SharedCaches {
  /** The headers of an answer with this Cache-Control, about this image or folder if about any. */
  headersFor(cacheControl: string, subject: string | undefined): HeaderList;
}

interface SharedCacheRules {
  readonly cacheControl: string;
  /** The `CDN-Cache-Control` where Cache-Control is the above. */
  readonly cdnCacheControl?: string | undefined;
  readonly surrogateKeys: readonly KeyHeader[];
}

/** Undefined where there is nothing to tell. */
export function createSharedCaches(rules: SharedCacheRules): SharedCaches | undefined {
  const { cacheControl: usual, cdnCacheControl, surrogateKeys } = rules;
  if (cdnCacheControl === undefined && surrogateKeys.length === 0) return undefined;
  return {
    headersFor(cacheControl, subject) {
      if (!isKept(cacheControl)) return [];
      const headers: string[] = [];
      if (cdnCacheControl !== undefined && cacheControl === usual) headers.push('cdn-cache-control', cdnCacheControl);
      if (surrogateKeys.length === 0) return headers;
      const keys = surrogateKeysOf(subject ?? '');
      for (const name of surrogateKeys) headers.push(name.toLowerCase(), keys.join(keyHeaders[name]));
      return headers;
    },
  };
}

/** The path of an admitted image. */
export const subjectOf = ({ identifier }: { readonly identifier: Identifier }): string => identifier.segments.join('/');

/** Adds the headers to answers of routes; other hooks have made those private by then that depend on the caller. */
export function addSharedCacheHeaders(server: FastifyInstance, caches: SharedCaches): void {
  server.addHook('onSend', (request, reply, _payload, next) => {
    const { statusCode } = reply;
    if (statusCode === 200 || statusCode === 206 || statusCode === 304) {
      const headers = caches.headersFor(String(reply.getHeader('cache-control') ?? ''), request.cacheSubject);
      for (let index = 0; index < headers.length; index += 2) reply.header(headers[index] ?? '', headers[index + 1]);
    }
    next();
  });
}
