/** Scheme, host and client of a request, as the client or a trusted proxy gives them. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { badRequest } from '../image/model/errors.ts';
import { absoluteForm, rawTargetOf } from './target.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Scheme, host and path prefix before our own paths, as the configuration, a trusted proxy or the client gives them. */
    origin: string;
  }
}

/** Whether a peer's address is a proxy whose `X-Forwarded-*` headers count. */
export type TrustedProxies = (address: string | undefined) => boolean;

/** To look an address up in a list takes longer than most of what a request needs; a swarm has many thousands. */
const maxKnownPeers = 25_000;

/** Trusts the peers in a list of addresses and CIDR ranges, which the configuration has checked. */
export function trustProxies(ranges: readonly string[]): TrustedProxies {
  if (ranges.length === 0) return () => false;
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(prefix), family);
  }
  const isListed = (address: string): boolean => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
    const family = isIP(plain);
    return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4');
  };
  const known = new LRUCache<string, boolean>({ max: maxKnownPeers, memoMethod: isListed });
  return (address) => address !== undefined && known.memo(address);
}

const hostForm = /^(?:[A-Za-z0-9._~-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/;

/** The last of a header's comma-separated values: the one that the nearest proxy wrote. */
function lastValue(header: string | readonly string[] | undefined): string | undefined {
  const text = typeof header === 'string' ? header : header?.join(',');
  return text?.split(',').at(-1)?.trim() || undefined;
}

function requireHost(host: string): string {
  if (!hostForm.test(host))
    throw badRequest('The Host header is malformed; it is a name or an address, with or without a port.');
  return host;
}

interface Forwarded {
  readonly scheme?: string;
  readonly host?: string;
  /** The path before ours on the proxy, without a slash at its end. */
  readonly prefix?: string;
}

const prefixForm = /^(?:\/[A-Za-z0-9._~-]+)+\/?$/;

/** The parameters of the last element of a Forwarded header (RFC 7239). */
function lastForwarded(header: string | undefined): Readonly<Record<string, string>> {
  const element = lastValue(header) ?? '';
  const pairs = element.split(';').map((pair) => pair.split('='));
  return Object.fromEntries(
    pairs.map(([name = '', value = '']) => [name.trim().toLowerCase(), value.trim().replaceAll('"', '')]),
  );
}

const forwardingHeaders = ['forwarded', 'x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-prefix'];

function forwarded(request: IncomingMessage, trusted: TrustedProxies): Forwarded {
  const { headers } = request;
  if (!forwardingHeaders.some((name) => headers[name] !== undefined)) return {};
  if (!trusted(request.socket.remoteAddress)) return {};
  const standard = lastForwarded(headers.forwarded);
  const scheme = (lastValue(headers['x-forwarded-proto']) ?? standard['proto'])?.toLowerCase();
  const host = lastValue(headers['x-forwarded-host']) ?? standard['host'];
  const prefix = lastValue(headers['x-forwarded-prefix']);
  return {
    ...(scheme === 'http' || scheme === 'https' ? { scheme } : {}),
    ...(host !== undefined && hostForm.test(host) ? { host } : {}),
    ...(prefix !== undefined && prefixForm.test(prefix) ? { prefix: prefix.replace(/\/$/, '') } : {}),
  };
}

const forwardedForOf = ({ headers }: IncomingMessage): readonly string[] => {
  const named = headers['x-forwarded-for'];
  const standard = headers.forwarded;
  const addresses =
    named !== undefined
      ? [named].flat().join(',').split(',')
      : (standard ?? '').split(',').map((element) => /(?:^|;)\s*for=("[^"]*"|[^;]*)/i.exec(element)?.[1] ?? '');
  return addresses.map(plainAddress).filter((address) => address !== '');
};

/** An address without the quotes, brackets and port that proxies add; `unknown` where it is no address. */
function plainAddress(text: string): string {
  const bare = text.trim().replace(/^"(.*)"$/, '$1');
  if (bare === '') return '';
  const address = /^\[([^\]]*)\](?::\d+)?$/.exec(bare)?.[1] ?? /^([\d.]+):\d+$/.exec(bare)?.[1] ?? bare;
  return isIP(address) === 0 ? 'unknown' : address;
}

/**
 * The address of the client: the peer's, or the one that a trusted proxy names. Of a list of addresses, those that trusted
 * proxies wrote count, from the last backward. `unknown` where a trusted proxy names no address.
 */
export function clientAddressOf(request: IncomingMessage, trusted: TrustedProxies): string {
  const peer = request.socket.remoteAddress ?? 'unknown';
  if (!trusted(peer)) return peer;
  const named = forwardedForOf(request);
  return named.findLast((address) => !trusted(address)) ?? named[0] ?? 'unknown';
}

/** Whether a header says that a proxy forwarded the request, trusted or not. */
export const isForwarded = ({ headers }: IncomingMessage): boolean =>
  Object.keys(headers).some((name) => proxyHeader.test(name));

/** Headers that proxies add; clients add none of them. */
const proxyHeader =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-client-ip|x-proxyuser-ip|true-client-ip|cf-connecting-ip)$/;

/** The address of our own socket, for clients that send no Host header. */
function ownHost({ socket }: IncomingMessage): string {
  const { localAddress = '127.0.0.1', localPort = 80 } = socket;
  return `${isIP(localAddress) === 6 ? `[${localAddress}]` : localAddress}:${localPort}`;
}

function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

/** Scheme, host and the proxy's own path, such as `https://library.example:8080`. Throws ImageError `bad-request` for a malformed host. */
export function originOf(request: IncomingMessage, trusted: TrustedProxies): string {
  const target = rawTargetOf(request);
  const absolute = target.startsWith('/') ? null : absoluteForm.exec(target);
  if (hasTwoHosts(request)) throw badRequest('The request has two Host headers; one is right.');
  const own = absolute?.[2] ?? request.headers.host ?? ownHost(request);
  const { scheme = absolute?.[1]?.toLowerCase() ?? 'http', host, prefix = '' } = forwarded(request, trusted);
  return `${scheme}://${requireHost(host ?? own)}${prefix}`;
}

/** The path below which the addresses of a page begin, as the client sees it; with a slash at its end. */
export const basePathOf = (origin: string, contextPath: string): string =>
  `${origin.replace(/^https?:\/\/[^/]*/, '') + contextPath}/`;

/** The settings that decide about the origin of a request. */
export interface OriginRules {
  readonly trusted: TrustedProxies;
  /** Scheme, host and path prefix that clients see, where the configuration gives them. */
  readonly publicAddress: string | undefined;
}

/** As `originOf`, or the configured one; undefined for a malformed host, about which the Fastify route reports. */
export function originIfValid(request: IncomingMessage, { trusted, publicAddress }: OriginRules): string | undefined {
  try {
    const origin = originOf(request, trusted);
    return publicAddress ?? origin;
  } catch {
    return undefined;
  }
}

/** The number of groups of 16 bits in an IPv6 address that name a network; its owner has all addresses in it. */
const networkGroups = 4;

/** The network of an IPv6 address in its first 64 bits, as text. */
function networkOf(address: string): string {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const groups = head === '' ? [] : head.split(':');
  // The groups that `::` leaves out are zeros, at least up to those that follow it.
  const following = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - following.length);
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...following];
  return all
    .slice(0, networkGroups)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/** An address without the prefix of IPv4 in IPv6. */
export const withoutPrefix = (address: string): string =>
  address.startsWith('::') ? address.replace(/^::ffff:(?=\d+\.)/i, '') : address;

/** Equal for addresses of one client: its IPv4 address, or the network of 64 bits of its IPv6 address. */
export function clientKeyAt(address: string): string {
  const plain = withoutPrefix(address);
  return plain.includes(':') && isIPv6(plain) ? networkOf(plain) : plain;
}

/**
 * The network in which one owner's machines are at least, by the key of a client: as `198.51.100.0/24` or `2001:db8:1::/48`; the key itself
 * where it is no address.
 */
export function ownersNetworkOf(clientKey: string): string {
  if (clientKey.includes(':')) return `${clientKey.split(':').slice(0, 3).join(':')}::/48`;
  const end = clientKey.lastIndexOf('.');
  return end === -1 ? clientKey : `${clientKey.slice(0, end)}.0/24`;
}

export const clientKeyOf = (request: IncomingMessage, trusted: TrustedProxies): string =>
  clientKeyAt(clientAddressOf(request, trusted));

export const isLoopback = (address: string): boolean => /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/i.test(address);

/** With DNS rebinding, a page of the web reaches this machine under the name of another host. */
const namesLoopback = (host: string | undefined): boolean =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i.test(host ?? '');

/** Whether the request comes from this machine and was not forwarded; proxies without forwarding headers mostly use HTTP 1.0. */
export const isDirectFromLoopback = (request: IncomingMessage): boolean =>
  request.httpVersion === '1.1' &&
  isLoopback(request.socket.remoteAddress ?? '') &&
  namesLoopback(request.headers.host) &&
  !isForwarded(request);
