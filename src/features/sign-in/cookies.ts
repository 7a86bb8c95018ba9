/** Cookies of the sign-in: their flags, and long values in several of them. */
import type { IncomingMessage } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';
import { basePathOf } from '../../core/http/origin.ts';

/** Where cookies are sent, and by whom. */
export interface CookieScope {
  /** The path below which they are sent, as the client sees it; with a slash at its end. */
  readonly path: string;
  /** Whether they are sent by HTTPS alone: where the client reaches the server by it. */
  readonly isSecure: boolean;
  /** Whether they are sent with images on pages of other sites: of all, or of the site alone on whose page they were set. */
  readonly isCrossSite?: boolean | 'partitioned';
}

/** For the whole server; `below` for a path of it, to which no other site sends them. */
export function scopeOf(
  { origin }: { readonly origin: string },
  { contextPath, isCrossSite }: { readonly contextPath: string } & Required<Pick<CookieScope, 'isCrossSite'>>,
  below = '',
): CookieScope {
  const path = basePathOf(origin, contextPath) + below;
  return { path, isSecure: origin.startsWith('https:'), isCrossSite: below === '' && isCrossSite };
}

/** Browsers drop cookies of more than 4096 bytes with their names and flags, and bound their number. */
const partLength = 3600;
const maxParts = 3;

const partNames = (name: string): readonly string[] =>
  Array.from({ length: maxParts }, (_, index) => (index === 0 ? name : `${name}_${index + 1}`));

const cookiesOf = ({ headers }: IncomingMessage): Readonly<Record<string, string | undefined>> =>
  parseCookie(headers.cookie ?? '');

/**
 * The headers `Set-Cookie` for a value, which an empty one deletes; undefined where it is too long. Of a longer value that the
 * request has, the other parts are deleted.
 */
export function cookiesFor(
  request: IncomingMessage,
  { name, value, maxAgeSeconds }: { readonly name: string; readonly value: string; readonly maxAgeSeconds: number },
  { path, isSecure, isCrossSite = false }: CookieScope,
): readonly string[] | undefined {
  if (value.length > partLength * maxParts) return undefined;
  const present = cookiesOf(request);
  // Browsers take cookies for other sites by HTTPS alone.
  const crosses = isCrossSite && isSecure;
  const flags = { path, httpOnly: true, secure: isSecure, sameSite: crosses ? 'none' : 'lax' } as const;
  const partitioned = crosses && isCrossSite === 'partitioned';
  return partNames(name).flatMap((part, index) => {
    const text = value.slice(index * partLength, (index + 1) * partLength);
    if (text === '' && present[part] === undefined) return [];
    const maxAge = text === '' ? 0 : Math.max(0, Math.floor(maxAgeSeconds));
    return [stringifySetCookie(part, text, { ...flags, ...(partitioned && { partitioned }), maxAge })];
  });
}

/** The headers that delete a cookie. */
export const cookiesWithout = (request: IncomingMessage, name: string, scope: CookieScope): readonly string[] =>
  cookiesFor(request, { name, value: '', maxAgeSeconds: 0 }, scope) ?? [];

/** The value of a cookie, with all of its parts; undefined where there is none. */
export function cookieOf(request: IncomingMessage, name: string): string | undefined {
  if (!request.headers.cookie?.includes(name)) return undefined;
  const cookies = cookiesOf(request);
  const value = partNames(name).map((part) => cookies[part] ?? '');
  return value[0] === '' ? undefined : value.join('');
}
