import { describe, expect, it, vi } from 'vitest';
import { type Resolver, SearchEngines } from '../../../../src/features/shield/search-engines.ts';

const engines = [{ agent: 'Examplebot', domains: ['bot.example'] }];
const agent = 'Mozilla/5.0 (compatible; Examplebot/2.1; +http://bot.example/)';

/** DNS with one crawler of the engine, an impostor, and a name of the domain that leads elsewhere. */
function resolver(): Resolver {
  const names: Record<string, readonly string[]> = {
    '192.0.2.1': ['crawl-1.bot.example.'],
    '2001:db8::1': ['Crawl-6.bot.example'],
    '198.51.100.1': ['bot.example.evil.example'],
    '198.51.100.2': ['crawl-1.bot.example'],
  };
  const addresses: Record<string, readonly string[]> = {
    'crawl-1.bot.example': ['192.0.2.1'],
    'crawl-6.bot.example': ['2001:0db8:0:0::0001'],
  };
  return {
    reverse: vi.fn(async (address: string) => {
      const found = names[address];
      if (found === undefined) throw Object.assign(new Error(address), { code: 'ENOTFOUND' });
      return found;
    }),
    addressesOf: async (name) => addresses[name] ?? [],
  };
}

const found = async (address: string, sent: string | undefined, dns = resolver()): Promise<boolean> => {
  const known = new SearchEngines(engines, dns);
  // The first request is not delayed by DNS.
  expect(known.has(address, sent)).toBe(false);
  await new Promise((resolve) => setImmediate(resolve));
  return known.has(address, sent);
};

describe('a search engine', () => {
  it.each([
    ['192.0.2.1', agent, true],
    ['2001:db8::1', agent, true],
    ['198.51.100.1', agent, false],
    ['198.51.100.2', agent, false],
    ['203.0.113.1', agent, false],
    ['192.0.2.1', 'Mozilla/5.0 Firefox/140', false],
    ['192.0.2.1', undefined, false],
  ])('at %s is one by its names in DNS and back: %s', async (address, sent, expected) => {
    expect(await found(address, sent)).toBe(expected);
  });

  it('is asked for once', async () => {
    const dns = resolver();
    const known = new SearchEngines(engines, dns);
    for (let count = 0; count < 10; count++) {
      known.has('192.0.2.1', agent);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(dns.reverse).toHaveBeenCalledTimes(1);
  });

  it('is asked for again where DNS failed, and does not end the process', async () => {
    const dns = { ...resolver(), reverse: vi.fn(() => Promise.reject(new Error('SERVFAIL'))) };
    expect(await found('192.0.2.1', agent, dns)).toBe(false);
  });
});
