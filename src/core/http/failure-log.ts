/**
 * The log of responses that failed, and of other events that can repeat thousands of times: the first of each kind at once,
 * with its reason, and its repeats as a count at intervals.
 */

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

/** Repeats of a failure are counted this long before the count is logged, in ms. */
const defaultIntervalMs = 5 * 60_000;

/** Failures of the whole server, which are one failure whatever the image is. */
const isOfServer = ({ code }: Failure): boolean =>
  code === 'overloaded' || code === 'disk-late' || code === 'no-space' || code === 'abandoned';

const reasonOf = ({ cause, message }: Failure): string => (cause instanceof Error ? cause.message : message);

/** Failures of the object store, which logs by itself what it was. */
const isOfStore = ({ code }: Failure): boolean =>
  code === 'store-failed' || code === 'store-busy' || code === 'store-late';

function keyOf(failure: Failure): string {
  if (isOfStore(failure)) return 'store';
  // Its sentence says how far it is.
  if (failure.code === 'being-read') return `${failure.code} ${failure.address}`;
  return isOfServer(failure)
    ? `${failure.code} ${failure.message}`
    : `${failure.code} ${failure.image ?? reasonOf(failure)}`;
}

const levelOf = ({ status }: Pick<Failure, 'status'>): 'error' | 'warn' => (status === 500 ? 'error' : 'warn');

/** The log; `intervalMs` is the time between the counts of one failure. */
export function createFailureLog(
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>,
  intervalMs = defaultIntervalMs,
): FailureLog {
  const repeats = createRepeatLog<Failure>({ logFirst, logRepeats, intervalMs });

  function logFirst({ message, cause, ...facts }: Failure): void {
    log[levelOf(facts)]({ ...facts, ...(cause !== undefined && { err: cause }) }, message);
  }

  function logRepeats({ status, code, address, image, message }: Failure, count: number): void {
    const named = image === undefined ? { address } : { image };
    log[levelOf({ status })]({ status, code, ...named, repeats: count }, `again: ${message}`);
  }

  return {
    report: (failure) => repeats.report(keyOf(failure), failure),
    close: () => repeats.close(),
  };
}

interface RepeatLog<Event> {
  /** Events with the same key are of one kind. */
  report(key: string, event: Event): void;
  /** Logs the counts that were not logged yet, and stops. */
  close(): void;
}

interface RepeatLogOptions<Event> {
  readonly logFirst: (event: Event) => void;
  /** Called with the first event of its kind, and how often it was repeated since the last call. */
  readonly logRepeats: (first: Event, repeats: number) => void;
  /** Repeats are counted this long before the count is logged, in ms. */
  readonly intervalMs: number;
}

interface Repeated<Event> {
  readonly first: Event;
  count: number;
}

/** Maximum number of kinds whose repeats are counted; the one that repeats least recently gives way. */
const maxKinds = 1000;

export function createRepeatLog<Event>({
  logFirst,
  logRepeats,
  intervalMs,
}: RepeatLogOptions<Event>): RepeatLog<Event> {
  let timer: NodeJS.Timeout | undefined;
  const known = new LRUCache<string, Repeated<Event>>({ max: maxKinds, dispose: (repeated) => logCount(repeated) });

  function logCount({ first, count }: Repeated<Event>): void {
    if (count > 0) logRepeats(first, count);
  }

  /** An event that did not repeat in the whole interval is forgotten, and logged in full when it happens again. */
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
    report(key, event) {
      const repeated = known.get(key);
      if (repeated !== undefined) {
        repeated.count++;
        return;
      }
      known.set(key, { first: event, count: 0 });
      logFirst(event);
      if (timer === undefined) startInterval();
    },
    close() {
      clearTimeout(timer);
      known.clear();
    },
  };
}

/** Logs warnings, with the message of an error behind them; those of the same words are counted for a minute. */
export interface FaultLog {
  report(message: string, error?: unknown): void;
  close(): void;
}

const faultIntervalMs = 60_000;

export function createFaultLog(log: Pick<FastifyBaseLogger, 'warn'>): FaultLog {
  const repeats = createRepeatLog<string>({
    logFirst: (text) => log.warn(text),
    logRepeats: (text, count) => log.warn({ repeats: count }, `again: ${text}`),
    intervalMs: faultIntervalMs,
  });
  return {
    report(message, error) {
      const reason = error instanceof Error ? error.message : String(error);
      repeats.report(message, error === undefined ? message : `${message}: ${reason}`);
    },
    close: () => repeats.close(),
  };
}
