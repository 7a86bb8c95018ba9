/** Runs `lectern compare`: replays the requests of a log, and reports what differs. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { parseBase } from '../common/base-address.ts';
import { startProgress } from '../common/progress.ts';
import { UsageError, withUsageErrors } from '../common/usage-error.ts';
import { fetchAnswer } from './fetch-answer.ts';
import { type Comparison, replay } from './replay.ts';
import { formatLog, formatReport, type Report, reportAsData, reportOf } from './report.ts';
import { choose, type Logged, readLogs } from './requests.ts';
import { type NewServer, type NewServerOptions, openNewServer } from './servers.ts';

export interface CompareFlags extends NewServerOptions {
  readonly old: string;
  readonly log: readonly string[];
  readonly logPath?: string;
  readonly limit: number;
  readonly seed: number;
  readonly concurrency: number;
  readonly timeout: number;
  readonly tolerance: number;
  readonly examples: number;
  readonly json?: string;
}

/** The exit code after Ctrl-C, as shells have it. */
const interrupted = 130;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Throws UsageError if the server does not answer at all: then every comparison would fail. */
async function requireAnswer(option: string, base: string, timeoutMs: number): Promise<void> {
  const outcome = await fetchAnswer('GET', `${base}/`, { timeoutMs, signal: new AbortController().signal });
  if (outcome.kind === 'failure') throw new UsageError(`${option} ${base} does not answer: ${outcome.reason}`);
}

/** Opens the file before the long work, so that a file that can't be written is reported at once. */
function openForWriting(file: string): number {
  try {
    return openSync(file, 'w');
  } catch {
    throw new UsageError(`--json ${file} can’t be written; see whether its folder exists and may be written`);
  }
}

/** A signal that the first Ctrl-C aborts; the second one ends the process. */
function onInterrupt(): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  process.once('SIGINT', abort);
  return { signal: controller.signal, release: () => process.off('SIGINT', abort) };
}

async function readRequests(flags: CompareFlags): Promise<Logged> {
  const contextPath = (flags.logPath ?? new URL(parseBase('--old', flags.old)).pathname).replace(/\/+$/, '');
  const logged = await readLogs(flags.log, contextPath);
  for (const line of formatLog(logged.tally, logged.requests.length)) print(line);
  if (logged.requests.length > 0) return logged;
  const where = contextPath === '' ? '' : ` below ${contextPath}; --log-path says another path`;
  throw new UsageError(`the log holds no GET or HEAD requests${where}`);
}

/** Compares all chosen requests, or fewer if the signal is aborted. */
async function compareAll(
  logged: Logged,
  flags: CompareFlags,
  server: NewServer,
  signal: AbortSignal,
): Promise<Report> {
  const chosen = choose(logged.requests, flags.limit, flags.seed);
  const comparisons: Comparison[] = [];
  const progress = startProgress(process.stderr, chosen.length);
  await replay(chosen, {
    bases: { old: parseBase('--old', flags.old), new: server.base },
    tolerance: flags.tolerance,
    timeoutMs: flags.timeout * 1000,
    concurrency: flags.concurrency,
    signal,
    onCompared(comparison) {
      comparisons.push(comparison);
      progress.step();
    },
  });
  progress.end();
  return reportOf({
    log: logged.tally,
    addressesInLog: logged.requests.length,
    chosen: chosen.length,
    comparisons,
  });
}

async function compareWith(server: NewServer, flags: CompareFlags): Promise<number> {
  const old = parseBase('--old', flags.old);
  const file = flags.json === undefined ? undefined : openForWriting(flags.json);
  const logged = await readRequests(flags);
  await requireAnswer('--old', old, flags.timeout * 1000);
  await requireAnswer('--new', server.base, flags.timeout * 1000);
  const { signal, release } = onInterrupt();
  const report = await compareAll(logged, flags, server, signal);
  release();
  if (signal.aborted) print(`\nStopped by Ctrl-C; this is what is known so far.`);
  print('');
  for (const line of formatReport(report, flags.examples)) print(line);
  if (file !== undefined) {
    writeSync(file, `${JSON.stringify(reportAsData(report, { old, new: server.base }), undefined, 2)}\n`);
    closeSync(file);
  }
  if (signal.aborted) return interrupted;
  return report.byKind.different.addresses === 0 ? 0 : 1;
}

/** Compares, prints the report, and gives the exit code. */
export const compare = (flags: CompareFlags): Promise<number> =>
  withUsageErrors(async () => {
    parseBase('--old', flags.old);
    const server = await openNewServer(flags);
    try {
      return await compareWith(server, flags);
    } finally {
      await server.close();
    }
  });
