/** Networks of clients as people name them: 24 bits of IPv4, 48 of IPv6. */
import { isIP } from 'node:net';
import { clientKeyAt, ownersNetworkOf } from '../../core/http/origin.ts';

const bitsOf = { 4: '24', 6: '48' } as const;

/** The network that a text names, as itself or by an address in it; undefined for anything else. */
export function parseNetwork(text: string): string | undefined {
  const [address = '', bits, ...others] = text.trim().split('/');
  const family = isIP(address);
  if ((family !== 4 && family !== 6) || others.length > 0) return undefined;
  const key = clientKeyAt(address);
  return bits === undefined || bits === bitsOf[isIP(key) === 4 ? 4 : 6] ? ownersNetworkOf(key) : undefined;
}
