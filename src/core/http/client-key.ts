/** Tells clients apart, among which the server's work is shared fairly. */
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { clientAddressOf, type TrustedProxies } from './origin.ts';

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

/** Equal for requests of one client: its IPv4 address, or the network of 64 bits of its IPv6 address. */
export function clientKeyOf(request: IncomingMessage, trusted: TrustedProxies): string {
  const address = clientAddressOf(request, trusted).replace(/^::ffff:(?=\d+\.)/i, '');
  return isIPv6(address) ? networkOf(address) : address;
}
