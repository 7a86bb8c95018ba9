/** The ledger of all bytes that wait in memory to be sent: what clients don't read must not fill it. */
import { ImageError } from '../image/model/errors.ts';

/** Bytes that are counted until they are released; to release them again has no effect. */
export interface Share {
  release(): void;
}

interface OutgoingLoad {
  readonly bytes: number;
  readonly maxBytes: number;
  /** Number of responses that wait for room. */
  readonly waiting: number;
  /** Number of responses since the start that got no room in time. */
  readonly refusals: number;
}

export interface OutgoingBytes {
  /**
   * Counts bytes that are going to be made or read, as soon as there is room for them. Throws ImageError `overloaded` where
   * there is none within 5 s, and `abandoned` when `signal` is aborted before.
   */
  reserve(bytes: number, signal: AbortSignal): Promise<Share>;
  /** Counts bytes that are in memory already. A buffer that several responses send counts once. */
  hold(buffer: Buffer): Share;
  /** Makes bytes within a reservation of the estimated number; those who await them can hold them in turn. */
  produce(estimatedBytes: number, signal: AbortSignal, make: () => Promise<Buffer>): Promise<Buffer>;
  load(): OutgoingLoad;
}

/** The bytes that the stream of a file and the socket that it is sent to have in memory: two chunks of 64 KiB. */
export const streamedBytes = 128 * 1024;

/** Responses up to this size, in bytes, such as tiles, are counted, but never wait: as many as there are connections have room. */
const smallBytes = 64 * 1024;

/** Responses above this size, in bytes, never take the last quarter of the room. */
const mediumBytes = 2 ** 20;

const defaultMaxWaitMs = 5000;

const noRoom = (): ImageError =>
  new ImageError('overloaded', 'The server is sending as much as it can hold; try again in a few seconds.');

const abandoned = (): ImageError => new ImageError('abandoned', 'The request was given up.');

interface Waiting {
  readonly bytes: number;
  /** Counts the bytes and resolves the promise. */
  readonly grant: () => void;
}

interface OutgoingRules {
  readonly maxBytes: number;
  readonly maxWaitMs?: number;
}

export function createOutgoingBytes({ maxBytes, maxWaitMs = defaultMaxWaitMs }: OutgoingRules): OutgoingBytes {
  const largeRoom = Math.floor((maxBytes * 3) / 4);
  /** What is larger counts as this much, so that it finds room at all. */
  const largest = Math.floor(largeRoom / 2);
  const waiting = new Set<Waiting>();
  const held = new WeakMap<Buffer, { users: number; readonly share: Share }>();
  const used = { large: 0, other: 0 };
  let refusals = 0;

  const sizeOf = (bytes: number): keyof typeof used => (bytes > mediumBytes ? 'large' : 'other');

  function fits(bytes: number): boolean {
    if (bytes <= smallBytes) return true;
    const all = used.large + used.other + bytes;
    if (sizeOf(bytes) === 'large') return all <= largeRoom;
    return all <= maxBytes || used.other + bytes <= maxBytes - largeRoom;
  }

  function take(bytes: number): Share {
    const size = sizeOf(bytes);
    used[size] += bytes;
    let isTaken = true;
    return {
      release() {
        if (!isTaken) return;
        isTaken = false;
        used[size] -= bytes;
        grantWaiting();
      },
    };
  }

  function grantWaiting(): void {
    for (const request of waiting) if (fits(request.bytes)) request.grant();
  }

  /** Nothing overtakes what has waited for as little room. */
  function mustWait(bytes: number): boolean {
    if (!fits(bytes)) return true;
    if (bytes > smallBytes) for (const request of waiting) if (request.bytes <= bytes) return true;
    return false;
  }

  function waitFor(bytes: number, signal: AbortSignal): Promise<Share> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(request);
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
      };
      const giveUp = (): void => {
        leave();
        reject(abandoned());
      };
      const timer = setTimeout(() => {
        leave();
        refusals++;
        reject(noRoom());
      }, maxWaitMs);
      const request: Waiting = {
        bytes,
        grant: () => {
          leave();
          resolve(take(bytes));
        },
      };
      waiting.add(request);
      signal.addEventListener('abort', giveUp);
    });
  }

  async function reserve(wanted: number, signal: AbortSignal): Promise<Share> {
    const bytes = Math.min(wanted, largest);
    if (signal.aborted) throw abandoned();
    return mustWait(bytes) ? waitFor(bytes, signal) : take(bytes);
  }

  function hold(buffer: Buffer): Share {
    const entry = held.get(buffer) ?? { users: 0, share: take(buffer.length) };
    held.set(buffer, entry);
    entry.users++;
    let isHeld = true;
    return {
      release() {
        if (!isHeld) return;
        isHeld = false;
        if (--entry.users > 0) return;
        held.delete(buffer);
        entry.share.release();
      },
    };
  }

  async function produce(estimatedBytes: number, signal: AbortSignal, make: () => Promise<Buffer>): Promise<Buffer> {
    const reserved = await reserve(estimatedBytes, signal);
    try {
      const buffer = await make();
      // Until all who await the bytes have run.
      setImmediate(hold(buffer).release);
      return buffer;
    } finally {
      reserved.release();
    }
  }

  return {
    reserve,
    hold,
    produce,
    load: () => ({ bytes: used.large + used.other, maxBytes, waiting: waiting.size, refusals }),
  };
}
