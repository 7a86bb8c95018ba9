/** What nobody waits for is done when nothing is made. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IdleScheduler } from '../../../src/cache/idle-scheduler.ts';

describe('a lull', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  async function hasCome(next: Promise<void>): Promise<boolean> {
    return Promise.race([next.then(() => true), vi.advanceTimersByTimeAsync(0).then(() => false)]);
  }

  it('comes a moment after it is waited for, where nothing is made', async () => {
    const next = new IdleScheduler().next();
    expect(await hasCome(next)).toBe(false);
    await vi.advanceTimersByTimeAsync(100);
    expect(await hasCome(next)).toBe(true);
  });

  it('does not come while anything is made, but a moment after the last of it', async () => {
    const lull = new IdleScheduler();
    const ends = [lull.begin(), lull.begin()];
    const next = lull.next();
    for (const end of ends) {
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await hasCome(next)).toBe(false);
      end();
    }
    expect(await hasCome(next)).toBe(false);
    await vi.advanceTimersByTimeAsync(100);
    expect(await hasCome(next)).toBe(true);
  });

  it('is put off by what begins just before it', async () => {
    const lull = new IdleScheduler();
    const next = lull.next();
    await vi.advanceTimersByTimeAsync(29);
    const end = lull.begin();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await hasCome(next)).toBe(false);
    end();
    await vi.advanceTimersByTimeAsync(100);
    expect(await hasCome(next)).toBe(true);
  });

  it('can be ended early for all who wait', async () => {
    const lull = new IdleScheduler();
    lull.begin();
    const all = [lull.next(), lull.next()];
    lull.end();
    expect(await hasCome(Promise.all(all).then(() => undefined))).toBe(true);
  });
});
