/** The order of renderings: random workloads on a virtual machine (survive.md, "Load and faults"). */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { ImageError } from '../../../../../src/core/image/model/errors.ts';
import { Scheduler } from '../../../../../src/core/render/schedule/scheduler.ts';
import type { ScheduleRules } from '../../../../../src/core/render/schedule/task.ts';
import { runsOf } from '../../../../sweep.ts';
import { type Fate, type Moment, type Order, simulate } from './simulation.ts';

const megabyte = 2 ** 20;

/** Two render processes; each task gets a core of its own, so that it takes as long as estimated. */
const rules: ScheduleRules = {
  slots: 6,
  smallSlots: 2,
  largeSlots: 2,
  maxBytes: 400 * megabyte,
  smallBytes: 64 * megabyte,
  cores: 6,
  limitedRoots: new Set(),
};

/** Two cores for six slots, as a real machine has. */
const shared: ScheduleRules = { ...rules, cores: 2 };

const small = fc.record({
  size: fc.constant('small' as const),
  ms: fc.integer({ min: 1, max: 250 }),
  bytes: fc.integer({ min: 0, max: 32 * megabyte }),
});
const large = fc.record({
  size: fc.constant('large' as const),
  ms: fc.integer({ min: 250, max: 5000 }),
  bytes: fc.integer({ min: 0, max: 336 * megabyte }),
});
const owners = fc.record({
  client: fc.constantFrom('a', 'b', 'c', 'd'),
  folder: fc.constantFrom('x', 'y', 'z'),
  root: fc.constantFrom('', '/one', '/two'),
});

/** Tasks of all kinds that come within some seconds: from an idle machine to ten times its capacity. */
const orders = (withinMs: number): fc.Arbitrary<readonly Order[]> =>
  fc
    .tuple(
      fc.integer({ min: 100, max: 20_000 }),
      fc.array(fc.tuple(fc.oneof(small, large), owners, fc.nat(1_000_000)), { maxLength: 40, size: 'max' }),
    )
    .map(([lengthMs, tasks]) =>
      tasks.map(([task, owner, at]): Order => ({ ...task, ...owner, atMs: (at / 1_000_000) * lengthMs, withinMs })),
    );

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function requireLimits({ running, waiting }: Moment, { slots, smallSlots, maxBytes }: ScheduleRules): void {
  const [smallOnes, largeOnes] = (['small', 'large'] as const).map((size) =>
    running.filter((each) => each.size === size),
  );
  expect(running.length).toBeLessThanOrEqual(slots);
  expect(largeOnes?.length).toBeLessThanOrEqual(slots - smallSlots);
  expect(sum(running.map(({ bytes }) => bytes))).toBeLessThanOrEqual(maxBytes);
  // A small task waits only where the small ones have their slots.
  if (waiting.some(({ size }) => size === 'small')) expect(smallOnes?.length).toBeGreaterThanOrEqual(smallSlots);
  // Something runs where something waits.
  if (waiting.length > 0) expect(running.length).toBeGreaterThan(0);
}

const isLate = ({ order, endedAtMs = Infinity }: Fate): boolean =>
  endedAtMs > order.atMs + (order.withinMs ?? Infinity) + 0.01;

describe('random workloads', { tags: 'sampled' }, () => {
  it('without deadlines are all done, within the limits of slots and memory', () =>
    fc.assert(
      fc.asyncProperty(
        orders(Infinity),
        fc.constantFrom(rules, shared, { ...shared, limitedRoots: new Set(['/one', '/two', '/hung', '/fine']) }),
        async (list, own) => {
          const { fates } = await simulate(
            list,
            own,
            (moment) => own.limitedRoots.size > 0 || requireLimits(moment, own),
          );
          expect(fates.map(({ outcome }) => outcome)).toEqual(list.map(() => 'done'));
        },
      ),
      { numRuns: runsOf(400) },
    ));

  it('with deadlines: all that are admitted are in time where estimates are right, and the others are told at once', () =>
    fc.assert(
      fc.asyncProperty(orders(15_000), async (list) => {
        const { fates, refusals } = await simulate(list, rules, (moment) => requireLimits(moment, rules));
        expect(fates.filter(isLate)).toEqual([]);
        expect(fates.filter(({ outcome }) => outcome !== 'done' && outcome !== 'refused')).toEqual([]);
        expect(refusals['too-late']).toBe(0);
        const refused = fates.filter(({ outcome }) => outcome === 'refused');
        for (const { retryAfterS } of refused) expect(retryAfterS).toBeGreaterThanOrEqual(1);
        const refusedLater = refused.filter(({ refusedOnArrival }) => !refusedOnArrival);
        expect(refusedLater.length).toBe(refusals.displaced);
      }),
      { numRuns: runsOf(1000), endOnFailure: true },
    ));

  it('whose estimates are wrong by a factor of four, on shared cores, keep the limits, and each task is answered', () =>
    fc.assert(
      fc.asyncProperty(orders(15_000), fc.double({ min: 0.25, max: 4, noNaN: true }), async (list, factor) => {
        const wrong = list.map((order) => ({ ...order, estimatedMs: order.ms * factor }));
        const { fates } = await simulate(wrong, shared, (moment) => requireLimits(moment, shared));
        expect(fates.filter(({ outcome }) => outcome === 'waiting' || outcome === 'running')).toEqual([]);
        const unanswered = fates.filter((fate) => fate.outcome !== 'done' && isLate(fate));
        expect(unanswered).toEqual([]);
      }),
      { numRuns: runsOf(300) },
    ));
});

const largeOf = (client: string, atMs: number, more: Partial<Order> = {}): Order => ({
  ...{ size: 'large', ms: 1000, bytes: megabyte, client, atMs },
  ...more,
});
const smallOf = (client: string, atMs: number, more: Partial<Order> = {}): Order => ({
  ...{ size: 'small', ms: 10, bytes: megabyte, client, atMs },
  ...more,
});

const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** How many of the others start after this one came and before it starts. */
function overtakenBy(fates: readonly Fate[], one: Fate | undefined): number {
  const { order, startedAtMs = Infinity } = one ?? { order: { atMs: 0 } };
  return fates.filter(
    (fate) =>
      fate !== one && (fate.startedAtMs ?? Infinity) > order.atMs && (fate.startedAtMs ?? Infinity) < startedAtMs,
  ).length;
}

describe('a client that sends one task while another has a hundred', () => {
  test.each([
    ['large', (client: string, atMs: number) => largeOf(client, atMs)],
    ['small', (client: string, atMs: number) => smallOf(client, atMs, { ms: 200 })],
  ] as const)('waits for those that run and at most one more (%s ones)', async (_, orderOf) => {
    const { fates } = await simulate([...times(100, () => orderOf('many', 0)), orderOf('one', 50)], rules);
    const one = fates.find(({ order }) => order.client === 'one');
    expect(one?.outcome).toBe('done');
    expect(overtakenBy(fates, one)).toBeLessThanOrEqual(1);
  });

  it('is not refused where the queue of the other takes all the time up to the deadline', async () => {
    const list = [
      ...times(100, () => largeOf('many', 0, { withinMs: 15_000 })),
      largeOf('one', 5000, { withinMs: 9000 }),
    ];
    const { fates, refusals } = await simulate(list, rules);
    const one = fates.find(({ order }) => order.client === 'one');
    expect(one).toMatchObject({ outcome: 'done' });
    expect(fates.filter(isLate)).toEqual([]);
    expect(refusals['long-wait']).toBeGreaterThan(30);
  });

  it('gets half of the time when it sends as many', async () => {
    const list = [...times(40, () => largeOf('first', 0)), ...times(40, () => largeOf('second', 1))];
    const { fates } = await simulate(list, rules);
    const firstHalf = fates.filter(({ startedAtMs = 0 }) => startedAtMs < 10_000);
    const ofSecond = firstHalf.filter(({ order }) => order.client === 'second').length;
    expect(Math.abs(ofSecond / firstHalf.length - 0.5)).toBeLessThan(0.1);
  });
});

describe('slots', () => {
  it('are all used by a single client, but those for small tasks', async () => {
    let most = 0;
    await simulate(
      times(20, () => largeOf('only', 0)),
      rules,
      ({ running }) => {
        most = Math.max(most, running.length);
      },
    );
    expect(most).toBe(4);
  });

  it('for small tasks are free at once, however many large ones wait', async () => {
    const list = [...times(100, () => largeOf('many', 0, { ms: 5000 })), smallOf('other', 10), smallOf('other', 20)];
    const { fates } = await simulate(list, rules);
    const waits = fates
      .filter(({ order }) => order.size === 'small')
      .map(({ order, startedAtMs = 0 }) => startedAtMs - order.atMs);
    expect(waits).toEqual([0, 0]);
  });

  it('are left to large tasks by an endless stream of small ones', async () => {
    const list = [...times(600, (index) => smallOf('stream', index * 5, { ms: 100 })), largeOf('other', 1000)];
    const { fates } = await simulate(list, rules, undefined, 5000);
    const { startedAtMs = Infinity } = fates.find(({ order }) => order.size === 'large') ?? {};
    expect(startedAtMs).toBeLessThan(1200);
  });

  it.each([
    ['folder', { folder: 'other' }],
    ['root', { root: '/other' }],
  ])('are not all taken by one %s while others wait, however many clients it has', async (_, owner) => {
    const flood = times(100, (index) => largeOf(`client ${index}`, 0, { folder: 'busy', root: '/busy' }));
    const { fates } = await simulate(
      [
        ...flood,
        ...times(3, (index) => largeOf('client 0', 10, { folder: 'busy', root: '/busy', ...owner, ms: 900 + index })),
      ],
      rules,
    );
    const others = fates.filter(({ order }) => order.atMs === 10);
    for (const { startedAtMs } of others) expect(startedAtMs).toBeLessThan(2100);
  });

  it('are never all taken by one root where there are several, so that a hung disk leaves one of each size', async () => {
    const hung = times(50, (index) => largeOf(`client ${index}`, 0, { root: '/hung', ms: 100_000 }));
    const hungSmall = times(50, (index) => smallOf(`client ${index}`, 0, { root: '/hung', ms: 100_000 }));
    const list = [
      ...hung,
      ...hungSmall,
      largeOf('other', 10, { root: '/fine' }),
      smallOf('other', 2000, { root: '/fine' }),
    ];
    const { fates } = await simulate(list, { ...rules, limitedRoots: new Set(['/one', '/two', '/hung', '/fine']) });
    const others = fates.filter(({ order }) => order.root === '/fine');
    expect(others.map(({ order, startedAtMs }) => (startedAtMs ?? Infinity) - order.atMs)).toEqual([0, 0]);
  });
});

describe('memory', () => {
  it('is waited for by a large task without others overtaking it for ever, and small ones go on', async () => {
    const stream = times(200, (index) => largeOf('stream', index * 200, { bytes: 150 * megabyte }));
    const tiles = times(200, (index) => smallOf('tiles', index * 200, { bytes: 30 * megabyte }));
    const huge = largeOf('other', 1000, { bytes: 336 * megabyte });
    const { fates } = await simulate([...stream, ...tiles, huge], rules, (moment) => requireLimits(moment, rules));
    expect(fates.find(({ order }) => order === huge)?.startedAtMs).toBeLessThan(3100);
    const waits = fates
      .filter(({ order }) => order.size === 'small')
      .map(({ order, startedAtMs = Infinity }) => startedAtMs - order.atMs);
    expect(Math.max(...waits)).toBeLessThan(100);
  });
});

describe('a task', () => {
  it('that can start at once is tried, whatever the estimate says', async () => {
    const { fates } = await simulate([largeOf('a', 0, { ms: 100, estimatedMs: 60_000, withinMs: 15_000 })], rules);
    expect(fates[0]?.outcome).toBe('done');
  });

  it('that can’t be met is refused at once, with the estimated wait', async () => {
    const list = [
      ...times(4, () => largeOf('a', 0, { ms: 5000, withinMs: 8000 })),
      largeOf('a', 100, { ms: 5000, withinMs: 8000 }),
    ];
    const { fates } = await simulate(list, rules);
    expect(fates.at(-1)).toMatchObject({ outcome: 'refused', endedAtMs: 100, retryAfterS: 5 });
  });

  it('whose client goes away frees its place', async () => {
    const list = [
      ...times(4, () => largeOf('a', 0, { ms: 5000 })),
      ...times(10, () => largeOf('a', 10, { leavesAfterMs: 100 })),
      largeOf('a', 20),
    ];
    const { fates } = await simulate(list, rules);
    expect(fates.filter(({ outcome }) => outcome === 'abandoned')).toHaveLength(10);
    expect(fates.at(-1)?.startedAtMs).toBe(5000);
  });

  it('beyond the number that may wait is refused, unless it can start', async () => {
    const list = [...times(10, () => largeOf('a', 0)), smallOf('a', 1)];
    const { fates, refusals } = await simulate(list, rules, undefined, 2);
    expect(refusals['queue-full']).toBe(4);
    expect(fates.at(-1)?.outcome).toBe('done');
  });
});

describe('where forecasts take too much time', () => {
  /** A scheduler whose clock advances by 5 ms whenever it is read. */
  function slowScheduler() {
    let nowMs = 0;
    const scheduler = new Scheduler({
      rules,
      maxWaiting: 1000,
      now: () => {
        nowMs += 5;
        return nowMs;
      },
    });
    const come = (client: string): Promise<string> => {
      const at = nowMs;
      const task = {
        ...largeOf(client, at, { ms: 500 }),
        folder: 'a',
        root: '',
        groups: [],
        weight: 1,
        arrivedAtMs: at,
      };
      const never = new Promise<never>(() => undefined);
      const run = scheduler.run(
        { ...task, deadlineAtMs: () => at + 15_000 },
        new AbortController().signal,
        () => never,
      );
      return run.then(
        () => 'done',
        (error: ImageError) => error.code,
      );
    };
    return { come, scheduler };
  }

  it('what can’t be met is still refused at once, and a client that requests one is not', async () => {
    const { come, scheduler } = slowScheduler();
    const codes: string[] = [];
    for (let index = 0; index < 400; index++) void come('many').then((code) => codes.push(code));
    await new Promise((resolve) => setImmediate(resolve));
    expect(codes.length).toBeGreaterThan(200);
    expect(new Set(codes)).toEqual(new Set(['overloaded']));
    const { waiting } = scheduler.load().large;
    void come('one');
    expect(scheduler.load().large.waiting).toBe(waiting + 1);
  });
});

it('learns from what tasks really take', async () => {
  const list = times(200, (index) => largeOf('a', index * 600, { ms: 3000, estimatedMs: 300, withinMs: 15_000 }));
  const { fates } = await simulate(list, { ...rules, cores: 4 });
  const late = fates.slice(100).filter((fate) => fate.outcome !== 'refused' && isLate(fate));
  expect(fates.filter(({ outcome }) => outcome === 'refused').length).toBeGreaterThan(0);
  expect(late).toEqual([]);
});
