/** The log of responses that failed: each with its reason at once, and its repeats as a count at intervals. */
import type { FastifyBaseLogger } from 'fastify';
import type { ImageErrorCode } from '../image/model/errors.ts';
import { createRepeatLog } from './repeat-log.ts';

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
const isOfServer = ({ code }: Failure): boolean => code === 'overloaded' || code === 'abandoned';

const reasonOf = ({ cause, message }: Failure): string => (cause instanceof Error ? cause.message : message);

const keyOf = (failure: Failure): string =>
  isOfServer(failure) ? `${failure.code} ${failure.message}` : `${failure.code} ${failure.image ?? reasonOf(failure)}`;

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
