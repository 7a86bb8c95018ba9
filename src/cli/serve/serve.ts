/** Runs `lectern serve`: starts the server, and prints its addresses. */
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import { type App, createApp } from '../../app/app.ts';
import type { Settings } from '../../config/settings.ts';
import { anyone } from '../../core/access/access.ts';
import { about } from '../../core/http/about.ts';
import { formatIdentifierSegment } from '../../core/image/addresses/iiif-addresses.ts';
import { configurationOf } from '../common/configuration.ts';
import type { Flags } from '../common/settings-flags.ts';
import { UsageError } from '../common/usage-error.ts';
import { reloadOnSignal } from './reload.ts';
import { stopOnSignal } from './stop-on-signal.ts';

/** The address of the server as seen on this machine, without a slash at its end. */
function baseAddress({ host, contextPath }: Settings['http'], port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}${contextPath}`;
}

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
  const { settings, notes } = await configurationOf(folders, flags);
  for (const note of notes) console.error(`lectern: ${note}`);
  const { http } = settings;
  const logger = pino({ level: settings.logLevel });
  const app = await createApp(settings, logger);
  const { server } = app;
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
  announce(settings, baseAddress(http, port), example);
  setTimeout(() => void loadAhead(app, logger), loadAheadAfterMs).unref();
  app.start();
  stopOnSignal({ close: () => server.close(), readsFiles: app.readsFiles }, http.drainMs);
}
