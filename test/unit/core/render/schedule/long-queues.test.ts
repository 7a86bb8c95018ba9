/** Where hundreds wait: a decision about one more takes little time, and readers are not counted among the crowd. */
import { afterEach, expect, it, vi } from 'vitest';
import type { ImageError } from '../../../../../src/core/image/model/errors.ts';
import { admitRoughly } from '../../../../../src/core/render/schedule/admission.ts';
import { Scheduler } from '../../../../../src/core/render/schedule/scheduler.ts';
import type { ScheduleRules, Task } from '../../../../../src/core/render/schedule/task.ts';
import { TaskQueue } from '../../../../../src/core/render/schedule/task-queue.ts';

const rules: ScheduleRules = {
  slots: 6,
  smallSlots: 2,
  largeSlots: 2,
  maxBytes: 2 ** 30,
  smallBytes: 2 ** 26,
  cores: 2,
  limitedRoots: new Set(),
};

const deadlineMs = 15_000;

afterEach(() => vi.restoreAllMocks());

const taskOf = (client: string, groups: readonly string[], weight: number): Task => ({
  ...{ size: 'small', bytes: 1000, ms: 100, folder: 'a', root: '', arrivedAtMs: 0 },
  ...{ client, groups, weight, deadlineAtMs: () => deadlineMs },
});

/** A scheduler whose clock stands still, and whose tasks never end. */
function standing() {
  const scheduler = new Scheduler({ rules, maxWaiting: 1000, now: () => 0 });
  const refused: string[] = [];
  const come = (client: string, groups: readonly string[], weight: number): void => {
    const never = (): Promise<never> => new Promise(() => undefined);
    const task = taskOf(client, groups, weight);
    scheduler.run(task, new AbortController().signal, never).catch(({ code }: ImageError) => {
      refused.push(`${client}: ${code}`);
    });
  };
  const stranger = (index: number): void => come(`stranger ${index}`, ['strangers', `network ${index % 90}`], 0.25);
  /** All that can be done within the deadline, and more. */
  const crowd = (): void => {
    for (let index = 0; index < 400; index++) stranger(index);
  };
  return { scheduler, refused, come, stranger, crowd };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('a decision takes no forecast of hundreds, each of which would have to be compared with all others', () => {
  const { stranger, crowd } = standing();
  crowd();
  const copies = vi.spyOn(TaskQueue.prototype, 'copy');
  for (let index = 400; index < 450; index++) stranger(index);
  expect(copies).not.toHaveBeenCalled();
});

it('room is required of the crowd alone, and while readers are there', () => {
  const { scheduler, come, crowd } = standing();
  const one = taskOf('stranger', ['strangers'], 0.25);
  crowd();
  expect(() => scheduler.requireRoom(one)).not.toThrow();
  come('reader', ['reader network'], 1);
  expect(() => scheduler.requireRoom(one)).toThrow(expect.objectContaining({ code: 'overloaded' }));
  expect(() => scheduler.requireRoom(taskOf('other', ['other network'], 1))).not.toThrow();
});

it('the crowd is refused what would not be in time', async () => {
  const { refused, crowd } = standing();
  crowd();
  await settled();
  expect(refused.length).toBeGreaterThan(100);
});

const ofReader = (refused: readonly string[]): readonly string[] => refused.filter((one) => one.startsWith('reader'));

it('a reader who waits for some tiles is not refused the next ones because of the crowd', async () => {
  const { refused, come, crowd } = standing();
  crowd();
  for (let tile = 0; tile < 12; tile++) come('reader', ['reader network'], 1);
  await settled();
  expect(ofReader(refused)).toEqual([]);
});

it('a reader who asks for more than the deadline allows is refused the rest', async () => {
  const { refused, come, crowd } = standing();
  crowd();
  for (let tile = 0; tile < 400; tile++) come('reader', ['reader network'], 1);
  await settled();
  expect(ofReader(refused).length).toBeGreaterThan(100);
  expect(ofReader(refused).length).toBeLessThan(300);
});

it.each([
  ['a first tile', 0, 'admitted'],
  ['a tile beside others of the same reader', 20, 'admitted'],
  ['a tile after more than can be made in time', 300, 'refused'],
])('a rough decision admits a reader as far as its share of the time goes: %s', (_, before, kind) => {
  const queue = new TaskQueue(rules);
  for (let index = 0; index < 300; index++) queue.add(taskOf(`stranger ${index}`, ['strangers'], 0.25));
  for (let index = 0; index < before; index++) queue.add(taskOf('reader', ['reader network'], 1));
  const situation = { queue, running: [], msOf: ({ ms }: Task) => ms, nowMs: 0 };
  expect(admitRoughly(taskOf('reader', ['reader network'], 1), situation).kind).toBe(kind);
  expect(admitRoughly(taskOf('stranger', ['strangers'], 0.25), situation).kind).toBe('refused');
});

/** A scheduler whose clock is set, for tasks of the crowd that last as long as the test says. */
function crowded() {
  let nowMs = 0;
  const scheduler = new Scheduler({ rules, maxWaiting: 1000, now: () => nowMs });
  const { signal } = new AbortController();
  const at = (ms: number, weight: number): Task => ({
    ...(weight < 1 ? taskOf('stranger', ['strangers'], weight) : taskOf('reader', [], weight)),
    arrivedAtMs: ms,
    deadlineAtMs: () => ms + deadlineMs,
  });
  /** Runs one at a time in ms, for so long; resolves to whether it was run. */
  const run = (atMs: number, weight: number, lastsMs: number): Promise<boolean> => {
    nowMs = atMs;
    const work = async (): Promise<void> => {
      nowMs += lastsMs;
    };
    return scheduler.run(at(atMs, weight), signal, work).then(
      () => true,
      () => false,
    );
  };
  const setClock = (ms: number): void => {
    nowMs = ms;
  };
  return { scheduler, at, run, setClock, signal };
}

const reader = 1;
const stranger = 0.25;

it('one of the crowd is tried where none waits, however long the last one took beside readers', async () => {
  const { run } = crowded();
  await run(0, reader, 10);
  expect(await run(100, stranger, 60_000)).toBe(true);
  await run(61_000, reader, 10);
  expect(await run(61_100, stranger, 10)).toBe(true);
});

it('the crowd gets everything once the readers are gone, also where all that came meanwhile was refused', async () => {
  const { scheduler, run, at, setClock, signal } = crowded();
  await run(0, reader, 10);
  await run(100, stranger, 60_000);
  await run(61_000, reader, 10);
  setClock(61_100);
  // One that never ends, and one that waits: whoever comes beside readers is refused.
  for (let count = 0; count < 2; count++)
    void scheduler.run(at(61_100, stranger), signal, () => new Promise(() => undefined)).catch(() => undefined);
  expect(await run(62_000, stranger, 10)).toBe(false);
  expect(await run(75_000, stranger, 10)).toBe(true);
});

it('none of the crowd waits once all are taken from the queue, whatever the sum of their estimates has lost', () => {
  const queue = new TaskQueue(rules);
  const tasks = [0.1, 0.2].map((ms) => ({ ...taskOf('stranger', ['strangers'], stranger), ms }));
  for (const task of tasks) queue.add(task);
  expect(queue.crowdWaits).toBe(true);
  for (const task of tasks) queue.remove(task);
  queue.add(taskOf('reader', [], reader));
  expect([queue.crowdWaits, queue.crowdWaitingMs === 0]).toEqual([false, false]);
});

it('what yields with more weight does not wait for what has less, but for readers', () => {
  const queue = new TaskQueue({ ...rules, cores: 2 });
  const add = (client: string, weight: number): Task => {
    const task = taskOf(client, [client], weight);
    queue.add(task);
    return task;
  };
  const first = add('reader', reader);
  expect(queue.startNext()).toBe(first);
  queue.finish(first);
  const [one] = [add('strangers', stranger), add('strangers', stranger)];
  expect([queue.startNext(), queue.startNext()]).toEqual([one, undefined]);
  const document = add('partner', 0.5);
  const next = add('reader', reader);
  expect(queue.startNext()).toBe(next);
  expect(queue.startNext()).toBe(document);
  add('partner', 0.5);
  expect(queue.startNext()).toBeUndefined();
});

it('nobody yields to themselves: who reads one image is not alone with the crowd for another', () => {
  const queue = new TaskQueue(rules);
  const read = (client: string, arrivedAtMs: number) =>
    queue.add({ ...taskOf(client, ['reader network'], reader), arrivedAtMs });
  const yieldsAt = (client: string, arrivedAtMs: number): boolean =>
    queue.yields({ ...taskOf(client, ['strangers'], stranger), arrivedAtMs });
  expect(yieldsAt('anna', 0)).toBe(false);
  read('anna', 0);
  read('anna', 1000);
  expect([yieldsAt('anna', 2000), yieldsAt('otto', 2000)]).toEqual([false, true]);
  read('otto', 3000);
  expect([yieldsAt('anna', 4000), yieldsAt('otto', 4000), yieldsAt('otto', 12_000)]).toEqual([true, true, false]);
  // What arrived earlier is told later.
  read('anna', 2000);
  read('maria', 2500);
  expect([yieldsAt('otto', 12_000), yieldsAt('anna', 12_000), yieldsAt('maria', 14_000)]).toEqual([true, true, false]);
});

it('a reader takes no forecast because some of the crowd will hardly be in time', async () => {
  const { scheduler, at, setClock, signal } = crowded();
  const never = (): Promise<never> => new Promise(() => undefined);
  const come = (atMs: number, weight: number) =>
    void scheduler.run(at(atMs, weight), signal, never).catch(() => undefined);
  come(0, reader);
  for (let count = 0; count < 8; count++) come(0, stranger);
  expect(scheduler.load().small.waiting).toBeGreaterThan(4);
  setClock(deadlineMs - 100);
  const copies = vi.spyOn(TaskQueue.prototype, 'copy');
  for (let tile = 0; tile < 6; tile++) come(deadlineMs - 100, reader);
  expect(copies).not.toHaveBeenCalled();
});
