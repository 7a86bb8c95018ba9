/** Runs `lectern serve`: starts the server, prints its addresses, reads its settings again and stops it by signals. */
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { type Logger, pino } from 'pino';
import { type App, createApp } from '../../app/app.ts';
import { openTracing } from '../../app/open-tracing.ts';
import type { Settings } from '../../app/settings/settings.ts';
import { SettingsError } from '../../config/settings-error.ts';
import { anyone } from '../../core/access/policy.ts';
import { about } from '../../core/http/about.ts';
import { formatIdentifierSegment } from '../../core/image/addresses/iiif-addresses.ts';
import { heapGrowth } from '../../core/render/process/start-process.ts';
import { configurationOf } from '../common/command-configuration.ts';
import { originOnThisMachine } from '../common/option-values.ts';
import type { Flags } from '../common/settings-flags.ts';
import { UsageError } from '../common/usage-error.ts';

function announce({ library, iiif }: Settings, base: string, example: string | undefined): void {
  const name = (example ?? '').split('/').map(encodeURIComponent).join('/');
  const identifier = formatIdentifierSegment(example ?? '', iiif.slash);
  const pictures = `
  Scaler         ${base}/Scaler?fn=${name}&dw=800
  IIIF           ${base}/iiif/3/${identifier}/info.json`;
  console.log(`Lectern ${about.version} serves ${library.folders.join(', ')}

  Start page     ${base}/
  Info object    ${base}/api/dlInfo-json.jsp?fn=${name}${example === undefined ? '' : pictures}

Stop with Ctrl-C.`);
}

const listenProblems: Readonly<Record<string, (settings: Settings['http']) => string>> = {
  EADDRINUSE: ({ port, host }) => `port ${port} on ${host} is in use; choose another with --port`,
  EACCES: ({ port }) => `port ${port} needs more rights; choose one above 1023 with --port`,
  EADDRNOTAVAIL: ({ host }) => `this machine has no address ${host}; choose another with --host`,
  ENOTFOUND: ({ host }) => `the host name ${host} is not known; choose another with --host`,
};

/** The start does not wait longer for an example: a disk may not answer for now. */
const exampleWithinMs = 1000;

/** The first pages and pictures that a reader asks for after the start come before what is loaded ahead. */
const loadAheadAfterMs = 2000;

/**
 * Loads what requests load on demand. A start is quicker without these modules, which the first answers rarely need. Later, a
 * lack of file descriptors could keep one from being loaded, and Node never tries a module again.
 */
async function loadAhead(app: App, logger: Logger): Promise<void> {
  try {
    await app.loadAhead();
    logger.debug('what requests need is loaded');
  } catch (err) {
    logger.warn({ err }, 'not all that requests need could be loaded');
  }
}

export async function serve(folders: readonly string[], flags: Flags): Promise<void> {
  setFlagsFromString(heapGrowth);
  const { settings, notes } = await configurationOf(folders, flags);
  for (const note of notes) console.error(`lectern: ${note}`);
  const { http } = settings;
  const logger = pino({ level: settings.logLevel });
  const app = await createApp(settings, logger);
  const { server } = app;
  const closeTracing = await openTracing(settings, 'lectern', logger);
  server.addHook('onClose', closeTracing);
  reloadOnSignal(app, logger, async () => (await configurationOf(folders, flags)).settings);
  try {
    await server.listen({ port: http.port, host: http.host });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const problem = listenProblems[code];
    if (problem) throw new UsageError(problem(http));
    throw error;
  }
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : http.port;
  const example = await Promise.race([
    app.example(anyone).catch(() => undefined),
    pause(exampleWithinMs, undefined, { ref: false }),
  ]);
  announce(settings, originOnThisMachine(http.host, port) + http.contextPath, example);
  setTimeout(() => void loadAhead(app, logger), loadAheadAfterMs).unref();
  app.start();
  stopOnSignal({ close: () => server.close(), readsFiles: app.readsFiles }, http.drainMs);
}

async function reload(app: App, logger: Logger, read: () => Promise<Settings>): Promise<void> {
  app.reopenLogs();
  try {
    const needsStart = await app.reload(await read());
    if (needsStart.length > 0)
      logger.warn({ settings: needsStart }, 'these settings were changed, and hold from the next start of the server');
    app.countReload('taken');
    logger.info('the configuration was read again');
  } catch (error) {
    app.countReload('refused');
    const unchanged = 'the configuration can’t be used, and the former one stays';
    if (error instanceof SettingsError) logger.error({ problems: error.message.split('\n') }, unchanged);
    else logger.error({ err: error }, unchanged);
  }
}

/**
 * Reads the configuration again at each SIGHUP, one after the other. In a terminal, where the signal says that the terminal
 * was closed, it ends the process as usual.
 */
function reloadOnSignal(app: App, logger: Logger, read: () => Promise<Settings>): void {
  if (process.stdin.isTTY) return;
  let last = Promise.resolve();
  process.on('SIGHUP', () => {
    last = last.then(() => reload(app, logger, read));
  });
}

interface StoppableServer {
  /** Stops listening, and resolves when all answers are complete or cut off, and all parts are closed. */
  close(): Promise<unknown>;
  /** Whether operations on a disk are still under way. */
  readsFiles(): boolean;
}

/** The parts get this long beyond the answers to end pending writes, in ms. */
const closingMs = 1000;

/** Operations on a disk that answers end within this time, in ms. */
const lastReadsMs = 500;

/** Ends the process with status 0. */
async function end({ readsFiles }: StoppableServer): Promise<void> {
  for (let waitedMs = 0; readsFiles() && waitedMs < lastReadsMs; waitedMs += 20) await pause(20);
  // To exit, Node waits for its threads, and one that reads from a disk that hangs never returns.
  if (readsFiles()) process.kill(process.pid, 'SIGKILL');
  process.exit(0);
}

/** Answers that are not complete `drainMs` after the first signal are cut off. */
function stopOnSignal(server: StoppableServer, drainMs: number): void {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) {
      void end(server);
      return;
    }
    isStopping = true;
    setTimeout(() => void end(server), drainMs + closingMs).unref();
    void server.close().finally(() => end(server));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
