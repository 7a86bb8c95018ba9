import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dropWhenIdle } from '../../../../src/core/storage/drop-when-idle.ts';

describe('what a process caches', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is dropped when it was not used for a while, each time', () => {
    const drop = vi.fn();
    const noteUse = dropWhenIdle(drop, 100);
    noteUse();
    vi.advanceTimersByTime(90);
    noteUse();
    vi.advanceTimersByTime(90);
    expect(drop).not.toHaveBeenCalled();
    vi.advanceTimersByTime(20);
    expect(drop).toHaveBeenCalledTimes(1);
    noteUse();
    vi.advanceTimersByTime(110);
    expect(drop).toHaveBeenCalledTimes(2);
  });

  it('is not dropped before anything was cached', () => {
    const drop = vi.fn();
    dropWhenIdle(drop, 100);
    vi.advanceTimersByTime(1000);
    expect(drop).not.toHaveBeenCalled();
  });
});
