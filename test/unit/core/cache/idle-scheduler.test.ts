/** Background work is scheduled for when no foreground work is active. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IdleScheduler } from '../../../../src/core/cache/disk-cache-writer.ts';

describe('background work', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  async function hasBegun(begin: Promise<void>): Promise<boolean> {
    return Promise.race([begin.then(() => true), vi.advanceTimersByTimeAsync(0).then(() => false)]);
  }

  it('begins a short time after it is requested where no work is active', async () => {
    const begin = new IdleScheduler().whenIdle();
    expect(await hasBegun(begin)).toBe(false);
    await vi.advanceTimersByTimeAsync(100);
    expect(await hasBegun(begin)).toBe(true);
  });

  it('does not begin while any work is active, but a short time after the last of it', async () => {
    const idle = new IdleScheduler();
    const ends = [idle.startWork(), idle.startWork()];
    const begin = idle.whenIdle();
    for (const end of ends) {
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await hasBegun(begin)).toBe(false);
      end();
    }
    expect(await hasBegun(begin)).toBe(false);
    await vi.advanceTimersByTimeAsync(100);
    expect(await hasBegun(begin)).toBe(true);
  });

  it('is delayed by work that starts just before it', async () => {
    const idle = new IdleScheduler();
    const begin = idle.whenIdle();
    await vi.advanceTimersByTimeAsync(29);
    const end = idle.startWork();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await hasBegun(begin)).toBe(false);
    end();
    await vi.advanceTimersByTimeAsync(100);
    expect(await hasBegun(begin)).toBe(true);
  });

  it('can be resumed early', async () => {
    const idle = new IdleScheduler();
    idle.startWork();
    const all = [idle.whenIdle(), idle.whenIdle()];
    idle.resume();
    expect(await hasBegun(Promise.all(all).then(() => undefined))).toBe(true);
  });
});
