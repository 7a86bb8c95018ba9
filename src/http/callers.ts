/** Who is calling: what a request says of its sender, and what of it counts. */
import type { IncomingMessage } from 'node:http';
import { parseCookie } from 'cookie';
import type { Access, Caller, Client } from '../access/access.ts';
import { parseQuery } from '../digilib/query.ts';
import { clientAddressOf, isForwarded, type TrustedProxies } from './origin.ts';
import { targetOf } from './target.ts';

/** Where credentials are looked for, beside the parameter `id_token`. */
export interface CredentialPlaces {
  readonly trusted: TrustedProxies;
  /** The cookie that holds the token. */
  readonly tokenCookie: string;
  /** The header, in lower case, in which a trusted proxy names the caller's roles; undefined for none. */
  readonly rolesHeader: string | undefined;
}

export interface Callers {
  /** The cookie that a token is looked for in. */
  readonly tokenCookie: string;
  /** Who sent a request. */
  callerOf(request: IncomingMessage): Promise<Caller>;
  /** Whether the sender may see how the server runs. */
  mayConfigure(request: IncomingMessage): Promise<boolean>;
}

const cookieOf = ({ headers }: IncomingMessage, name: string): string | undefined =>
  parseCookie(headers.cookie ?? '')[name]?.replace(/^"(.*)"$/, '$1');

const bearerOf = ({ headers }: IncomingMessage): string | undefined =>
  /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];

function parameterOf(request: IncomingMessage): string | undefined {
  const { query } = targetOf(request);
  return /id_token|%/.test(query) ? parseQuery(query).id_token : undefined;
}

const rolesOf = (header: string | readonly string[] | undefined): readonly string[] =>
  [header ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((role) => role.trim())
    .filter((role) => role !== '');

function clientOf(request: IncomingMessage, { trusted, tokenCookie, rolesHeader }: CredentialPlaces): Client {
  const token = parameterOf(request) || bearerOf(request) || cookieOf(request, tokenCookie);
  const vouches = rolesHeader !== undefined && trusted(request.socket.remoteAddress);
  return {
    address: clientAddressOf(request, trusted),
    ...(token ? { token } : {}),
    ...(vouches ? { roles: rolesOf(request.headers[rolesHeader]) } : {}),
  };
}

const isLoopback = (address: string): boolean => /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/i.test(address);

/** A name of another host, though the client is this machine, is what a page of the web asks by that rebinds its name. */
const namesLoopback = (host: string | undefined): boolean =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i.test(host ?? '');

/** From the machine itself, not passed on by a proxy on it; proxies that say nothing of themselves speak HTTP 1.0 mostly. */
const isLocal = (request: IncomingMessage): boolean =>
  request.httpVersion === '1.1' &&
  isLoopback(request.socket.remoteAddress ?? '') &&
  namesLoopback(request.headers.host) &&
  !isForwarded(request);

/** Callers by the rules of access. Where there are none, nothing of a request has to be looked at. */
export function createCallers(access: Access, places: CredentialPlaces): Callers {
  const { tokenCookie } = places;
  if (!access.isOn) {
    const anyone = access.identify({ address: '' });
    return { tokenCookie, callerOf: () => anyone, mayConfigure: async (request) => isLocal(request) };
  }
  const callerOf = (request: IncomingMessage): Promise<Caller> => access.identify(clientOf(request, places));
  return {
    tokenCookie,
    callerOf,
    mayConfigure: async (request) => (await callerOf(request)).roles.has('admin'),
  };
}
