import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { trustProxies } from '../../../../src/core/http/origin.ts';
import type { WorkKind } from '../../../../src/core/http/request-context.ts';
import type { Standing } from '../../../../src/core/ports.ts';
import { createCallersOfShield } from '../../../../src/features/shield/asking.ts';
import { Budgets } from '../../../../src/features/shield/budgets.ts';
import { Holds } from '../../../../src/features/shield/holds.ts';
import { createPayments } from '../../../../src/features/shield/payments.ts';
import { ReadingPatterns } from '../../../../src/features/shield/reading-patterns.ts';
import { createShares } from '../../../../src/features/shield/shares.ts';
import { shieldSettings } from '../../../../src/features/shield/shield-settings.ts';
import type { Systems } from '../../../../src/features/shield/systems.ts';

const shield = shieldSettings.shield.parse({
  partners: [{ name: 'Europe', addresses: ['203.0.113.0/26', '2001:db8:5::/48'] }],
});
const tile = '/iiif/3/a/0,0,512,512/512,512/0/default.jpg';

function setup(systems?: Systems) {
  const counted: Standing[] = [];
  const clock = { nowMs: 0 };
  const patterns = new ReadingPatterns('!', () => clock.nowMs);
  const engines = { has: (_address: string, agent = '') => agent.includes('Examplebot') };
  const callers = createCallersOfShield({
    shield,
    trusted: trustProxies([]),
    patterns,
    engines,
    systems: () => systems,
  });
  const holds = new Holds();
  const budgets = new Budgets({ rules: shield.budgets, cores: 2, busy: () => 0, now: () => 0 });
  const payments = createPayments({ budgets, holds });
  const needed: number[] = [];
  const made = createShares({
    ...{ callers, patterns, payments },
    count: (standing) => counted.push(standing),
    noteNeed: (ms) => needed.push(ms),
  });
  const shares = {
    ...made,
    of: (request: IncomingMessage, isKnown: boolean, work: WorkKind = 'picture') => made.of(request, isKnown, work),
  };
  const request = (address: string, url: string, agent = 'Firefox') =>
    ({
      ...{ url, headers: { 'user-agent': agent }, socket: { remoteAddress: address } },
      arrivalMs: clock.nowMs,
    }) as unknown as IncomingMessage;
  return { counted, shares, request, holds, callers, needed, budgets, clock };
}

describe('shares', () => {
  it('of strangers are one, by networks', () => {
    const { shares, request, counted } = setup();
    expect(shares.of(request('198.51.100.7', tile), false)).toMatchObject({
      groups: ['strangers', '198.51.100.0/24'],
      weight: 0.25,
    });
    expect(shares.of(request('2001:db8:1:2::9', tile), false)).toMatchObject({
      groups: ['strangers', '2001:db8:1::/48'],
      weight: 0.25,
    });
    expect(counted).toEqual(['stranger', 'stranger']);
  });

  it('of a reader are its own network’s, beside crawlers in the same', () => {
    const { shares, request, counted } = setup();
    shares.observe(request('198.51.100.7', '/iiif/3/a/info.json'));
    const ofReader = () => shares.of(request('198.51.100.7', tile), false);
    for (const _ of ['first', 'second'])
      expect(ofReader()).toMatchObject({ groups: ['new readers', '198.51.100.0/24'], weight: 2 });
    expect(ofReader()).toMatchObject({ groups: ['reader 198.51.100.0/24'], weight: 1 });
    expect(shares.of(request('198.51.100.8', tile), false).groups).toEqual(['strangers', '198.51.100.0/24']);
    expect(counted).toEqual(['reader', 'reader', 'reader', 'stranger']);
  });

  it('of known callers, partners and search engines are their own', () => {
    const { shares, request } = setup();
    expect(shares.of(request('198.51.100.7', tile), true)).toMatchObject({ groups: [], weight: 1 });
    for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8:5:1::2'])
      expect(shares.of(request(address, tile), false).groups).toEqual(['partner Europe']);
    expect(shares.of(request('203.0.113.99', tile), false).groups).toEqual(['strangers', '203.0.113.0/24']);
    expect(shares.of(request('198.51.100.9', tile, 'Examplebot'), false).groups).toEqual(['search engine']);
  });

  it('have the autonomous system above the network, where it is known', () => {
    const { shares, request } = setup({ of: (address) => (address === '198.51.100.7' ? 'AS64500' : undefined) });
    expect(shares.of(request('198.51.100.7', tile), false).groups).toEqual(['strangers', 'AS64500', '198.51.100.0/24']);
    expect(shares.of(request('::ffff:198.51.100.7', tile), false).groups?.[1]).toBe('AS64500');
    expect(shares.of(request('198.51.100.8', tile), false).groups).toEqual(['strangers', '198.51.100.0/24']);
  });

  it('of readers who never pause are one, until they do', () => {
    const { shares, request, clock } = setup();
    const ask = () => shares.of(request('198.51.100.7', tile), false);
    shares.observe(request('198.51.100.7', '/iiif/3/a/info.json'));
    for (; clock.nowMs < 60_000; clock.nowMs += 1000) ask();
    expect(ask()).toMatchObject({ groups: ['readers without a pause', '198.51.100.0/24'], weight: 2 });
    clock.nowMs += 60_000;
    expect(ask().groups).toEqual(['reader 198.51.100.0/24']);
  });

  it('of documents of strangers are their own, and no pictures that are counted', () => {
    const { shares, request, counted } = setup();
    expect(shares.of(request('198.51.100.7', '/pdf/a.pdf'), false, 'document')).toMatchObject({
      groups: ['documents of strangers', '198.51.100.0/24'],
      weight: 0.25,
    });
    expect(counted).toEqual([]);
  });

  it('tell how much time others than strangers need', () => {
    const { shares, request, needed } = setup();
    shares.of(request('198.51.100.7', tile), false).onRendered?.({ queueMs: 9, renderMs: 1 });
    shares.of(request('198.51.100.7', tile), true).onRendered?.({ queueMs: 9, renderMs: 2 });
    shares.observe(request('198.51.100.7', '/iiif/3/a/info.json'));
    shares.of(request('198.51.100.7', tile), false).onRendered?.({ queueMs: 9, renderMs: 3 });
    expect(needed).toEqual([2, 3]);
  });

  it('take pyramids from budgets, but not those of known callers', () => {
    const { shares, request, budgets } = setup();
    expect(shares.of(request('198.51.100.7', tile), true).paysPyramid).toBeUndefined();
    const { paysPyramid } = shares.of(request('198.51.100.7', tile), false);
    expect([paysPyramid?.(600_000), paysPyramid?.(1)]).toEqual([true, false]);
    expect(budgets.state()).toContainEqual(
      expect.objectContaining({ name: 'processor of caller', left: 0, refused: 1, binds: true }),
    );
  });

  it('of a network that is held say so, but for known callers', async () => {
    const { shares, request, holds } = setup();
    await holds.hold('198.51.100.0/24', Date.now() + 60_000);
    shares.observe(request('198.51.100.7', '/iiif/3/a/info.json'));
    for (const address of ['198.51.100.7', '198.51.100.8'])
      expect(shares.of(request(address, tile), false).refusal).toMatchObject({
        code: 'over-budget',
        retryAfterS: expect.any(Number),
      });
    expect(shares.of(request('198.51.100.7', tile), true).refusal).toBeUndefined();
    expect(shares.of(request('198.51.101.7', tile), false).refusal).toBeUndefined();
  });
});

it('A caller is a reader for everything once it has shown the pattern', () => {
  const { shares, request, callers } = setup();
  shares.observe(request('198.51.100.7', '/iiif/3/a/info.json'));
  const standing = () => callers.of(request('198.51.100.7', '/pdf/a.pdf'), false).standing;
  for (let count = 0; count < 3; count++) {
    expect(standing()).toBe('stranger');
    shares.of(request('198.51.100.7', tile), false);
  }
  expect(standing()).toBe('reader');
});
