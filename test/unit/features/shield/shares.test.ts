import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { trustProxies } from '../../../../src/core/http/origin.ts';
import { ReadingPatterns } from '../../../../src/features/shield/reading-patterns.ts';
import { createShares, networkOf, type Standing } from '../../../../src/features/shield/shares.ts';
import { shieldSettings } from '../../../../src/features/shield/shield-settings.ts';

const shield = shieldSettings.shield.parse({
  partners: [{ name: 'Europe', addresses: ['203.0.113.0/26', '2001:db8:5::/48'] }],
});
const tile = '/iiif/3/a/0,0,512,512/512,512/0/default.jpg';

function setup() {
  const counted: Standing[] = [];
  const shares = createShares({
    shield,
    trusted: trustProxies([]),
    patterns: new ReadingPatterns(() => 0),
    engines: { has: (_address, agent = '') => agent.includes('Examplebot') },
    count: (standing) => counted.push(standing),
  });
  const request = (address: string, url: string, agent = 'Firefox') =>
    ({ url, headers: { 'user-agent': agent }, socket: { remoteAddress: address } }) as unknown as IncomingMessage;
  return { counted, shares, request };
}

describe('shares', () => {
  it('of strangers are one, by networks', () => {
    const { shares, request, counted } = setup();
    expect(shares.of(request('198.51.100.7', tile), false)).toEqual({
      groups: ['strangers', '198.51.100'],
      weight: 0.25,
    });
    expect(shares.of(request('2001:db8:1:2::9', tile), false)).toEqual({
      groups: ['strangers', '2001:db8:1'],
      weight: 0.25,
    });
    expect(counted).toEqual(['stranger', 'stranger']);
  });

  it('of a reader are its own network’s, beside crawlers in the same', () => {
    const { shares, request, counted } = setup();
    shares.observe(request('198.51.100.7', '/iiif/3/a/info.json'));
    expect(shares.of(request('198.51.100.7', tile), false)).toEqual({ groups: ['reader 198.51.100'], weight: 1 });
    expect(shares.of(request('198.51.100.8', tile), false).groups).toEqual(['strangers', '198.51.100']);
    expect(counted).toEqual(['reader', 'stranger']);
  });

  it('of known callers, partners and search engines are their own', () => {
    const { shares, request } = setup();
    expect(shares.of(request('198.51.100.7', tile), true)).toEqual({ groups: [], weight: 1 });
    for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8:5:1::2'])
      expect(shares.of(request(address, tile), false).groups).toEqual(['partner Europe']);
    expect(shares.of(request('203.0.113.99', tile), false).groups).toEqual(['strangers', '203.0.113']);
    expect(shares.of(request('198.51.100.9', tile, 'Examplebot'), false).groups).toEqual(['search engine']);
  });
});

it.each([
  ['198.51.100.7', '198.51.100'],
  ['2001:db8:1:2', '2001:db8:1'],
  ['unknown', 'unknown'],
])('the network of %s is %s', (key, expected) => expect(networkOf(key)).toBe(expected));
