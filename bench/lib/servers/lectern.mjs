/** Starts Lectern by its command, with the settings of a typical site. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BenchFailure } from '../failure.mjs';
import { startProgram, stop } from '../processes.mjs';
import { siteSettings } from '../settings.mjs';

const startPage = /Start page\s+http:\/\/127\.0\.0\.1:(\d+)\//;
const startMs = 60_000;

/**
 * Serves a folder on a free port; resolves when the command prints its address, with the time until then. Its caches are in
 * the run's folder. V8 compiles its code while it runs, so it needs a warm-up before it is measured (`compiles`).
 */
export async function startLectern({ folder, runFolder, nodeArgs = [] }) {
  const settingsFile = path.join(runFolder, 'settings.json');
  await writeFile(settingsFile, JSON.stringify({ library: { folders: [folder] }, ...siteSettings(runFolder) }));
  const listen = ['--host', '127.0.0.1', '--port', '0', '--log-level', 'warn'];
  let output = '';
  let onText = () => undefined;
  const start = performance.now();
  const child = startProgram(process.execPath, [...nodeArgs, 'bin/lectern.cjs', '--config', settingsFile, ...listen], {
    onText: (chunk) => {
      output = (output + chunk).slice(-4000);
      onText();
    },
  });
  const port = await new Promise((resolve, reject) => {
    const giveUp = (reason) => reject(new BenchFailure(`Lectern did not start (${reason}).\n${output}`.trim()));
    const timeout = setTimeout(() => giveUp(`it did not print its address within ${startMs / 1000} s`), startMs);
    onText = () => {
      const found = startPage.exec(output);
      if (found === null) return;
      clearTimeout(timeout);
      resolve(Number(found[1]));
    };
    child.once('exit', (code) => giveUp(`exit code ${code}`));
    child.once('error', (error) => giveUp(error.message));
  });
  return {
    name: 'Lectern',
    port,
    pids: [child.pid],
    compiles: true,
    startedMs: performance.now() - start,
    pathOf: ({ lectern }) => lectern,
    output: () => output,
    close: () => stop(child),
  };
}
