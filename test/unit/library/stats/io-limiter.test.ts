import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IoLimiter } from '../../../../src/library/stats/io-limiter.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const never = (): Promise<never> => new Promise(() => undefined);
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const hour = 3_600_000;

/** Work that runs until it is ended, and is counted. */
class Work {
  running = 0;
  readonly #ends: (() => void)[] = [];

  readonly run = (): Promise<void> => {
    this.running++;
    return new Promise<void>((resolve) => this.#ends.push(resolve)).finally(() => this.running--);
  };

  async endOne(): Promise<void> {
    this.#ends.shift()?.();
    await settle();
  }
}

describe('the gates of several places', () => {
  it('let half of the threads work in one place, and the next one as soon as one has ended', async () => {
    const gates = new IoLimiter(['/a', '/b'], 8);
    const work = new Work();
    for (let count = 0; count < 10; count++) void gates.run(`/a/${count}`, work.run, hour);
    await settle();
    expect(work.running).toBe(4);
    await work.endOne();
    expect(work.running).toBe(4);
    expect(gates.load()[0]).toEqual({ directory: '/a', running: 4, waiting: 5, isHanging: false });
    for (let count = 0; count < 9; count++) await work.endOne();
    expect(gates.load()[0]).toEqual({ directory: '/a', running: 0, waiting: 0, isHanging: false });
  });

  it('leave threads to others, however many places hang', async () => {
    const gates = new IoLimiter(['/a', '/b', '/c', '/d'], 16);
    for (const place of ['/a', '/b', '/c']) {
      for (let count = 0; count < 100; count++) gates.run(`${place}/x`, never, hour).catch(() => undefined);
    }
    await settle();
    expect(gates.load().map(({ running }) => running)).toEqual([8, 4, 2, 0, 0]);
    expect(await gates.run('/d/x', async () => 'answer', hour)).toBe('answer');
    expect(await gates.run('/elsewhere', async () => 'answer', hour)).toBe('answer');
  });

  it('know the innermost place, by whole names', async () => {
    const gates = new IoLimiter(['/a', '/a/inner'], 8);
    for (const path of ['/a/inner/x', '/a/inner', '/a/inner2', '/ab', '/a']) {
      gates.run(path, never, hour).catch(() => undefined);
    }
    expect(gates.load().map(({ directory: place, running }) => [place, running])).toEqual([
      ['/a/inner', 2],
      ['/a', 2],
      [undefined, 1],
    ]);
  });

  it('let one work at a time where there is but one thread', async () => {
    const gates = new IoLimiter(['/a'], 1);
    expect(await Promise.all([1, 2, 3].map((n) => gates.run('/a', async () => n, hour)))).toEqual([1, 2, 3]);
  });

  it('refuse those who waited for 5 s, and at once all who come to a place that hangs', async () => {
    const gates = new IoLimiter(['/a'], 4);
    for (let count = 0; count < 2; count++) gates.run('/a', never, hour).catch(() => undefined);
    const waiting = gates.run('/a', never, hour);
    const outcome = waiting.catch((error: unknown) => error);
    vi.advanceTimersByTime(4999);
    expect(gates.load()[0]).toMatchObject({ waiting: 1, isHanging: false });
    vi.advanceTimersByTime(1);
    expect(await outcome).toMatchObject({ code: 'overloaded' });
    expect(gates.load()[0]).toMatchObject({ running: 2, waiting: 0, isHanging: true });
    await expect(gates.run('/a', never, hour)).rejects.toMatchObject({ code: 'overloaded' });
    expect(await gates.run('/b', async () => 'answer', hour)).toBe('answer');
  });

  it('work as before when a place answers again', async () => {
    const gates = new IoLimiter(['/a'], 4);
    const work = new Work();
    const running = [gates.run('/a', work.run, hour), gates.run('/a', work.run, hour)];
    vi.advanceTimersByTime(60_000);
    await expect(gates.run('/a', never, hour)).rejects.toMatchObject({ code: 'overloaded' });
    await work.endOne();
    await work.endOne();
    await Promise.all(running);
    expect(await gates.run('/a', async () => 'answer', hour)).toBe('answer');
  });

  it('tell who asked that there is no answer at the deadline, while the work keeps its room until it ends', async () => {
    const gates = new IoLimiter(['/a'], 4);
    const work = new Work();
    const outcome = gates.run('/a', work.run, 1000).catch((error: unknown) => error);
    vi.advanceTimersByTime(1000);
    expect(await outcome).toMatchObject({ code: 'overloaded', message: /does not answer/ });
    expect(gates.load()[0]?.running).toBe(1);
    await work.endOne();
    expect(gates.load()[0]?.running).toBe(0);
  });

  it('hand on the errors of the work', async () => {
    const gates = new IoLimiter([], 4);
    await expect(gates.run('/a', () => Promise.reject(new TypeError('x')), hour)).rejects.toThrow(TypeError);
    expect(gates.load()).toEqual([{ running: 0, waiting: 0, isHanging: false }]);
  });
});
