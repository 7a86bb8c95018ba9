/** Networks of clients, in which one owner's machines are at least: 24 bits of IPv4, 48 of IPv6. */
import { isIP } from 'node:net';
import { clientKeyAt } from '../../core/http/origin.ts';

/** The network of a client by its key, as `198.51.100.0/24` or `2001:db8:1::/48`; the key itself where it is no address. */
export function networkOf(clientKey: string): string {
  if (clientKey.includes(':')) return `${clientKey.split(':').slice(0, 3).join(':')}::/48`;
  const end = clientKey.lastIndexOf('.');
  return end === -1 ? clientKey : `${clientKey.slice(0, end)}.0/24`;
}

const bitsOf = { 4: '24', 6: '48' } as const;

/** The network that a text names, as itself or by an address in it; undefined for anything else. */
export function parseNetwork(text: string): string | undefined {
  const [address = '', bits, ...others] = text.trim().split('/');
  const family = isIP(address);
  if ((family !== 4 && family !== 6) || others.length > 0) return undefined;
  const key = clientKeyAt(address);
  return bits === undefined || bits === bitsOf[isIP(key) === 4 ? 4 : 6] ? networkOf(key) : undefined;
}
