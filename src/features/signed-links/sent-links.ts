/** The links of a request: in the parameter `link` of its address, and in the cookie of those that the browser has opened before. */
import type { IncomingMessage } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { LinkGrant } from '../../core/access/link-grants.ts';
import type { FindLinks } from '../../core/http/callers.ts';
import { basePathOf } from '../../core/http/origin.ts';
import { queryPairs } from '../../core/http/query-pairs.ts';
import { mayHaveLink, targetOf } from '../../core/http/target.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import { decodeFormText } from '../../core/parsing/parse.ts';
import type { ReadLinkKeys } from './link-keys.ts';
import { addressMark, type Link, verifyLink } from './link-tokens.ts';

export const linkCookie = 'lectern_links';

/** Present where a reader has said that a link which counts once is to be used now. */
const takeParameter = 'take';

/** Browsers drop cookies of more than 4096 bytes with their names and flags. */
const maxCookieLength = 3600;
const maxCookieLinks = 12;

/** The token in an address; undefined where there is none: a site's own pages may have a parameter of this name. */
function tokenOf(request: IncomingMessage): string | undefined {
  const { query } = targetOf(request);
  // digilib's old form has other parts than those that are compared with the signed address, and so hides some from it.
  if (!mayHaveLink(query) || query.includes(';')) return undefined;
  const value = Object.fromEntries(pairsOf(query))['link'];
  return value?.startsWith('eyJ') ? value : undefined;
}

/** A query with too many parameters is refused by whoever reads it. */
function pairsOf(query: string): ReturnType<typeof queryPairs> {
  try {
    return queryPairs(query, []);
  } catch {
    return [];
  }
}

const nameOf = (pair: string): string => decodeFormText(pair.split('=')[0] ?? '');

/** The target of a request below the context path, without the parameters of links. */
export function addressWithoutLink(request: IncomingMessage, contextPath: string): string {
  const { path, query } = targetOf(request);
  const pairs = query.split('&').filter((pair) => !['link', takeParameter].includes(nameOf(pair)));
  const below = path.startsWith(`${contextPath}/`) ? path.slice(contextPath.length + 1) : path;
  return pairs.join('&') === '' ? below : `${below}?${pairs.join('&')}`;
}

export const isTaken = (request: IncomingMessage): boolean =>
  targetOf(request)
    .query.split('&')
    .some((pair) => nameOf(pair) === takeParameter);

/** The link of an address, verified, and its token. */
export interface SentLink {
  readonly token: string;
  readonly link: Link;
}

export const grantOf = ({ id, recipient, paths, tier, roles }: Link): LinkGrant => ({
  id,
  recipient,
  paths,
  tier,
  ...(roles !== undefined && { roles: new Set(roles) }),
});

const elsewhere = 'This link opens another address.';

export class SentLinks {
  readonly #keys: ReadLinkKeys;
  #contextPath = '';
  readonly #onFault: (message: string, error: unknown) => void;
  readonly #sent = new WeakMap<IncomingMessage, Promise<SentLink | undefined>>();
  readonly #used = new WeakMap<IncomingMessage, readonly Link[]>();

  constructor(keys: ReadLinkKeys, onFault: (message: string, error: unknown) => void) {
    this.#keys = keys;
    this.#onFault = onFault;
  }

  /** Takes on the path below which the server is, which can change while it runs. */
  serveAt(contextPath: string): void {
    this.#contextPath = contextPath;
  }

  /** The link in the address of a request; undefined where there is none. Rejects with ImageError where it does not count. */
  inAddress(request: IncomingMessage): Promise<SentLink | undefined> {
    const known = this.#sent.get(request) ?? this.#verifyAddress(request);
    this.#sent.set(request, known);
    return known;
  }

  isInAddress(request: IncomingMessage): boolean {
    return tokenOf(request) !== undefined;
  }

  /** The links that count for a request, once they were looked for. */
  of(request: IncomingMessage): readonly Link[] {
    return this.#used.get(request) ?? [];
  }

  /** What its links open. The one in its address was checked before, and an answer to it says why it does not count. */
  readonly find: FindLinks = async (request) => {
    try {
      const sent = await this.inAddress(request).catch(() => undefined);
      const { links, fault } = await this.#inCookie(request);
      const all = sent === undefined ? links.map(({ link }) => link) : [sent.link, ...links.map(({ link }) => link)];
      this.#used.set(request, all);
      return { links: all.map(grantOf), linkFault: fault };
    } catch (error) {
      this.#onFault('signed links can’t be checked', error);
      return { links: [] };
    }
  };

  /** The header that adds a link to those of the cookie; the oldest ones go where there are too many. */
  async cookieWith(request: IncomingMessage, { token, link }: SentLink, origin: string): Promise<string> {
    const { links } = await this.#inCookie(request);
    const kept = [token];
    let untilMs = link.untilMs;
    for (const one of links) {
      if (one.token === token || kept.length === maxCookieLinks) continue;
      if ([...kept, one.token].join('~').length > maxCookieLength) break;
      kept.push(one.token);
      untilMs = Math.max(untilMs, one.link.untilMs);
    }
    const secure = origin.startsWith('https:');
    const flags = { path: basePathOf(origin, this.#contextPath), httpOnly: true, secure } as const;
    return stringifySetCookie(linkCookie, kept.join('~'), {
      ...flags,
      // In a frame of another site, browsers take and send it by HTTPS alone, and only there.
      ...(secure ? { sameSite: 'none', partitioned: true } : { sameSite: 'lax' }),
      maxAge: Math.max(0, Math.floor((untilMs - Date.now()) / 1000)),
    });
  }

  async #verifyAddress(request: IncomingMessage): Promise<SentLink | undefined> {
    const token = tokenOf(request);
    if (token === undefined) return undefined;
    const link = await verifyLink(token, await this.#readKeys(), Date.now());
    if (link.address !== undefined && link.address !== addressMark(addressWithoutLink(request, this.#contextPath)))
      throw new ImageError('denied', elsewhere);
    return { token, link };
  }

  async #readKeys() {
    try {
      return await this.#keys();
    } catch (cause) {
      throw new ImageError('failed', 'Links can’t be checked at the moment; the log says why.', { cause });
    }
  }

  async #inCookie(request: IncomingMessage): Promise<{ readonly links: readonly SentLink[]; readonly fault?: string }> {
    if (!request.headers.cookie?.includes(linkCookie)) return { links: [] };
    const value = parseCookie(request.headers.cookie)[linkCookie] ?? '';
    const keys = await this.#readKeys();
    const links: SentLink[] = [];
    let fault: string | undefined;
    for (const token of value.split('~').slice(0, maxCookieLinks)) {
      try {
        const link = await verifyLink(token, keys, Date.now());
        // What opens one address alone is not for a cookie.
        if (link.address === undefined) links.push({ token, link });
      } catch (error) {
        fault = error instanceof ImageError ? error.message : undefined;
      }
    }
    return { links, ...(fault !== undefined && { fault }) };
  }
}
