/** The ledger of bytes that wait to be sent: it never counts more or less than what is held, and forgets nobody who waits. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOutgoingBytes, type Share } from '../../../../src/core/answers/outgoing-bytes.ts';
import { ImageError } from '../../../../src/core/image/model/errors.ts';
import { runsOf } from '../../../sweep.ts';

const MiB = 2 ** 20;
const maxBytes = 64 * MiB;
const never = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'done',
    (error: unknown) => (error instanceof ImageError ? error.code : String(error)),
  );

describe('the ledger of outgoing bytes', () => {
  it('lets large responses wait for each other, while tiles and thumbnails go on', async () => {
    const ledger = createOutgoingBytes({ maxBytes });
    const shares = [await ledger.reserve(20 * MiB, never), await ledger.reserve(20 * MiB, never)];
    let granted: Share | undefined;
    void ledger.reserve(20 * MiB, never).then((share) => (granted = share));
    await settle();
    expect(granted).toBeUndefined();
    for (const bytes of [1000, 64 * 1024, 600_000]) shares.push(await ledger.reserve(bytes, never));
    expect(ledger.load().waiting).toBe(1);
    for (const share of shares) share.release();
    await settle();
    expect(granted).toBeDefined();
    granted?.release();
    expect(ledger.load()).toEqual({ bytes: 0, maxBytes, waiting: 0, refusals: 0 });
  });

  it('refuses after 5 seconds, and counts it', async () => {
    const ledger = createOutgoingBytes({ maxBytes });
    const shares = [await ledger.reserve(1e12, never), await ledger.reserve(1e12, never)];
    const third = codeOf(ledger.reserve(2 * MiB, never));
    await vi.advanceTimersByTimeAsync(5000);
    expect(await third).toBe('overloaded');
    expect(ledger.load()).toMatchObject({ waiting: 0, refusals: 1 });
    for (const share of shares) share.release();
    expect(ledger.load().bytes).toBe(0);
  });

  it('forgets who goes away', async () => {
    const ledger = createOutgoingBytes({ maxBytes });
    const shares = [await ledger.reserve(1e12, never), await ledger.reserve(1e12, never)];
    const controller = new AbortController();
    const third = codeOf(ledger.reserve(2 * MiB, controller.signal));
    controller.abort();
    expect(await third).toBe('abandoned');
    expect(ledger.load().waiting).toBe(0);
    for (const share of shares) share.release();
    expect(await codeOf(ledger.reserve(1, controller.signal))).toBe('abandoned');
    expect(ledger.load().bytes).toBe(0);
  });

  it('counts a buffer once, however many responses send it', () => {
    const ledger = createOutgoingBytes({ maxBytes });
    const buffer = Buffer.alloc(100_000);
    const shares = Array.from({ length: 1000 }, () => ledger.hold(buffer));
    expect(ledger.load().bytes).toBe(100_000);
    for (const [index, share] of shares.entries()) {
      expect(ledger.load().bytes).toBe(100_000);
      share.release();
      if (index < 999) share.release();
    }
    expect(ledger.load().bytes).toBe(0);
  });

  it('hands the reservation of what is made to those who send it, also where making fails', async () => {
    const ledger = createOutgoingBytes({ maxBytes });
    const bytes = await ledger.produce(10 * MiB, never, async () => {
      expect(ledger.load().bytes).toBe(10 * MiB);
      return Buffer.alloc(300_000);
    });
    const share = ledger.hold(bytes);
    await vi.advanceTimersByTimeAsync(1);
    expect(ledger.load().bytes).toBe(300_000);
    share.release();
    expect(ledger.load().bytes).toBe(0);
    await expect(ledger.produce(MiB, never, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(ledger.load().bytes).toBe(0);
  });
});

interface Request {
  readonly bytes: number;
  readonly controller: AbortController;
  state: 'waiting' | 'granted' | 'ended';
  share?: Share;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);

/** A ledger, and what its users know of it. */
class Users {
  readonly ledger = createOutgoingBytes({ maxBytes });
  readonly requests: Request[] = [];
  readonly holds: { buffer: Buffer; share: Share }[] = [];
  readonly #buffers = [10, 70_000, 900_000, 3 * MiB, 9 * MiB].map((length) => Buffer.alloc(length));

  in(state: Request['state']): readonly Request[] {
    return this.requests.filter((request) => request.state === state);
  }

  reserve(bytes: number): void {
    const request: Request = { bytes, state: 'waiting', controller: new AbortController() };
    this.requests.push(request);
    this.ledger.reserve(bytes, request.controller.signal).then(
      (share) => Object.assign(request, { share, state: 'granted' }),
      () => Object.assign(request, { state: 'ended' }),
    );
  }

  hold(chosen: number): void {
    const buffer = this.#buffers[chosen % this.#buffers.length] ?? Buffer.of();
    this.holds.push({ buffer, share: this.ledger.hold(buffer) });
  }

  releaseReserved(chosen: number): void {
    const granted = this.in('granted');
    const request = granted[chosen % Math.max(1, granted.length)];
    if (request === undefined) return;
    request.state = 'ended';
    for (let times = 0; times < 2; times++) request.share?.release();
  }

  releaseHeld(chosen: number): void {
    const [removed] = this.holds.splice(chosen % Math.max(1, this.holds.length), 1);
    for (let times = 0; times < 2; times++) removed?.share.release();
  }

  abort(chosen: number): void {
    this.requests[chosen % Math.max(1, this.requests.length)]?.controller.abort();
  }

  async pass(ms: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(ms % 6000);
  }

  expectRight(): void {
    const counted = this.in('granted').map(({ bytes }) => Math.min(bytes, (maxBytes * 3) / 8));
    const held = [...new Set(this.holds.map(({ buffer }) => buffer))].map(({ length }) => length);
    expect(this.ledger.load().bytes).toBe(sum(counted) + sum(held));
    expect(this.ledger.load().waiting).toBe(this.in('waiting').length);
    // Small responses never wait, so that only they can exceed the bound.
    expect(sum(counted.filter((bytes) => bytes > 64 * 1024))).toBeLessThanOrEqual(maxBytes);
  }

  /** Ends everything, which lets those go on that wait. */
  async end(): Promise<void> {
    while (this.holds.length > 0) this.releaseHeld(0);
    for (let granted = this.in('granted').length; granted > 0; granted = this.in('granted').length) {
      while (this.in('granted').length > 0) this.releaseReserved(0);
      await settle();
    }
  }
}

describe('the ledger after any sequence of operations', () => {
  it('counts what is held and reserved, and is empty at the end', { tags: 'sampled' }, async () => {
    const names = ['reserve', 'reserve', 'hold', 'releaseReserved', 'releaseHeld', 'abort', 'pass'] as const;
    const size = fc.oneof(fc.integer({ min: 1, max: 2 * MiB }), fc.integer({ min: 1, max: 40 * MiB }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom(...names), size), { maxLength: 60 }), async (operations) => {
        const users = new Users();
        for (const [name, value] of operations) {
          await users[name](value);
          await settle();
          users.expectRight();
        }
        await users.end();
        expect(users.in('waiting')).toEqual([]);
        expect(users.ledger.load()).toMatchObject({ bytes: 0, waiting: 0 });
      }),
      { numRuns: runsOf(500) },
    );
  });
});
