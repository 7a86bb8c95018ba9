import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { waitForStore, withoutStoreTime, withStoreTime } from '../../../../src/core/storage/store-time.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** An operation of this many ms on the false clock. */
const operation = (ms: number): Promise<string> => new Promise((resolve) => setTimeout(resolve, ms, 'done'));

/** The work of a request, whose answer has begun where this says so. */
const inRequest = <T>(work: () => Promise<T>, hasBegun = (): boolean => false): Promise<T> =>
  new Promise((resolve, reject) => withStoreTime(() => void work().then(resolve, reject), hasBegun));

/** How work ends and after how many ms, up to a minute. */
async function ending(work: Promise<unknown>): Promise<readonly [how: unknown, ms: number]> {
  const startMs = performance.now();
  const ended = work.then(
    () => ['done', performance.now() - startMs] as const,
    (error: { code?: string }) => [error.code, performance.now() - startMs] as const,
  );
  await vi.advanceTimersByTimeAsync(60_000);
  return ended;
}

async function inTurn(count: number, ms: number): Promise<void> {
  for (let done = 0; done < count; done++) await waitForStore(operation(ms));
}

/** Work of parts that take 900 ms each, as a request waits for it; after them it goes on without any for this many ms. */
async function awaitParts(count: number, stalledMs = 0): Promise<void> {
  let lastMs = Number.NEGATIVE_INFINITY;
  const parts = async (): Promise<void> => {
    for (let part = 0; part < count; part++) {
      await operation(900);
      lastMs = performance.now();
    }
    if (stalledMs > 0) await operation(stalledMs);
  };
  await waitForStore(parts(), () => lastMs);
}

it('bounds all operations of a request together', async () => {
  expect(await ending(inRequest(() => inTurn(3, 1300)))).toEqual(['done', 3900]);
  const [how, ms] = await ending(inRequest(() => inTurn(4, 1900)));
  expect(how).toBe('store-late');
  expect(ms).toBeGreaterThanOrEqual(4000);
  expect(ms).toBeLessThan(4100);
});

it('counts operations at the same time once, and no time between operations', async () => {
  const work = async (): Promise<void> => {
    await Promise.all([1, 2, 3].map(() => waitForStore(operation(2900))));
    await operation(10_000);
    await waitForStore(operation(1000));
  };
  expect(await ending(inRequest(work))).toEqual(['done', 13_900]);
});

it('awaits work of many parts while they arrive, and 1 s longer', async () => {
  const startMs = performance.now();
  expect(await ending(inRequest(() => awaitParts(20)))).toEqual(['done', 18_000]);
  expect(performance.now() - startMs).toBe(60_000);
  const [how, ms] = await ending(inRequest(() => awaitParts(6, 50_000)));
  expect([how, Math.round(ms / 100)]).toEqual(['store-late', 64]);
});

it('leaves two seconds for what follows work of many parts', async () => {
  const list = async (ms: number, count = 10): Promise<void> => {
    await awaitParts(count);
    await waitForStore(operation(ms));
  };
  expect(await ending(inRequest(() => list(1900)))).toEqual(['done', 10_900]);
  const [how, ms] = await ending(inRequest(() => list(5000)));
  expect([how, Math.round(ms / 100)]).toEqual(['store-late', 110]);
  // It was done within the time, of which hardly anything was left.
  expect(await ending(inRequest(() => list(1900, 4)))).toEqual(['done', 5500]);
  expect(await ending(inRequest(() => list(1900, 2)))).toEqual(['done', 3700]);
  expect((await ending(inRequest(() => list(2300, 2))))[0]).toBe('store-late');
});

it('awaits what runs beside work of many parts, also where it began late or outlasts it', async () => {
  const beside = async (fromMs: number, ms: number): Promise<void> => {
    const late = operation(fromMs).then(() => waitForStore(operation(ms)));
    await Promise.all([awaitParts(10), late]);
  };
  expect(await ending(inRequest(() => beside(5000, 1000)))).toEqual(['done', 9000]);
  expect(await ending(inRequest(() => beside(8900, 1900)))).toEqual(['done', 10_800]);
  const [how, ms] = await ending(inRequest(() => beside(5000, 50_000)));
  expect([how, Math.round(ms / 100)]).toEqual(['store-late', 110]);
});

it('bounds each operation by itself once the answer is being sent, such as a long original', async () => {
  expect(
    await ending(
      inRequest(
        () => inTurn(10, 1900),
        () => true,
      ),
    ),
  ).toEqual(['done', 19_000]);
  const startMs = performance.now();
  const hasBegun = (): boolean => performance.now() - startMs > 3000;
  const stalled = async (): Promise<void> => {
    await inTurn(3, 1900);
    await waitForStore(operation(50_000));
  };
  const [how, ms] = await ending(inRequest(stalled, hasBegun));
  expect([how, Math.round(ms / 100)]).toEqual(['store-late', 97]);
});

it('bounds nothing outside of requests', async () => {
  expect(await ending(inTurn(4, 1900))).toEqual(['done', 7600]);
  expect(await ending(inRequest(() => withoutStoreTime(() => inTurn(4, 1900))))).toEqual(['done', 7600]);
});
