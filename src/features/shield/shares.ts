/** Who shares the render queue with whom: known callers alone, readers by their networks, and all strangers together. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { RequestShares } from '../../core/feature.ts';
import { clientAddressOf, clientKeyOf, type TrustedProxies } from '../../core/http/origin.ts';
import { isReadingDocument, type ReadingPatterns } from './reading-patterns.ts';
import type { SearchEngines } from './search-engines.ts';
import type { Shield } from './shield-settings.ts';

export type Standing = 'known' | 'reader' | 'stranger';

interface SharesParts {
  readonly shield: Shield;
  readonly trusted: TrustedProxies;
  readonly patterns: ReadingPatterns;
  readonly engines: Pick<SearchEngines, 'has'>;
  /** Called for each picture that is made for a caller. */
  readonly count: (standing: Standing) => void;
}

/** Addresses of which it is known whether they are a partner’s. */
const maxKnown = 5000;

interface Partner {
  readonly name: string;
  readonly list: BlockList;
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

function partnersOf({ partners }: Shield): readonly Partner[] {
  return partners.map(({ name, addresses }) => {
    const list = new BlockList();
    for (const range of addresses) {
      const [network = '', bits] = range.split('/');
      if (bits === undefined) list.addAddress(network, familyOf(network));
      else list.addSubnet(network, Number(bits), familyOf(network));
    }
    return { name, list };
  });
}

/** The network of an address in which one owner's machines are at least: 24 bits of IPv4, 48 of IPv6 (the first three groups of its key). */
export function networkOf(clientKey: string): string {
  const parts = clientKey.includes(':') ? clientKey.split(':') : clientKey.split('.');
  return parts.slice(0, 3).join(clientKey.includes(':') ? ':' : '.');
}

export function createShares({ shield, trusted, patterns, engines, count }: SharesParts): RequestShares {
  const partners = partnersOf(shield);
  // A lookup in the lists takes longer than all else.
  const partnerAt = new LRUCache<string, string>({
    max: maxKnown,
    memoMethod: (address) => partners.find(({ list }) => list.check(address, familyOf(address)))?.name ?? '',
  });

  function nameOfKnown(request: IncomingMessage): string | undefined {
    const address = clientAddressOf(request, trusted).replace(/^::ffff:(?=\d+\.)/i, '');
    if (isIP(address) === 0) return undefined;
    const partner = partners.length > 0 && partnerAt.memo(address);
    if (partner) return `partner ${partner}`;
    return engines.has(address, request.headers['user-agent']) ? 'search engine' : undefined;
  }

  return {
    observe(request) {
      const { url = '' } = request;
      if (isReadingDocument(url)) patterns.noteDocument(clientKeyOf(request, trusted));
    },
    of(request, isKnown) {
      const client = clientKeyOf(request, trusted);
      if (isKnown) {
        count('known');
        return { groups: [], weight: 1 };
      }
      const name = nameOfKnown(request);
      if (name !== undefined) {
        count('known');
        return { groups: [name], weight: 1 };
      }
      const network = networkOf(client);
      if (patterns.isReading(client, request.url ?? '')) {
        count('reader');
        return { groups: [`reader ${network}`], weight: 1 };
      }
      count('stranger');
      return { groups: ['strangers', network], weight: shield.strangersWeight };
    },
  };
}
