/** Lectern: the real command, with the settings of a site. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BenchFailure } from '../failure.mjs';
import { startProgram, stop } from '../processes.mjs';
import { siteSettings } from '../settings.mjs';

const startPage = /Start page\s+http:\/\/127\.0\.0\.1:(\d+)\//;
const startMs = 60_000;

/**
 * Serves a folder on a free port; resolves when the command has said where it listens, with how long that took. What it
 * writes goes into the run's folder. Its code is compiled while it runs, so it needs a moment before it is measured.
 */
export async function startLectern({ folder, runFolder, nodeArgs = [] }) {
  const settingsFile = path.join(runFolder, 'settings.json');
  await writeFile(settingsFile, JSON.stringify({ library: { folders: [folder] }, ...siteSettings(runFolder) }));
  const listen = ['--host', '127.0.0.1', '--port', '0', '--log-level', 'warn'];
  let said = '';
  let onText = () => undefined;
  const start = performance.now();
  const child = startProgram(process.execPath, [...nodeArgs, 'bin/lectern.cjs', '--config', settingsFile, ...listen], {
    onText: (chunk) => {
      said = (said + chunk).slice(-4000);
      onText();
    },
  });
  const port = await new Promise((resolve, reject) => {
    const giveUp = (reason) => reject(new BenchFailure(`Lectern did not start (${reason}).\n${said}`.trim()));
    const late = setTimeout(() => giveUp(`it did not say where it listens within ${startMs / 1000} s`), startMs);
    onText = () => {
      const found = startPage.exec(said);
      if (found === null) return;
      clearTimeout(late);
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
    said: () => said,
    close: () => stop(child),
  };
}
