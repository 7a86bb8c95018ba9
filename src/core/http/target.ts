/** The request target as the client sent it, its parts (RFC 9112, section 3.2), and addresses as logs may hold them. */
import type { IncomingMessage } from 'node:http';
import { ImageError } from '../image/model/errors.ts';
import { decodeFormText, percentDecoded } from '../parsing/parse.ts';
import { hasTooManyParameters, tooManyParameters } from './query-pairs.ts';

/** Maximum length of an address, in bytes (survive.md, "Input"). */
export const maxAddressBytes = 8192;

/** The error of a target that no endpoint reads, because it or its query is too long; undefined for all others. */
export function excessOf(target: string): ImageError | undefined {
  if (target.length > maxAddressBytes) {
    return new ImageError('address-too-long', `An address can have at most ${maxAddressBytes} bytes.`);
  }
  const mark = target.indexOf('?');
  return mark >= 0 && hasTooManyParameters(target, mark + 1) ? tooManyParameters() : undefined;
}

/** Scheme and host of a target in absolute form. */
export const absoluteForm = /^(https?):\/\/([^/?#]*)/i;

/** The request target without scheme and host, where the client sent them in it (RFC 9112, section 3.2.2). */
function relativeTarget(target: string): string {
  if (target.startsWith('/')) return target;
  const absolute = absoluteForm.exec(target);
  if (absolute === null) return target;
  const rest = target.slice(absolute[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The target as Fastify’s router can read it: a path with malformed percent-encoding keeps its percent signs. */
export function routableTarget(target: string): string {
  const relative = relativeTarget(target);
  if (!relative.includes('%')) return relative;
  const [path = '', ...query] = relative.split('?');
  if (percentDecoded(path) !== undefined) return relative;
  return [path.replaceAll('%', '%25'), ...query].join('?');
}

/** The request target as it was sent, which Fastify moves to `originalUrl` when it routes by another spelling. */
export const rawTargetOf = (request: IncomingMessage & { readonly originalUrl?: string }): string =>
  request.originalUrl ?? request.url ?? '/';

/** The full address that was requested, query included, never normalized (info-endpoint.md, section 2.1, rule 2). */
export const addressOf = (request: IncomingMessage, origin: string): string =>
  origin + relativeTarget(rawTargetOf(request));

/** Path and query of a raw request target. */
export interface Target {
  /** Raw, still percent-encoded. */
  readonly path: string;
  /** Raw, without its question mark; empty where there is none. */
  readonly query: string;
}

/** Splits a raw target, with or without scheme and host, at its first question mark. */
export function splitTarget(raw: string): Target {
  const target = relativeTarget(raw);
  const mark = target.indexOf('?');
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

export const targetOf = (request: IncomingMessage): Target => splitTarget(rawTargetOf(request));

/** The number of segments of a path that begins with a slash and does not end with one; 0 for the empty path. */
export const segmentsOf = (path: string): number => path.split('/').length - 1;

/** The part of a raw path after its first `count` segments, without the slash between them. */
export const pathBehind = (path: string, count: number): string =>
  path
    .split('/')
    .slice(count + 1)
    .join('/');

/** The first `count` segments of a raw path. */
export const pathUpTo = (path: string, count: number): string =>
  path
    .split('/')
    .slice(0, count + 1)
    .join('/');

/** A signed token (RFC 7519), under whatever name it was sent: an ID token, or a signed link. */
const jsonWebToken = /eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g;

/** Also where the token is encoded, or cut off. */
const namesToken = (text: string): boolean => /token|eyJ[\w-]{10}/i.test(decodeFormText(text));

/** A query's parameter without its value, where its name or value speaks of a token in any case or encoding. */
const withoutValue = (parameter: string): string =>
  namesToken(parameter) ? `${/^[\w-]+(?==)/.exec(parameter)?.[0] ?? ''}=…` : parameter;

/** Whether the query of an address can have the parameter `link`, in any encoding: false for nearly all others. */
export const mayHaveLink = (address: string): boolean => /l(?:i|%69)|%6c/i.test(address) && /eyJ|%/.test(address);

/** An address without what may hold credentials as a whole: the fragment, and a user before the host. */
const withoutCredentials = (address: string): string =>
  address.replace(/#.*/s, '').replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?]*@/i, '$1');

/** A request target or a referring address without its tokens. */
export function loggableAddress(address: string): string {
  const [path = '', ...query] = withoutCredentials(address).split('?');
  const shownPath = path.replace(jsonWebToken, '…');
  if (query.length === 0) return shownPath;
  const text = query.join('?').replace(jsonWebToken, '…');
  if (!namesToken(text)) return `${shownPath}?${text}`;
  const shown = text.split(/([&;])/).map((part) => (part.length > 1 ? withoutValue(part) : part));
  return `${shownPath}?${shown.join('')}`;
}
