/** Starts Lectern by its command, with the settings of a typical site. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startUntilAddress, stop } from '../processes.mjs';
import { siteSettings } from '../settings.mjs';

const startPage = /Start page\s+http:\/\/127\.0\.0\.1:(\d+)\//;

/** What the container and the systemd unit set, so that the server needs less memory. */
const serviceFlags = ['--max-semi-space-size=8'];
const serviceEnvironment = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };

/** The checkout that this benchmark belongs to. */
export const thisCheckout = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Serves a folder on a free port, by the program of a checkout; resolves when the command prints its address, with the time
 * until then; `environment` has more variables, and `settings` more settings. Its caches are in a folder of the run's. V8 compiles its code while it runs, so it needs a warm-up before it is measured (`compiles`).
 */
export async function startLectern({
  folder,
  runFolder,
  nodeArgs = [],
  name = 'Lectern',
  checkout = thisCheckout,
  environment,
  settings: more = {},
}) {
  const own = path.join(runFolder, name);
  await mkdir(own, { recursive: true });
  const settingsFile = path.join(own, 'settings.json');
  const settings = { library: { folders: [folder] }, ...(await siteSettings(checkout, own)), ...more };
  await writeFile(settingsFile, JSON.stringify(settings));
  const program = path.join(checkout, 'bin/lectern.cjs');
  const listen = ['--host', '127.0.0.1', '--port', '0', '--log-level', 'warn'];
  const start = performance.now();
  const args = [...serviceFlags, ...nodeArgs, program, '--config', settingsFile, ...listen];
  const env = { ...serviceEnvironment, ...environment };
  const { child, found, output } = await startUntilAddress('Lectern', startPage, process.execPath, args, { env });
  return {
    name,
    port: Number(found[1]),
    pids: [child.pid],
    compiles: true,
    startedMs: performance.now() - start,
    pathOf: ({ lectern }) => lectern,
    output,
    close: () => stop(child),
  };
}
