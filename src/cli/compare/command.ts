/** The command `lectern compare`: replays a site's real requests against its digilib and this server. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { decimal, numberFrom } from '../common/numbers.ts';
import { startProgress } from '../common/progress.ts';
import { UsageError, withUsageErrors } from '../common/usage-error.ts';
import { fetchAnswer } from './fetch-answer.ts';
import { type Comparison, replay } from './replay.ts';
import { formatLog, formatReport, type Report, reportAsData, reportOf } from './report.ts';
import { choose, type Logged, readLogs } from './requests.ts';
import { type NewServer, type NewServerOptions, openNewServer, parseBase } from './servers.ts';

interface Flags extends NewServerOptions {
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

async function readRequests(flags: Flags): Promise<Logged> {
  const contextPath = (flags.logPath ?? new URL(parseBase('--old', flags.old)).pathname).replace(/\/+$/, '');
  const logged = await readLogs(flags.log, contextPath);
  for (const line of formatLog(logged.tally, logged.requests.length)) print(line);
  if (logged.requests.length > 0) return logged;
  const where = contextPath === '' ? '' : ` below ${contextPath}; --log-path says another path`;
  throw new UsageError(`the log holds no GET or HEAD requests${where}`);
}

/** Compares all chosen requests, or fewer if the signal is aborted. */
async function compareAll(logged: Logged, flags: Flags, server: NewServer, signal: AbortSignal): Promise<Report> {
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

async function compareWith(server: NewServer, flags: Flags): Promise<number> {
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

const compare = (flags: Flags): Promise<number> =>
  withUsageErrors(async () => {
    parseBase('--old', flags.old);
    const server = await openNewServer(flags);
    try {
      return await compareWith(server, flags);
    } finally {
      await server.close();
    }
  });

function parseLogPath(text: string): string {
  if (/^\/[^\s?#]*$/.test(text)) return text;
  throw new InvalidArgumentError('It must look like /digilib, or / for the root.');
}

const help = `
The log is an access log of Apache, nginx or Tomcat, also compressed by gzip, or a list of addresses, one a line.
Only GET and HEAD are replayed; equal requests are asked once and count as often as they were made. Of more addresses
than --limit, half are the most frequent ones and half are drawn from the others by --seed. Login tokens (id_token) are
neither sent nor shown.

  lectern compare --old http://localhost:8080/digilib --new http://localhost:8090/digilib --log access.log
  zcat access.log.*.gz | lectern compare --old http://localhost:8080/digilib --folders /scans/hires /scans/scaled --log -

Exit code: 0 where nothing differs but what does on purpose, 1 where something does, 2 for wrong use, 130 after Ctrl-C.`;

export function addCompareCommand(lectern: Command): void {
  // Options of the same names that follow the command's name belong to the command.
  lectern.enablePositionalOptions();
  lectern
    .command('compare')
    .description('Replays the requests of an access log against digilib and this server, and says what differs.')
    .requiredOption('--old <url>', 'base address of digilib, such as http://localhost:8080/digilib')
    .requiredOption('--log <files...>', 'access logs; - is standard input')
    .option('--new <url>', 'base address of a running Lectern')
    .option('--folders <folders...>', 'base directories of a Lectern that is started for the comparison')
    .option('--config <file>', 'JSON file with settings for that Lectern')
    .option('--log-path <path>', 'context path in the log (default: that of --old)', parseLogPath)
    .option('--limit <number>', 'most addresses that are asked', numberFrom(1, 1_000_000), 1000)
    .option('--seed <number>', 'begin of the sample of rarer addresses', numberFrom(0, 4_294_967_295), 1)
    .option('--concurrency <number>', 'requests at once', numberFrom(1, 64), 2)
    .option('--timeout <seconds>', 'longest wait for an answer', numberFrom(0.1, 3600, decimal), 60)
    .option('--tolerance <number>', 'how far colors may be apart, of 255', numberFrom(0, 255, decimal), 6)
    .option('--examples <number>', 'addresses that are shown of each cause', numberFrom(0, 1000), 3)
    .option('--json <file>', 'write every comparison to a file')
    .addHelpText('after', help)
    .action(async (flags: Flags) => {
      process.exitCode = await compare(flags);
    });
}
