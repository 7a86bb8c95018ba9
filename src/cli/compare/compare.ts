/** Runs `lectern compare`: replays the requests of a log, and reports what differs. */
import { closeSync, openSync, writeSync } from 'node:fs';
import {
  type CompareOptions,
  compareServers,
  formatLog,
  formatReport,
  type Logged,
  type Report,
  readLogs,
  reportAsData,
  SwitchError,
} from '@lectern/switch';
import { pino } from 'pino';
import { readSettings } from '../../app/settings/configuration.ts';
import { parseBase } from '../common/option-values.ts';
import { type Progress, startProgress } from '../common/progress.ts';
import { UsageError, withUsageErrors } from '../common/usage-error.ts';

export interface CompareFlags {
  readonly old: string;
  readonly log: readonly string[];
  /** The address of a running new server. */
  readonly new?: string;
  /** Or the folders, or the configuration file, of one that is started. */
  readonly folders?: readonly string[];
  readonly config?: string;
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

interface NewServer {
  readonly base: string;
  close(): Promise<void>;
}

/** Starts this server in the process, with the settings of the environment too, on a free port of the loopback address. Throws SettingsError. */
async function startServer({ folders, config }: CompareFlags): Promise<NewServer> {
  const library = folders === undefined ? {} : { folders: [...folders] };
  const settings = readSettings({ library, http: { host: '127.0.0.1', port: 0 } }, process.env, config);
  const { createApp } = await import('../../app/app.ts');
  const { server } = await createApp(settings, pino({ level: 'silent' }));
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  return { base: address + settings.http.contextPath, close: () => server.close() };
}

/** The new server, running. Throws UsageError or SettingsError. */
async function openNewServer(flags: CompareFlags): Promise<NewServer> {
  const isStarted = flags.folders !== undefined || flags.config !== undefined;
  if (flags.new !== undefined && isStarted) {
    throw new UsageError('give either --new, or --folders or --config of a server to start');
  }
  if (flags.new !== undefined) return { base: parseBase('--new', flags.new), close: async () => undefined };
  if (!isStarted)
    throw new UsageError('give the new server: its address by --new, or --folders or --config to start one');
  return startServer(flags);
}

/** Opens the file before the long work, so that a file that can't be written is reported at once. */
function openForWriting(file: string): number {
  try {
    return openSync(file, 'w');
  } catch {
    throw new UsageError(`--json ${file} can’t be written; see whether its folder exists and may be written`);
  }
}

async function readRequests(flags: CompareFlags, old: string): Promise<Logged> {
  const contextPath = (flags.logPath ?? new URL(old).pathname).replace(/\/+$/, '');
  const logged = await readLogs(flags.log, contextPath);
  for (const line of formatLog(logged.tally, logged.requests.length)) print(line);
  if (logged.requests.length > 0) return logged;
  const where = contextPath === '' ? '' : ` below ${contextPath}; --log-path says another path`;
  throw new UsageError(`the log holds no GET or HEAD requests${where}`);
}

/** Compares until the first Ctrl-C, with the progress on standard error; the second one ends the process. */
async function compareUntilStopped(
  logged: Logged,
  options: CompareOptions,
): Promise<{ readonly report: Report; readonly isStopped: boolean }> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  let progress: Progress | undefined;
  process.once('SIGINT', stop);
  const report = await compareServers(logged, {
    ...options,
    signal: controller.signal,
    onStart(addresses) {
      progress = startProgress(process.stderr, addresses);
    },
    onCompared: () => progress?.step(),
  });
  progress?.end();
  process.off('SIGINT', stop);
  return { report, isStopped: controller.signal.aborted };
}

async function compareWith(server: NewServer, flags: CompareFlags): Promise<number> {
  const { limit, seed, concurrency, tolerance } = flags;
  const bases = { old: parseBase('--old', flags.old), new: server.base };
  const file = flags.json === undefined ? undefined : openForWriting(flags.json);
  const logged = await readRequests(flags, bases.old);
  const options = { ...bases, limit, seed, concurrency, tolerance, timeoutMs: flags.timeout * 1000 };
  const { report, isStopped } = await compareUntilStopped(logged, options);
  if (isStopped) print(`\nStopped by Ctrl-C; this is what is known so far.`);
  print('');
  for (const line of formatReport(report, flags.examples)) print(line);
  if (file !== undefined) {
    writeSync(file, `${JSON.stringify(reportAsData(report, bases), undefined, 2)}\n`);
    closeSync(file);
  }
  if (isStopped) return interrupted;
  return report.byKind.different.addresses === 0 ? 0 : 1;
}

/** Compares, prints the report, and gives the exit code. */
export const compare = (flags: CompareFlags): Promise<number> =>
  withUsageErrors(async () => {
    parseBase('--old', flags.old);
    const server = await openNewServer(flags);
    try {
      return await compareWith(server, flags);
    } catch (error) {
      if (!(error instanceof SwitchError)) throw error;
      throw new UsageError(error.side === undefined ? error.message : `--${error.side} ${error.message}`);
    } finally {
      await server.close();
    }
  });
