/** Keeps the index of texts up to date while the server runs: a process at low priority, started at intervals. */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Library } from '../../../core/library/library.ts';
import { fullIndex } from '../engine/search-engine.ts';
import type { SearchSettings } from '../search-settings.ts';
import type { IndexingReport } from './index-texts.ts';

export interface IndexingState {
  readonly state: 'off' | 'waiting' | 'indexing' | 'ready' | 'failed';
  /** Pages written and deleted since the server began. */
  readonly written: number;
  readonly removed: number;
  /** Image files with a text that the current or last run has seen. */
  readonly files: number;
  /** Pages and bytes of the index after the last run. */
  readonly pages: number;
  readonly bytes: number;
  /** Whether the last run found the index as large as it may be. */
  readonly isFull: boolean;
}

export interface BackgroundIndexing {
  /** Begins after some seconds, and again at the interval of the settings. */
  start(): void;
  state(): IndexingState;
  close(): Promise<void>;
}

/** The compiled program, also where the server runs from its sources, as in tests. */
const program = import.meta.url.endsWith('.ts')
  ? '../../../../dist/app/index-process.js'
  : '../../../app/index-process.js';
const file = fileURLToPath(new URL(program, import.meta.url));

/** The `nice` value: below requests, above nightly jobs. */
const lowPriority = 10;

/** The first requests after a start come before. */
const firstAfterMs = 10_000;
const minuteMs = 60_000;
const logEveryMs = 10_000;

/** A run is put off for this time while a disk hangs. */
const hangingAgainMs = 30_000;

export function createBackgroundIndexing(
  settings: SearchSettings,
  library: Pick<Library, 'checkRoots'>,
  logger: Logger,
): BackgroundIndexing {
  const { enabled, refreshMinutes } = settings.search;
  const isOn = enabled && refreshMinutes > 0 && existsSync(file);
  let now: IndexingState = {
    ...{ state: isOn ? 'waiting' : 'off', written: 0, removed: 0, files: 0, pages: 0, bytes: 0 },
    isFull: false,
  };
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let loggedAtMs = 0;

  function fail(reason: string): void {
    logger.warn({ reason }, 'the index of texts can’t be brought up to date; it is tried again later');
    now = { ...now, state: 'failed', isFull: reason === fullIndex };
  }

  /** Takes reports of one run, whose counts begin at 0. */
  function reader(): (report: IndexingReport) => void {
    const before = now;
    return (report) => {
      if (report.kind === 'failed') return fail(report.reason);
      const { files, written, removed } = report.kind === 'done' ? report.result : report.progress;
      now = { ...now, files, written: before.written + written, removed: before.removed + removed };
      if (report.kind === 'done') {
        now = { ...now, state: 'ready', isFull: false, pages: report.result.pages, bytes: report.result.bytes };
        logger.info(report.result, 'the index of texts is up to date');
      } else if (written > 0 && Date.now() - loggedAtMs > logEveryMs) {
        loggedAtMs = Date.now();
        logger.info(report.progress, 'the index of texts is being made');
      }
    };
  }

  function runAfter(ms: number): void {
    if (!isClosed) timer = setTimeout(() => void run(), ms).unref();
  }

  /**
   * A new process closes its copies of all files that are open here before the program begins, and this process waits for
   * that. On a disk that hangs it would wait until the disk answers.
   */
  async function run(): Promise<void> {
    const roots = await library.checkRoots();
    if (roots.some(({ state }) => state === 'hanging')) runAfter(hangingAgainMs);
    else startProcess();
  }

  function startProcess(): void {
    if (isClosed || child !== undefined) return;
    now = { ...now, state: 'indexing' };
    const started = fork(file, [], {
      serialization: 'json',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // Small heaps: texts are read and written in parts.
      execArgv: ['--max-old-space-size=512'],
    });
    child = started;
    try {
      if (started.pid !== undefined) setPriority(started.pid, lowPriority);
    } catch {
      // The system has no priorities, or the process has ended.
    }
    started.on('message', reader());
    const ended = (): void => {
      if (child !== started) return;
      child = undefined;
      if (now.state === 'indexing') fail('The process that makes the index of texts ended.');
      runAfter(refreshMinutes * minuteMs);
    };
    started.on('error', ended);
    started.on('exit', ended);
    started.send(settings, (error) => error && ended());
    started.unref();
    started.channel?.unref();
  }

  return {
    start() {
      if (isOn) runAfter(firstAfterMs);
    },
    state: () => now,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      const running = child;
      if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
      const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()));
      running.ref();
      // What it has written is whole at any time.
      running.kill('SIGKILL');
      await ended;
    },
  };
}
