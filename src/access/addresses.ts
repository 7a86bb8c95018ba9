/** Roles by the client’s address: single addresses, CIDR ranges and digilib’s prefixes (digilib.md, section 7). */
import { BlockList, isIP, SocketAddress } from 'node:net';

/** An address, a CIDR range, or the first whole parts of an address such as `130.92`, and the roles that it gives. */
export interface AddressRule {
  readonly address: string;
  readonly roles: readonly string[];
}

interface Address {
  readonly family: 'ipv4' | 'ipv6';
  readonly text: string;
}

interface Range extends Address {
  readonly bits: number;
}

/** Reads an address: zone ids are dropped, and an IPv4 address in the form of IPv6 (RFC 4291, section 2.5.5.2) is IPv4. */
function parseAddress(text: string): Address | undefined {
  const plain = text.replace(/%.*$/s, '');
  const family = isIP(plain);
  if (family === 0) return undefined;
  if (family === 4) return { family: 'ipv4', text: plain };
  const short = new SocketAddress({ address: plain, family: 'ipv6' }).address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(short)?.[1];
  return mapped === undefined ? { family: 'ipv6', text: short } : { family: 'ipv4', text: mapped };
}

/** The bits of IPv6 before an IPv4 address that is written as one of IPv6. */
const mappedBits = 96;

function rangeOf(start: string, length: string | undefined): Range | undefined {
  const address = parseAddress(start);
  if (address === undefined) return undefined;
  const isLong = start.includes(':');
  const most = isLong ? 128 : 32;
  const bits = Number(length ?? most);
  if (bits > most) return undefined;
  if (address.family === 'ipv6' || !isLong) return { ...address, bits };
  return bits < mappedBits
    ? { family: 'ipv6', text: `::ffff:${address.text}`, bits }
    : { ...address, bits: bits - mappedBits };
}

/** The first whole parts of an address, as a range. */
function rangeOfPrefix(prefix: string): Range | undefined {
  if (/^\d{1,3}(?:\.\d{1,3}){0,2}\.?$/.test(prefix)) {
    const parts = prefix.split('.').filter((part) => part !== '');
    return rangeOf([...parts, '0', '0', '0'].slice(0, 4).join('.'), String(parts.length * 8));
  }
  if (!/^[0-9a-f]{1,4}:(?:[0-9a-f]{1,4}:){0,5}(?:[0-9a-f]{1,4})?:?$/i.test(prefix)) return undefined;
  const groups = prefix.split(':').filter((group) => group !== '');
  return rangeOf(`${groups.join(':')}::`, String(groups.length * 16));
}

function requireRange(text: string): Range {
  const [, start = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const range = rangeOf(start, length) ?? rangeOfPrefix(text);
  if (range === undefined) throw new TypeError(`“${text}” is no address, range or prefix of addresses.`);
  return range;
}

/** The addresses of one family that have the same roles. */
interface Group {
  readonly family: Address['family'];
  readonly roles: readonly string[];
  readonly list: BlockList;
}

/** One list for each family, since a BlockList finds IPv4 addresses in `::/0`. */
function groupsOf(rules: readonly AddressRule[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const { address, roles } of rules) {
    const { family, text, bits } = requireRange(address);
    const key = JSON.stringify([family, roles]);
    const group = groups.get(key) ?? { family, roles, list: new BlockList() };
    group.list.addSubnet(text, bits, family);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The roles of all rules that an address fits; none for a text that is no address. Throws TypeError for a rule without one. */
export function createAddressRoles(rules: readonly AddressRule[]): (address: string) => readonly string[] {
  const groups = groupsOf(rules);
  return (address) => {
    const client = groups.length === 0 ? undefined : parseAddress(address);
    if (client === undefined) return [];
    // Made once, since it takes longer than looking it up.
    const sought = new SocketAddress({ address: client.text, family: client.family });
    const fitting = groups.filter(({ family, list }) => family === client.family && list.check(sought));
    return fitting.flatMap(({ roles }) => roles);
  };
}
