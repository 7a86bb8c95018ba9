import type { IncomingMessage } from 'node:http';
import { describe, expect, it, test } from 'vitest';
import type { EndedRequest } from '../../../../src/core/http/ended-requests.ts';
import { ownersNetworkOf } from '../../../../src/core/http/origin.ts';
import { agentOf } from '../../../../src/features/duty/agents.ts';
import { createCosts } from '../../../../src/features/duty/costs.ts';
import { emptyTally, Tallies } from '../../../../src/features/duty/tallies.ts';

const tally = (ms: number) => ({ ...emptyTally(), requests: 1, ms });

function setup() {
  const clock = { nowMs: 0 };
  const refused: IncomingMessage[] = [];
  const callerOf = (request: IncomingMessage) => ({ network: request.socket.remoteAddress ?? '' });
  const costs = createCosts(
    callerOf,
    (request) => refused.push(request),
    () => clock.nowMs,
  );
  const record = (network: string, ended: Partial<EndedRequest> = {}, agent = 'curl/8.5.0') => {
    const request = { url: '/pdf/a.pdf?x=1', headers: { 'user-agent': agent }, socket: { remoteAddress: network } };
    costs.record({
      request: request as unknown as IncomingMessage,
      ...{
        kind: 'picture',
        status: 200,
        error: undefined,
        bytes: 1000,
        ms: 10,
        isBehind: false,
        image: () => undefined,
      },
      ...ended,
    });
  };
  const over = (seconds: 60 | 600 | 3600) => {
    const { sum, seconds: covered } = costs.over(seconds);
    return { sum, covered, networks: Object.fromEntries(sum.networks.top(100).map(([name, { ms }]) => [name, ms])) };
  };
  return { clock, refused, record, over };
}

describe('sums by name', () => {
  it('keep whoever has much of the whole among many who come once', () => {
    const tallies = new Tallies(64);
    for (let index = 0; index < 20_000; index++) {
      tallies.add(`one of many ${index}`, tally(1));
      if (index % 20 === 0) tallies.add('often', tally(1));
      if (index === 500) tallies.add('dear', tally(1500));
    }
    expect(tallies.size).toBeLessThanOrEqual(128);
    expect(tallies.top(2).map(([name, { ms }]) => [name, ms])).toEqual([
      ['dear', 1500],
      ['often', 1000],
    ]);
    const kept = tallies.top(1000).reduce((sum, [, { ms }]) => sum + ms, 0);
    expect(kept + tallies.others.ms).toBe(22_500);
  });

  it('are sorted by each measure', () => {
    const tallies = new Tallies(10);
    tallies.add('slow', tally(5));
    tallies.add('large', { ...tally(1), bytes: 9 });
    tallies.add('refused', { ...tally(0), refused: 1 });
    const first = (by: 'ms' | 'bytes' | 'refused') => tallies.top(1, by)[0]?.[0];
    expect([first('ms'), first('bytes'), first('refused')]).toEqual(['slow', 'large', 'refused']);
  });
});

describe('costs', () => {
  it('are of the last minute, ten minutes and hour', () => {
    const { clock, record, over } = setup();
    record('old');
    clock.nowMs = 120_000;
    record('later');
    expect(over(60).networks).toEqual({ later: 10 });
    expect(over(600).networks).toEqual({ old: 10, later: 10 });
    expect(over(3600).networks).toEqual({ old: 10, later: 10 });
    clock.nowMs = 900_000;
    expect([over(60).networks, over(600).networks]).toEqual([{}, {}]);
    expect(over(3600).networks).toEqual({ old: 10, later: 10 });
    clock.nowMs = 10 * 3_600_000;
    record('new');
    for (const seconds of [60, 600, 3600] as const) expect(over(seconds).networks).toEqual({ new: 10 });
  });

  it('say what time they are of, at most a sixth more than the window', () => {
    const { clock, over } = setup();
    clock.nowMs = 30_000;
    expect([over(60).covered, over(3600).covered]).toEqual([30, 30]);
    clock.nowMs = 100_000_000;
    for (const seconds of [60, 600, 3600] as const) {
      expect(over(seconds).covered).toBeGreaterThanOrEqual(seconds);
      expect(over(seconds).covered).toBeLessThanOrEqual((seconds * 7) / 6);
    }
  });

  it('are the same in every window, however they fall into slots', () => {
    const { clock, record, over } = setup();
    for (let second = 0; second < 3000; second += 7) {
      clock.nowMs = second * 1000;
      record('a');
    }
    const { sum, covered } = over(600);
    const inWindow = Array.from({ length: 429 }, (_, index) => index * 7).filter((second) => second >= 2996 - covered);
    expect(sum.total.requests).toBe(inWindow.length);
    expect(over(3600).sum.total.requests).toBe(429);
  });

  it('are summed up by network, program, kind, refusal and slow file', () => {
    const { record, refused, over } = setup();
    record('198.51.100.0/24', { ms: 80, image: () => 'book/p1.tif' });
    record('198.51.100.0/24', { ms: 70, image: () => 'book/p1.tif' }, 'python-requests/2.31');
    record('203.0.113.0/24', { ms: 60, kind: 'document' });
    record('203.0.113.0/24', { ms: 0.1, status: 429, error: 'over-budget' });
    record('203.0.113.0/24', { ms: 0.1, status: 503, error: 'being-read', kind: 'manifest' });
    const { sum } = over(60);
    const named = (tallies: Tallies) => tallies.top(9).map(([name, { requests, ms }]) => [name, requests, ms]);
    expect(named(sum.files)).toEqual([
      ['book/p1.tif', 2, 150],
      ['/pdf/a.pdf', 1, 60],
    ]);
    expect(named(sum.kinds).map(([name]) => name)).toEqual(['picture', 'document', 'manifest']);
    expect(named(sum.refusals)).toEqual([['over-budget picture', 1, 0.1]]);
    expect(named(sum.agents).map(([name]) => name)).toEqual(['curl 8.5', 'python-requests 2.31']);
    expect(sum.networks.top(2)).toMatchObject([
      ['198.51.100.0/24', { requests: 2, refused: 0, longestMs: 80, note: 'python-requests 2.31' }],
      ['203.0.113.0/24', { requests: 3, refused: 1 }],
    ]);
    expect(sum.total).toMatchObject({ requests: 5, bytes: 5000, refused: 1 });
    expect(refused).toHaveLength(1);
  });

  it('of a swarm take bounded memory, and name the one that takes most', () => {
    const { clock, record, over } = setup();
    for (let index = 0; index < 40_000; index++) {
      clock.nowMs = index * 60;
      record(
        `10.${(index >> 8) & 255}.${index & 255}.0/24`,
        { ms: 60, image: () => `page ${index}` },
        `bot-${index}/1`,
      );
      if (index % 10 === 0) record('198.51.100.0/24', { ms: 60 });
    }
    for (const seconds of [60, 600, 3600] as const) {
      const { sum } = over(seconds);
      expect(sum.networks.top(1)[0]?.[0]).toBe('198.51.100.0/24');
      for (const tallies of [sum.networks, sum.agents, sum.files]) expect(tallies.size).toBeLessThanOrEqual(512);
    }
  });
});

test.each([
  ['198.51.100.7', '198.51.100.0/24'],
  ['2001:db8:1:2', '2001:db8:1::/48'],
  ['unknown', 'unknown'],
])('the network of %s is %s', (key, expected) => expect(ownersNetworkOf(key)).toBe(expected));

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    'Chrome 131',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.2903.51',
    'Edge 131',
  ],
  ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox 132'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Safari 17',
  ],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    'GPTBot 1.2',
  ],
  ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'bingbot 2.0'],
  ['python-requests/2.31.0', 'python-requests 2.31'],
  ['anna.muster@library.example', '?'],
  ['  ', '?'],
  ['', '–'],
  [undefined, '–'],
])('%s is %s', (header, expected) => expect(agentOf(header)).toBe(expected));

test('a program has at most 60 characters, whatever its sender writes', () => {
  for (const header of ['a'.repeat(5000), `${'b'.repeat(300)}bot/1`, `bot/${'1'.repeat(400)}`])
    expect(agentOf(header).length).toBeLessThanOrEqual(60);
});
