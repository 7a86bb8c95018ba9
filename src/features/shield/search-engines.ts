/** Search engines by the names of their addresses in DNS, and back: the way that they name themselves for telling impostors. */
import { resolve4, resolve6, reverse } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';

export interface SearchEngine {
  /** A part of its User-Agent. */
  readonly agent: string;
  readonly domains: readonly string[];
}

export interface Resolver {
  /** The names of an address. */
  reverse(address: string): Promise<readonly string[]>;
  /** The addresses of a name, of the family of the address. */
  addressesOf(name: string, family: 4 | 6): Promise<readonly string[]>;
}

const dns: Resolver = {
  reverse,
  addressesOf: (name, family) => (family === 6 ? resolve6(name) : resolve4(name)),
};

/** What was found out about an address holds for this time, in ms. */
const knownMs = 24 * 3_600_000;

/** Names that could not be asked for are asked for again after this time, in ms. */
const failedMs = 60_000;

const maxKnown = 5000;

/** Questions to DNS at the same time; further ones are asked with a later request. */
const maxAsking = 4;

const sameAddress = (address: string): string =>
  new URL(isIPv6(address) ? `http://[${address}]` : `http://${address}`).hostname;

export class SearchEngines {
  readonly #engines: readonly SearchEngine[];
  readonly #resolver: Resolver;
  readonly #known = new LRUCache<string, boolean>({ max: maxKnown, ttl: knownMs });
  readonly #asking = new Set<string>();

  constructor(engines: readonly SearchEngine[], resolver: Resolver = dns) {
    this.#engines = engines;
    this.#resolver = resolver;
  }

  /** Whether an address is known to be that of the engine that a User-Agent names; it is found out behind the answer. */
  has(address: string, agent: string | undefined): boolean {
    const engine = agent === undefined ? undefined : this.#engines.find((one) => agent.includes(one.agent));
    if (engine === undefined || isIP(address) === 0) return false;
    const key = `${engine.agent} ${address}`;
    const known = this.#known.get(key);
    if (known === undefined && !this.#asking.has(key) && this.#asking.size < maxAsking)
      void this.#ask(key, address, engine);
    return known ?? false;
  }

  /** Never rejects. */
  async #ask(key: string, address: string, engine: SearchEngine): Promise<void> {
    this.#asking.add(key);
    try {
      this.#known.set(key, await this.#isOf(address, engine));
    } catch (error) {
      const isUnnamed = error instanceof Error && 'code' in error && error.code === 'ENOTFOUND';
      this.#known.set(key, false, { ttl: isUnnamed ? knownMs : failedMs });
    } finally {
      this.#asking.delete(key);
    }
  }

  async #isOf(address: string, { domains }: SearchEngine): Promise<boolean> {
    const names = (await this.#resolver.reverse(address)).map((name) => name.toLowerCase().replace(/\.$/, ''));
    const own = names.find((name) => domains.some((domain) => name.endsWith(`.${domain}`)));
    if (own === undefined) return false;
    const addresses = await this.#resolver.addressesOf(own, isIPv6(address) ? 6 : 4);
    return addresses.map(sameAddress).includes(sameAddress(address));
  }
}
