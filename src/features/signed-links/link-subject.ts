/** What a link is asked for: a path of the library, or an address of this server that somebody copied. */
import { decodeFormText, percentDecoded } from '../../core/parsing/parse.ts';

/** What a link opens, before it was found. */
export interface LinkSubject {
  /** Decoded. */
  readonly path: string;
  /** Behind the base: what the link leads to; undefined where the path alone is named. */
  readonly address?: string;
  /** Whether it opens this address alone, which is that of one picture or one file. */
  readonly isExact: boolean;
}

/** The forms of addresses below the base that a link can have, with the path that each of them names. */
function subjectOfAddress(address: string, slash: string): LinkSubject | undefined {
  const [raw = '', query = ''] = address.split(/\?(.*)/s);
  // No link counts in digilib's old form of queries.
  if (query.includes(';')) return undefined;
  const page = /^(?:view|browse|embed)(?:\/(.*))?$/s.exec(raw);
  if (page !== null || raw === '') {
    const path = percentDecoded(page?.[1] ?? '');
    return path === undefined ? undefined : { path, address, isExact: false };
  }
  const picture = /^iiif\/[123]\/([^/]+)\/[^/]+\/[^/]+\/[^/]+\/[^/]+$/.exec(raw);
  if (picture !== null) {
    const path = percentDecoded(picture[1] ?? '')?.replaceAll(slash, '/');
    return path === undefined ? undefined : { path, address, isExact: true };
  }
  if (raw !== 'Scaler' && raw !== 'servlet/Scaler') return undefined;
  const pairs = query.split('&').map((pair) => pair.split(/=(.*)/s).map(decodeFormText));
  const textOf = (name: string): string => pairs.find(([one]) => one === name)?.[1] ?? '';
  // A page of a folder is another image once the folder changes.
  return textOf('pn') === '' ? { path: textOf('fn'), address, isExact: true } : undefined;
}

/** Undefined for addresses that no link can have, or of other servers. `bases` are those of this server, with a slash at the end. */
export function parseSubject(text: string, bases: readonly string[], slash: string): LinkSubject | undefined {
  const base = bases.find((one) => text.startsWith(one));
  if (base !== undefined) return subjectOfAddress(text.slice(base.length).replace(/#.*/s, ''), slash);
  return /^(?:https?:)?\//.test(text) ? undefined : { path: text, isExact: false };
}

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** The page of an image or a folder. */
export const pageAddress = (path: string, isFolder: boolean): string =>
  `${isFolder ? 'browse' : 'view'}/${encodePath(path)}`;

/** The original file of an image, as a download. */
export const originalAddress = (path: string): string => `Scaler?fn=${encodeURIComponent(path)}&mo=rawfile`;

/** An address with the token of its link. */
export const withToken = (address: string, token: string): string =>
  `${address}${address.includes('?') ? '&' : '?'}link=${token}`;
