/** Groups of clients: a crowd of many gets no more than one reader beside it, and the networks inside of it share alike. */
import { describe, expect, it } from 'vitest';
import { compareTurns, FairTurns } from '../../../../../src/core/render/schedule/fair-turns.ts';
import type { ScheduleRules } from '../../../../../src/core/render/schedule/task.ts';
import { type Fate, type Order, simulate } from './simulation.ts';

const mebibyte = 2 ** 20;
const rules: ScheduleRules = {
  slots: 6,
  smallSlots: 2,
  largeSlots: 2,
  maxBytes: 100 * mebibyte,
  smallBytes: 10 * mebibyte,
  cores: 2,
  limitedRoots: new Set(),
};

const order = (client: string, atMs: number, more: Partial<Order> = {}): Order => ({
  ...{ client, atMs, size: 'small', ms: 100, bytes: mebibyte, withinMs: 4000 },
  ...more,
});

/** Each of many addresses asks once, in many networks, at a multiple of what the machine can do. */
const crowd = (seconds: number, times: number): readonly Order[] =>
  Array.from({ length: seconds * 20 * times }, (_, index) => {
    const network = `network ${index % 100}`;
    return order(`address ${index}`, (index * 50) / times, { groups: ['strangers', network], weight: 0.25 });
  });

/** A reader's view: half a dozen tiles at once, every two seconds. */
const views = (client: string, seconds: number): readonly Order[] =>
  Array.from({ length: seconds / 2 }, (_, view) =>
    Array.from({ length: 6 }, () => order(client, view * 2000 + 500)),
  ).flat();

const ofClient = (fates: readonly Fate[], client: string): readonly Fate[] =>
  fates.filter((fate) => fate.order.client === client);
const timeOf = ({ order: { atMs }, endedAtMs = Number.POSITIVE_INFINITY }: Fate): number => endedAtMs - atMs;
const percentile = (fates: readonly Fate[], part: number): number =>
  fates.map(timeOf).sort((a, b) => a - b)[Math.floor(fates.length * part)] ?? Number.NaN;
const sorted = (orders: readonly Order[]): readonly Order[] => orders.toSorted((one, other) => one.atMs - other.atMs);

describe('a crowd at four times the capacity', () => {
  it('makes readers wait less than twice as long as alone, and refuses them nothing', async () => {
    const readers = ['anna', 'ben', 'chris'].flatMap((client) => views(client, 4));
    const alone = await simulate(sorted(readers), rules);
    const beside = await simulate(sorted([...crowd(4, 4), ...readers]), rules);
    const ofReaders = ({ fates }: { readonly fates: readonly Fate[] }) =>
      fates.filter(({ order: { groups } }) => groups === undefined);
    expect(new Set(ofReaders(beside).map(({ outcome }) => outcome))).toEqual(new Set(['done']));
    expect(percentile(ofReaders(beside), 0.95)).toBeLessThan(2 * percentile(ofReaders(alone), 0.95));
    expect(percentile(ofReaders(beside), 0.5)).toBeLessThan(2 * percentile(ofReaders(alone), 0.5));
    const strangers = beside.fates.filter(({ order: { groups } }) => groups !== undefined);
    const done = strangers.filter(({ outcome }) => outcome === 'done').length;
    // What readers leave.
    expect(done).toBeGreaterThan(20);
    expect(done).toBeLessThan(strangers.length / 2);
  });

  it('without groups, makes the same readers wait much longer', async () => {
    const readers = views('anna', 4);
    const ungrouped = crowd(4, 4).map(({ groups: _, weight: __, ...one }) => one);
    const fates = ofClient((await simulate(sorted([...ungrouped, ...readers]), rules)).fates, 'anna');
    const grouped = ofClient((await simulate(sorted([...crowd(4, 4), ...readers]), rules)).fates, 'anna');
    const isLate = (fate: Fate): boolean => fate.outcome !== 'done' || timeOf(fate) > 1000;
    expect(grouped.filter(isLate).length * 2).toBeLessThan(fates.filter(isLate).length);
  });

  it('gets everything while nobody else is there', async () => {
    const { fates } = await simulate(crowd(5, 1), rules);
    expect(fates.every(({ outcome }) => outcome === 'done')).toBe(true);
  });

  it('beside a reader takes half of the cores at most, and starts nothing while a picture of the reader waits or all cores are taken', async () => {
    const isOfCrowd = ({ weight = 1 }: Order): boolean => weight < 1;
    let most = 0;
    let before: readonly Order[] = [];
    await simulate(sorted([...views('anna', 4), ...crowd(4, 4)]), rules, ({ running, waiting, nowMs }) => {
      const started = running.filter((each) => isOfCrowd(each) && !before.includes(each));
      before = running;
      if (nowMs < 1000) return;
      most = Math.max(most, running.filter(isOfCrowd).length);
      if (started.length === 0) return;
      expect(waiting.filter((each) => !isOfCrowd(each))).toEqual([]);
      expect(running.length).toBeLessThanOrEqual(rules.cores);
    });
    expect(most).toBe(1);
  });

  it('gets all slots again ten seconds after the last picture of anyone else', async () => {
    const most = new Map<boolean, number>();
    const reader = order('anna', 0);
    await simulate([reader, ...crowd(14, 4)], rules, ({ running, nowMs }) => {
      const isOver = nowMs > 11_000;
      if (nowMs < 1000 || (nowMs > 10_000 && !isOver)) return;
      most.set(isOver, Math.max(most.get(isOver) ?? 0, running.length));
    });
    expect(most.get(false)).toBe(1);
    expect(most.get(true)).toBe(rules.slots);
  });

  it('is told at once what it will not get beside readers, by what these left before', async () => {
    const readers = Array.from({ length: 400 }, (_, index) => order(`reader ${index % 20}`, index * 60));
    const { fates } = await simulate(sorted([...readers, ...crowd(24, 4)]), rules);
    const later = fates.filter(({ order: { weight, atMs } }) => weight !== undefined && atMs > 12_000);
    const refused = later.filter(({ outcome }) => outcome === 'refused');
    expect(later.filter(({ outcome }) => outcome === 'done').length).toBeGreaterThan(20);
    expect(refused.length).toBeGreaterThan(later.length / 2);
    expect(refused.filter(({ refusedOnArrival }) => refusedOnArrival).length).toBeGreaterThan(refused.length * 0.8);
    expect(refused.every(({ retryAfterS = 0 }) => retryAfterS > 0)).toBe(true);
  });
});

/** Each of 400 networks has a program that asks for tiles as viewers do, and never pauses: together four times the capacity. */
const programs = (seconds: number, groupsOf: (network: string) => Partial<Order>): readonly Order[] =>
  Array.from({ length: seconds * 80 }, (_, index) => {
    const network = `network ${(index * 7) % 400}`;
    return order(`program ${network}`, index * 12.5, groupsOf(network));
  });

describe('a swarm that asks as viewers do', () => {
  const names = Array.from({ length: 20 }, (_, index) => `reader ${index}`);
  /** Each looks at six tiles for some time; together they need less than half of the machine. */
  const readers = names.flatMap((client, index) =>
    Array.from({ length: 6 }, () => order(client, 500 + index * 650, { groups: [`of ${client}`] })),
  );
  const fatesOf = async (groupsOf: (network: string) => Partial<Order>): Promise<readonly Fate[]> => {
    const { fates } = await simulate(sorted([...programs(14, groupsOf), ...readers]), rules);
    return fates.filter(({ order: { client } }) => names.includes(client));
  };
  const isLate = (fate: Fate): boolean => fate.outcome !== 'done' || timeOf(fate) > 1500;

  it('pushes out readers where each of its networks counts as one', async () => {
    const fates = await fatesOf((network) => ({ groups: [`reader ${network}`] }));
    expect(fates.filter(isLate).length).toBeGreaterThan(readers.length / 3);
  });

  it('leaves them alone where those who never pause are one', async () => {
    const fates = await fatesOf((network) => ({ groups: ['readers without a pause', network], weight: 2 }));
    expect(new Set(fates.map(({ outcome }) => outcome))).toEqual(new Set(['done']));
    expect(fates.filter(isLate)).toEqual([]);
  });
});

it('shares among networks alike, however many addresses each has', async () => {
  const from = (network: string, addresses: number): readonly Order[] =>
    Array.from({ length: 200 }, (_, index) =>
      order(`${network} ${index % addresses}`, index * 20, { groups: ['strangers', network] }),
    );
  const { fates } = await simulate(sorted([...from('swarm', 200), ...from('one', 1)]), rules);
  const doneOf = (name: string) =>
    fates.filter(({ outcome, order: { groups = [] } }) => outcome === 'done' && groups.includes(name)).length;
  expect(Math.abs(doneOf('swarm') - doneOf('one'))).toBeLessThan(0.2 * doneOf('one'));
});

it('where no more can wait, those with the most tasks give way', async () => {
  const orders = [...crowd(1, 20).map((one) => ({ ...one, atMs: 0 })), order('anna', 1)];
  const { fates } = await simulate(orders, rules, undefined, 30);
  expect(ofClient(fates, 'anna')[0]?.outcome).toBe('done');
  // Of one group, none gives way to another of the same.
  const { refusals } = await simulate(
    crowd(1, 20).map((one) => ({ ...one, atMs: 0, withinMs: Infinity })),
    rules,
    undefined,
    30,
  );
  expect(refusals.displaced).toBe(0);
  expect(refusals['queue-full']).toBeGreaterThan(0);
});

describe('turns', () => {
  it('are compared inside of a group only for those that are in it', () => {
    const turns = new FairTurns();
    turns.start(['strangers', 'a', 'x'], 100);
    const [x, y, z] = [['strangers', 'a', 'x'], ['strangers', 'b', 'y'], ['anna']].map((shares) =>
      turns.turnOf(shares),
    );
    expect(compareTurns(x ?? [], y ?? [])).toBeGreaterThan(0);
    expect(compareTurns(z ?? [], y ?? [])).toBeLessThan(0);
    expect(compareTurns(x ?? [], x ?? [])).toBe(0);
    expect(compareTurns(turns.copy().turnOf(['anna']), z ?? [])).toBe(0);
  });
});
