/** The log of responses that failed: each with its reason at once, and its repeats as a count at intervals. */
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { ImageErrorCode } from '../image/model/errors.ts';

/** A response of 500 or more, or one whose cause an operator can mend, such as a damaged file. */
export interface Failure {
  readonly status: number;
  readonly code: ImageErrorCode;
  readonly message: string;
  /** For the log alone: it may name paths of the host. */
  readonly cause?: unknown;
  /** Without tokens. */
  readonly address: string;
  readonly requestId: string;
  /** The image's path in the library, where the request names one. */
  readonly image?: string;
}

export interface FailureLog {
  report(failure: Failure): void;
  /** Writes the counts that were not logged yet, and stops. */
  close(): void;
}

interface Repeated {
  readonly first: Failure;
  count: number;
}

/** Repeats of a failure are counted this long before the count is logged, in ms. */
const defaultIntervalMs = 5 * 60_000;

/** Maximum number of failures whose repeats are counted; the one that repeats least recently gives way. */
const maxFailures = 1000;

/** Failures of the whole server, which are one failure whatever the image is. */
const isOfServer = ({ code }: Failure): boolean => code === 'overloaded' || code === 'abandoned';

const reasonOf = ({ cause, message }: Failure): string => (cause instanceof Error ? cause.message : message);

const keyOf = (failure: Failure): string =>
  isOfServer(failure) ? `${failure.code} ${failure.message}` : `${failure.code} ${failure.image ?? reasonOf(failure)}`;

const levelOf = ({ status }: Failure): 'error' | 'warn' => (status === 500 ? 'error' : 'warn');

/** The log; `intervalMs` is the time between the counts of one failure. */
export function createFailureLog(
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>,
  intervalMs = defaultIntervalMs,
): FailureLog {
  let timer: NodeJS.Timeout | undefined;
  const known = new LRUCache<string, Repeated>({ max: maxFailures, dispose: (repeated) => logCount(repeated) });

  function logFirst({ message, cause, ...facts }: Failure): void {
    log[levelOf({ message, ...facts })]({ ...facts, ...(cause !== undefined && { err: cause }) }, message);
  }

  function logCount({ first: { address, requestId: _, cause: __, message, ...facts }, count }: Repeated): void {
    if (count === 0) return;
    const { status, code, image } = facts;
    const named = image === undefined ? { address } : { image };
    log[levelOf({ ...facts, address, message, requestId: '' })](
      { status, code, ...named, repeats: count },
      `again: ${message}`,
    );
  }

  /** A failure that did not repeat in the whole interval is forgotten, and logged in full when it happens again. */
  function endInterval(): void {
    for (const [key, repeated] of [...known]) {
      if (repeated.count === 0) known.delete(key);
      else {
        logCount(repeated);
        repeated.count = 0;
      }
    }
    timer = undefined;
    if (known.size > 0) startInterval();
  }

  function startInterval(): void {
    timer = setTimeout(endInterval, intervalMs).unref();
  }

  return {
    report(failure) {
      const key = keyOf(failure);
      const repeated = known.get(key);
      if (repeated !== undefined) {
        repeated.count++;
        return;
      }
      known.set(key, { first: failure, count: 0 });
      logFirst(failure);
      if (timer === undefined) startInterval();
    },
    close() {
      clearTimeout(timer);
      known.clear();
    },
  };
}
