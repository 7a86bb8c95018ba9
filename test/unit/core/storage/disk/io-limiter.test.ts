import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IoLimiter } from '../../../../../src/core/storage/disk/io-limiter.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const never = (): Promise<never> => new Promise(() => undefined);
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const hour = 3_600_000;

/** Counts operations, which run until they are ended. */
class Operations {
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

describe('the limiter', () => {
  it('gives one directory half of the threads, and starts the next operation as soon as one has ended', async () => {
    const limiter = new IoLimiter(['/a', '/b'], { threads: 8 });
    const operations = new Operations();
    for (let count = 0; count < 10; count++) void limiter.run(`/a/${count}`, operations.run, hour);
    await settle();
    expect(operations.running).toBe(4);
    await operations.endOne();
    expect(operations.running).toBe(4);
    expect(limiter.load()[0]).toEqual({ directory: '/a', running: 4, waiting: 5, isHanging: false });
    for (let count = 0; count < 9; count++) await operations.endOne();
    expect(limiter.load()[0]).toEqual({ directory: '/a', running: 0, waiting: 0, isHanging: false });
  });

  it('leaves threads to other directories, however many hang', async () => {
    const limiter = new IoLimiter(['/a', '/b', '/c', '/d'], { threads: 16 });
    for (const directory of ['/a', '/b', '/c']) {
      for (let count = 0; count < 100; count++) limiter.run(`${directory}/x`, never, hour).catch(() => undefined);
    }
    await settle();
    expect(limiter.load().map(({ running }) => running)).toEqual([8, 4, 2, 0, 0]);
    expect(await limiter.run('/d/x', async () => 'answer', hour)).toBe('answer');
    expect(await limiter.run('/elsewhere', async () => 'answer', hour)).toBe('answer');
  });

  it('counts an operation for the innermost directory, comparing whole names', async () => {
    const limiter = new IoLimiter(['/a', '/a/inner'], { threads: 8 });
    for (const path of ['/a/inner/x', '/a/inner', '/a/inner2', '/ab', '/a']) {
      limiter.run(path, never, hour).catch(() => undefined);
    }
    expect(limiter.load().map(({ directory, running }) => [directory, running])).toEqual([
      ['/a/inner', 2],
      ['/a', 2],
      [undefined, 1],
    ]);
  });

  it('runs one operation at a time where there is only one thread', async () => {
    const limiter = new IoLimiter(['/a'], { threads: 1 });
    expect(await Promise.all([1, 2, 3].map((n) => limiter.run('/a', async () => n, hour)))).toEqual([1, 2, 3]);
  });

  it('refuses operations that waited for 5 s, and at once all operations of a directory that hangs', async () => {
    const limiter = new IoLimiter(['/a'], { threads: 4 });
    for (let count = 0; count < 2; count++) limiter.run('/a', never, hour).catch(() => undefined);
    const waiting = limiter.run('/a', never, hour);
    const outcome = waiting.catch((error: unknown) => error);
    vi.advanceTimersByTime(4999);
    expect(limiter.load()[0]).toMatchObject({ waiting: 1, isHanging: false });
    vi.advanceTimersByTime(1);
    expect(await outcome).toMatchObject({ code: 'disk-late' });
    expect(limiter.load()[0]).toMatchObject({ running: 2, waiting: 0, isHanging: true });
    await expect(limiter.run('/a', never, hour)).rejects.toMatchObject({ code: 'disk-late' });
    expect(await limiter.run('/b', async () => 'answer', hour)).toBe('answer');
  });

  it('works again when a directory answers again', async () => {
    const limiter = new IoLimiter(['/a'], { threads: 4 });
    const operations = new Operations();
    const running = [limiter.run('/a', operations.run, hour), limiter.run('/a', operations.run, hour)];
    vi.advanceTimersByTime(60_000);
    await expect(limiter.run('/a', never, hour)).rejects.toMatchObject({ code: 'disk-late' });
    await operations.endOne();
    await operations.endOne();
    await Promise.all(running);
    expect(await limiter.run('/a', async () => 'answer', hour)).toBe('answer');
  });

  it('rejects at the deadline, while the operation occupies capacity until it ends', async () => {
    const limiter = new IoLimiter(['/a'], { threads: 4 });
    const operations = new Operations();
    const outcome = limiter.run('/a', operations.run, 1000).catch((error: unknown) => error);
    vi.advanceTimersByTime(1000);
    expect(await outcome).toMatchObject({ code: 'disk-late', message: /does not answer/ });
    expect(limiter.load()[0]?.running).toBe(1);
    await operations.endOne();
    expect(limiter.load()[0]?.running).toBe(0);
  });

  it('passes on the errors of operations', async () => {
    const limiter = new IoLimiter([], { threads: 4 });
    await expect(limiter.run('/a', () => Promise.reject(new TypeError('x')), hour)).rejects.toThrow(TypeError);
    expect(limiter.load()).toEqual([{ running: 0, waiting: 0, isHanging: false }]);
  });
});

describe('reads', () => {
  it('are at most eight of a directory, whatever threads there are; stats go on beside them', async () => {
    const limiter = new IoLimiter(['/a'], { threads: 64 });
    const [reads, stats] = [new Operations(), new Operations()];
    for (let count = 0; count < 20; count++) void limiter.run(`/a/${count}`, reads.run, hour);
    for (let count = 0; count < 30; count++) void limiter.run(`/a/${count}`, stats.run, hour, 'stat');
    await settle();
    expect([reads.running, stats.running]).toEqual([8, 24]);
    await stats.endOne();
    expect([reads.running, stats.running]).toEqual([8, 24]);
    await reads.endOne();
    expect([reads.running, stats.running]).toEqual([8, 24]);
  });

  it('that hang are told apart from stats, which have their answers', async () => {
    const limiter = new IoLimiter(['/a'], { threads: 64 });
    for (let count = 0; count < 8; count++) limiter.run(`/a/${count}`, never, hour).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(5000);
    await expect(limiter.run('/a/9', never, hour)).rejects.toThrow('The disk that holds this');
    expect(await limiter.run('/a/9', async () => 'facts', hour, 'stat')).toBe('facts');
    expect(limiter.load()[0]).toMatchObject({ running: 8, isHanging: true });
  });
});
