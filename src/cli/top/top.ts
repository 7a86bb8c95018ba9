/** Runs `lectern top`: asks a running server who costs what, once or again and again, and holds or releases a network. */
import { isJsonObject, parseJsonObject } from '../../core/parsing/parse.ts';
import type { DutyReport } from '../../features/duty/report.ts';
import { ifAnswered, NoAnswer, type Probe, probeWithin } from '../check/probe.ts';
import { configurationOf } from '../common/command-configuration.ts';
import { originOnThisMachine, parseBase } from '../common/option-values.ts';
import { printable } from '../common/text.ts';
import { UsageError, withUsageErrors } from '../common/usage-error.ts';
import { linesOf } from './top-table.ts';

export interface TopFlags {
  readonly over: keyof typeof windows;
  readonly sort: keyof typeof sorts;
  readonly once?: true;
  readonly json?: true;
  readonly hold?: string;
  readonly release?: string;
  readonly config?: string;
  readonly digilibConfig?: string;
}

/** What windows and orders are called on the command line, and in addresses. */
export const windows = { minute: 60, ten: 600, hour: 3600 } as const;
export const sorts = { time: 'ms', requests: 'requests', sent: 'bytes', refused: 'refused' } as const;

const intervalMs = 2000;
const timeoutMs = 10_000;

/** Rows of each table where there is no terminal. */
const mostRows = 20;

/** The server that the settings would start, on this machine. */
async function ownBase(flags: TopFlags): Promise<string> {
  const { http } = (await configurationOf([], flags)).settings;
  if (http.port === 0) throw new UsageError('the settings name no port of a server; give the address as an argument');
  return originOnThisMachine(http.host, http.port) + http.contextPath;
}

/** A server that answers, but not what was asked for. */
class NotShown extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotShown';
  }
}

const refusedText =
  'the server shows this to requests from its own machine, or with rules of access to those with the role admin, such as by access.addresses; or the feature duty is left out';

async function reportFrom(base: string, { over, sort }: TopFlags, probe: Probe): Promise<DutyReport> {
  const { status, body } = await probe(`${base}/admin/costs.json?over=${windows[over]}&by=${sorts[sort]}`);
  if (status === 404) throw new NotShown(refusedText);
  const report = status === 200 ? parseJsonObject(body.toString('utf8')) : undefined;
  if (report === undefined || !isJsonObject(report['total'])) throw new NotShown(`the answer has the status ${status}`);
  return report as unknown as DutyReport;
}

/** Holds or releases a network; programs say by this header what browsers say of pages of the server itself. */
async function change(base: string, network: string, wanted: 'hold' | 'release'): Promise<void> {
  const response = await fetch(`${base}/admin`, {
    method: 'POST',
    body: new URLSearchParams({ network, do: wanted }),
    headers: { accept: 'application/json', 'sec-fetch-site': 'same-origin', 'accept-language': 'en' },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new NoAnswer(error instanceof Error ? error.message : String(error));
  });
  const message = parseJsonObject(await response.text())?.['message'];
  if (response.status === 404) throw new NotShown(refusedText);
  const text = printable(typeof message === 'string' ? message : `the answer has the status ${response.status}`);
  if (!response.ok) throw new NotShown(text);
  console.log(text);
}

const clearScreen = '\x1b[H\x1b[J';
const otherScreen = { begin: '\x1b[?1049h\x1b[?25l', end: '\x1b[?25h\x1b[?1049l' } as const;

/** The lines that fit, in place of those that were there. */
function show(lines: readonly string[]): void {
  const { rows = 24, columns = 80 } = process.stdout;
  const fitting = lines.slice(0, rows - 1).map((line) => line.slice(0, columns));
  process.stdout.write(`${clearScreen}${fitting.join('\n')}\n`);
}

/** Resolves when somebody ends the command, by q or Ctrl-C; other keys are passed on. */
function untilEnded(onKey: (key: string) => void): Promise<void> {
  const { stdin } = process;
  return new Promise((resolve) => {
    const end = (): void => {
      process.off('SIGINT', end).off('SIGTERM', end);
      resolve();
    };
    process.on('SIGINT', end).on('SIGTERM', end);
    if (!stdin.isTTY) return;
    stdin.setRawMode(true);
    stdin.setEncoding('utf8').on('data', (key: string) => (key === 'q' || key === '\x03' ? end() : onKey(key)));
  });
}

const keysLine = 'q ends · 1 minute, 2 ten minutes, 3 hour · t time, r requests, s sent, f refused';

const keys: Readonly<Record<string, Partial<Pick<TopFlags, 'over' | 'sort'>>>> = {
  ...{ 1: { over: 'minute' }, 2: { over: 'ten' }, 3: { over: 'hour' } },
  ...{ t: { sort: 'time' }, r: { sort: 'requests' }, s: { sort: 'sent' }, f: { sort: 'refused' } },
};

/** Shows the report anew every two seconds, until somebody ends it. */
async function watch(base: string, given: TopFlags, probe: Probe): Promise<number> {
  let flags = given;
  const refresh = async (): Promise<void> => {
    const report = await ifAnswered(reportFrom(base, flags, probe));
    const { rows = 24 } = process.stdout;
    const lines = report instanceof NoAnswer ? [`${base}: ${report.message}`] : linesOf(report, Math.max(3, rows >> 2));
    show([keysLine, '', ...lines]);
  };
  const report = (error: unknown): void => show([keysLine, '', error instanceof Error ? error.message : String(error)]);
  process.stdout.write(otherScreen.begin);
  void refresh().catch(report);
  const timer = setInterval(() => void refresh().catch(report), intervalMs);
  await untilEnded((key) => {
    flags = { ...flags, ...keys[key] };
    void refresh().catch(report);
  });
  clearInterval(timer);
  process.stdout.write(otherScreen.end);
  if (process.stdin.isTTY) process.stdin.setRawMode(false).pause();
  return 0;
}

async function run(base: string, flags: TopFlags): Promise<number> {
  const probe = probeWithin(timeoutMs);
  if (flags.hold !== undefined) await change(base, flags.hold, 'hold');
  if (flags.release !== undefined) await change(base, flags.release, 'release');
  if (flags.hold !== undefined || flags.release !== undefined) return 0;
  if (process.stdout.isTTY && !flags.once && !flags.json) return watch(base, flags, probe);
  const report = await reportFrom(base, flags, probe);
  for (const line of flags.json ? [JSON.stringify(report, undefined, 2)] : linesOf(report, mostRows)) console.log(line);
  return 0;
}

/** Prints who costs what, and gives the exit code: 1 where the server does not say it. */
export const top = (url: string | undefined, flags: TopFlags): Promise<number> =>
  withUsageErrors(async () => {
    const base = url === undefined ? await ownBase(flags) : parseBase('the address', url);
    try {
      return await run(base, flags);
    } catch (error) {
      if (!(error instanceof NoAnswer || error instanceof NotShown)) throw error;
      console.error(`lectern: ${base}: ${printable(error.message)}`);
      return 1;
    }
  });
