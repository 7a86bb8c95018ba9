/** The address that was requested, byte for byte: scheme and host as the client or a trusted proxy says them. */
import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { badRequest } from '../image/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Scheme and host that the client or a trusted proxy says, such as `https://library.example:8080`. */
    origin: string;
  }
}

/** Whether a peer's address is a proxy whose `X-Forwarded-*` headers count. */
export type TrustedProxies = (address: string | undefined) => boolean;

/** Trusts the peers in a list of addresses and CIDR ranges, which the configuration has checked. */
export function trustProxies(ranges: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(prefix), family);
  }
  return (address) => {
    const plain = address?.replace(/^::ffff:(?=\d+\.)/i, '') ?? '';
    const family = isIP(plain);
    return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4');
  };
}

const hostForm = /^(?:[A-Za-z0-9._~-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/;

const absoluteForm = /^(https?):\/\/([^/?#]*)/i;

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

function forwarded(request: FastifyRequest, trusted: TrustedProxies): { scheme?: string; host?: string } {
  const { 'x-forwarded-proto': protocols, 'x-forwarded-host': hosts } = request.headers;
  if (protocols === undefined && hosts === undefined) return {};
  if (!trusted(request.raw.socket.remoteAddress)) return {};
  const scheme = lastValue(protocols)?.toLowerCase();
  const host = lastValue(hosts);
  return {
    ...(scheme === 'http' || scheme === 'https' ? { scheme } : {}),
    ...(host !== undefined && hostForm.test(host) ? { host } : {}),
  };
}

/** Where the request arrived, for clients that name no host. */
function ownHost({ raw: { socket } }: FastifyRequest): string {
  const { localAddress = '127.0.0.1', localPort = 80 } = socket;
  return `${isIP(localAddress) === 6 ? `[${localAddress}]` : localAddress}:${localPort}`;
}

function hasTwoHosts({ raw: { rawHeaders } }: FastifyRequest): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts++;
  return hosts > 1;
}

/** Scheme and host, such as `https://library.example:8080`. Throws ImageError `bad-request` for a malformed host. */
export function originOf(request: FastifyRequest, trusted: TrustedProxies): string {
  const absolute = request.originalUrl.startsWith('/') ? null : absoluteForm.exec(request.originalUrl);
  if (hasTwoHosts(request)) throw badRequest('The request has two Host headers; one is right.');
  const own = absolute?.[2] ?? request.headers.host ?? ownHost(request);
  const { scheme = absolute?.[1]?.toLowerCase() ?? 'http', host } = forwarded(request, trusted);
  return `${scheme}://${requireHost(host ?? own)}`;
}

/** The request target without scheme and host, where the client sent them in it (RFC 9112, section 3.2.2). */
export function relativeTarget(target: string): string {
  if (target.startsWith('/')) return target;
  const absolute = absoluteForm.exec(target);
  if (absolute === null) return target;
  const rest = target.slice(absolute[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The target as the router can read it: a path with broken percent-encoding keeps its percent signs. */
export function routableTarget(target: string): string {
  const relative = relativeTarget(target);
  if (!relative.includes('%')) return relative;
  const [path = '', ...query] = relative.split('?');
  try {
    decodeURIComponent(path);
    return relative;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

/** The full address that was requested, query included, never normalized (info-endpoint.md, section 2.1, rule 2). */
export const addressOf = (request: FastifyRequest): string => request.origin + relativeTarget(request.originalUrl);

/** Path and query of the raw request target. */
export interface Target {
  /** Raw, still percent-encoded. */
  readonly path: string;
  /** Raw, without its question mark; empty where there is none. */
  readonly query: string;
}

/** Splits the raw request target at its first question mark. */
export function targetOf(request: FastifyRequest): Target {
  const target = relativeTarget(request.originalUrl);
  const mark = target.indexOf('?');
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** What of a raw path stands behind its first `count` segments, without the slash between them. */
export const pathBehind = (path: string, count: number): string =>
  path
    .split('/')
    .slice(count + 1)
    .join('/');
