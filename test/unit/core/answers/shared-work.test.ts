import { describe, expect, it } from 'vitest';
import { type BodyOptions, createSharedWorks, type SharedWork } from '../../../../src/core/answers/shared-work.ts';

/** Work that ends when the test says so, and rejects when it is aborted. */
function controlledWork() {
  const seen: SharedWork[] = [];
  let finish: (value: string) => void = () => undefined;
  const result = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const work = (shared: SharedWork): Promise<string> => {
    seen.push(shared);
    return result;
  };
  return { work, seen, finish: (value: string) => finish(value) };
}

const within = (ms: number, signal = new AbortController().signal): BodyOptions => ({
  signal,
  deadlineAtMs: performance.now() + ms,
  client: 'a',
});

const codeOf = (result: Promise<string>): Promise<string> =>
  result.catch((error: { readonly code: string }) => error.code);

describe('work that requests share', () => {
  it('that has not started at the deadline is aborted, and its request refused', async () => {
    const { work, seen } = controlledWork();
    expect(await codeOf(createSharedWorks().run('a', within(20), work))).toBe('overloaded');
    expect(seen[0]?.signal.aborted).toBe(true);
  });

  it('that has started goes on when no request waits any longer', async () => {
    const { work, seen } = controlledWork();
    const result = createSharedWorks().run('a', within(20), work);
    seen[0]?.start();
    expect(await codeOf(result)).toBe('too-slow');
    expect(seen[0]?.signal.aborted).toBe(false);
  });

  it('has the latest of the deadlines, and each request its own', async () => {
    const works = createSharedWorks();
    const { work, seen, finish } = controlledWork();
    const early = works.run('a', within(20), work);
    const late = within(60_000);
    const result = works.run('a', late, work);
    expect(seen[0]?.deadlineAtMs()).toBe(late.deadlineAtMs);
    expect(await codeOf(early)).toBe('overloaded');
    expect(seen[0]?.signal.aborted).toBe(false);
    finish('done');
    expect(await result).toBe('done');
  });

  it('lasts longer for a request that comes while it goes on for none', async () => {
    const works = createSharedWorks();
    const { work, seen, finish } = controlledWork();
    const early = works.run('a', within(20), work);
    seen[0]?.start();
    expect(await codeOf(early)).toBe('too-slow');
    const late = within(60_000);
    const result = works.run('a', late, work);
    expect(seen[0]?.deadlineAtMs()).toBe(late.deadlineAtMs);
    finish('done');
    expect(await result).toBe('done');
  });

  it('without a deadline ends when it is done', async () => {
    const { work, finish } = controlledWork();
    const result = createSharedWorks().run('a', within(Number.POSITIVE_INFINITY), work);
    finish('done');
    expect(await result).toBe('done');
  });

  it('of clients that have gone is aborted', async () => {
    const works = createSharedWorks();
    const { work, seen } = controlledWork();
    const controllers = [new AbortController(), new AbortController()];
    for (const { signal } of controllers) void works.run('a', within(60_000, signal), work).catch(() => undefined);
    controllers[0]?.abort();
    expect(seen[0]?.signal.aborted).toBe(false);
    controllers[1]?.abort();
    expect(seen[0]?.signal.aborted).toBe(true);
  });
});
