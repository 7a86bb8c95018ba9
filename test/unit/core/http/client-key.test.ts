import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { clientKeyOf, trustProxies } from '../../../../src/core/http/origin.ts';

const keyOf = (remoteAddress: string, forwardedFor?: string): string =>
  clientKeyOf(
    { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwardedFor } } as unknown as IncomingMessage,
    trustProxies(['10.0.0.1']),
  );

test.each([
  ['an IPv4 address as it is', '192.0.2.7', undefined, '192.0.2.7'],
  ['an IPv4 address that the system writes as IPv6', '::ffff:192.0.2.7', undefined, '192.0.2.7'],
  ['an IPv6 address by its network', '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2'],
  ['another one of the same network', '2001:db8:1:2::9', undefined, '2001:db8:1:2'],
  ['an IPv6 address of zeros', '::1', undefined, '0:0:0:0'],
  ['one with zeros in the middle', '2001:db8::5:6:7', undefined, '2001:db8:0:0'],
  ['the client that a trusted proxy names', '10.0.0.1', '192.0.2.9', '192.0.2.9'],
  ['the peer, where it is no trusted proxy', '192.0.2.7', '192.0.2.9', '192.0.2.7'],
])('a client is told apart by %s', (_, peer, forwardedFor, key) => expect(keyOf(peer, forwardedFor)).toBe(key));
