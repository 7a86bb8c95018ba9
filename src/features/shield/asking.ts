/** Who asks: known callers, readers by what they ask for, and strangers. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import {
  clientAddressOf,
  clientKeyAt,
  ownersNetworkOf,
  type TrustedProxies,
  withoutPrefix,
} from '../../core/http/origin.ts';
import type { Standing } from '../../core/ports.ts';
import type { ReadingPatterns } from './reading-patterns.ts';
import type { SearchEngines } from './search-engines.ts';
import type { Shield } from './shield-settings.ts';
import type { Systems } from './systems.ts';

export interface Asking {
  readonly standing: Standing;
  /** Equal for requests of one client: its IPv4 address, or the network of 64 bits of its IPv6 address. */
  readonly client: string;
  readonly network: string;
  /** The autonomous system of one who is not known, where the site gives a table. */
  readonly system?: string | undefined;
  /** Whether a reader has asked for one or two pictures only, as a crawler may that begins with a document. */
  readonly isNew?: boolean;
  /** Whether a reader asks for pictures without a pause. */
  readonly isWithoutPause?: boolean;
  /** Of a partner or a search engine. */
  readonly name?: string;
}

interface AskingParts {
  readonly shield: Pick<Shield, 'partners'>;
  readonly trusted: TrustedProxies;
  readonly patterns: ReadingPatterns;
  readonly engines: Pick<SearchEngines, 'has'>;
  /** As it is now; undefined where the site gives no table. */
  readonly systems: () => Systems | undefined;
}

export type CallersOfShield = ReturnType<typeof createCallersOfShield>;

/** Addresses of which it is known whose they are; each takes some 300 bytes. */
const maxKnown = 25_000;

/** What an address alone tells. */
interface Owner {
  readonly client: string;
  readonly network: string;
  /** Of the partner; undefined where it is none’s. */
  readonly partner: string | undefined;
}

interface Partner {
  readonly name: string;
  readonly list: BlockList;
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

function partnersOf({ partners }: AskingParts['shield']): readonly Partner[] {
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

export function createCallersOfShield({ shield, trusted, patterns, engines, systems }: AskingParts) {
  const partners = partnersOf(shield);
  // To find an owner takes longer than all else.
  const ownerAt = new LRUCache<string, Owner>({
    max: maxKnown,
    memoMethod: (address) => {
      const client = clientKeyAt(address);
      const isListed = ({ list }: Partner): boolean => isIP(address) !== 0 && list.check(address, familyOf(address));
      return { client, network: ownersNetworkOf(client), partner: partners.find(isListed)?.name };
    },
  });

  function nameOfKnown(address: string, { partner }: Owner, { headers }: IncomingMessage): string | undefined {
    if (partner !== undefined) return `partner ${partner}`;
    return engines.has(address, headers['user-agent']) ? 'search engine' : undefined;
  }

  /** `isReader` is asked for those whom nothing else tells. */
  function askingOf(request: IncomingMessage, isKnown: boolean, isReader: (client: string) => boolean): Asking {
    const address = withoutPrefix(clientAddressOf(request, trusted));
    const owner = ownerAt.memo(address);
    const { client, network } = owner;
    if (isKnown) return { standing: 'known', client, network };
    const name = nameOfKnown(address, owner, request);
    if (name !== undefined) return { standing: 'known', client, network, name };
    const system = systems()?.of(address);
    if (!isReader(client)) return { standing: 'stranger', client, network, system };
    const pattern = { isNew: !patterns.hasShown(client), isWithoutPause: patterns.isWithoutPause(client) };
    return { standing: 'reader', client, network, system, ...pattern };
  }

  return {
    clientOf: (request: IncomingMessage): string => clientKeyAt(clientAddressOf(request, trusted)),
    /** Who asks for a picture that is not there; counts it for the pattern of readers. `isKnown`: by a session or a token. */
    ofPicture: (request: IncomingMessage, isKnown: boolean): Asking =>
      askingOf(request, isKnown, (client) => patterns.isReading(client, request.url ?? '')),
    /** Who asks for anything else, or whose request is looked at. */
    of: (request: IncomingMessage, isKnown: boolean): Asking =>
      askingOf(request, isKnown, (client) => patterns.hasShown(client)),
  };
}
