/** Replays the requests of access logs against two servers with digilib's APIs, and says what differs. */
import { fetchAnswer } from './answer.ts';
import { choose, type Logged, SwitchError } from './log.ts';
import { type Comparison, replay } from './replay.ts';
import { type Report, reportOf } from './report.ts';

export { causes } from './causes.ts';
export { type Logged, readLogs, SwitchError } from './log.ts';
export type { Comparison } from './replay.ts';
export { formatLog, formatReport, type Report, reportAsData } from './report.ts';

export interface CompareOptions {
  /** The base address of each server, such as `http://localhost:8080/digilib`, without a slash at its end. */
  readonly old: string;
  readonly new: string;
  /** Of more addresses, half are the most frequent ones and half are drawn from the others; 1000 by default. */
  readonly limit?: number;
  /** The begin of that draw, a whole number; 1 by default. */
  readonly seed?: number;
  /** Requests at once; 2 by default. */
  readonly concurrency?: number;
  /** The longest wait for an answer; 60,000 by default. */
  readonly timeoutMs?: number;
  /** How far colors may be apart, of 255; 6 by default. */
  readonly tolerance?: number;
  /** Ends the comparison: the report has what was compared until then. */
  readonly signal?: AbortSignal;
  /** Called with the number of addresses before the first is requested, and after each comparison. */
  readonly onStart?: (addresses: number) => void;
  readonly onCompared?: (comparison: Comparison) => void;
}

/** Throws SwitchError if the server does not answer at all: then every comparison would fail. */
async function requireAnswer(side: 'old' | 'new', base: string, timeoutMs: number): Promise<void> {
  const outcome = await fetchAnswer('GET', `${base}/`, { timeoutMs, signal: new AbortController().signal });
  if (outcome.kind === 'failure') throw new SwitchError(`${base} does not answer: ${outcome.reason}`, side);
}

/** Compares the answers of both servers to what was logged, each address once. Throws SwitchError where one of them does not answer. */
export async function compareServers(logged: Logged, options: CompareOptions): Promise<Report> {
  const { limit = 1000, seed = 1, concurrency = 2, timeoutMs = 60_000, tolerance = 6 } = options;
  const { signal = new AbortController().signal, onStart, onCompared } = options;
  await requireAnswer('old', options.old, timeoutMs);
  await requireAnswer('new', options.new, timeoutMs);
  const chosen = choose(logged.requests, limit, seed);
  const comparisons: Comparison[] = [];
  onStart?.(chosen.length);
  await replay(chosen, {
    bases: { old: options.old, new: options.new },
    tolerance,
    timeoutMs,
    concurrency,
    signal,
    onCompared(comparison) {
      comparisons.push(comparison);
      onCompared?.(comparison);
    },
  });
  return reportOf({ log: logged.tally, addressesInLog: logged.requests.length, chosen: chosen.length, comparisons });
}
