// Runs the tests of test/viewers, which show what the server gives in other viewers as they are published.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findTestChromium } from './find-chromium.mjs';

const chromium = findTestChromium();
if (!chromium) {
  console.error(
    'NOT RUN: no Chromium was found. apt-get install chromium-headless-shell, or set CHROMIUM to the path of one.',
  );
  process.exit(1);
}
const { status } = spawnSync(
  process.execPath,
  [
    fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url)),
    ...['run', '--project', 'viewers', ...process.argv.slice(2)],
  ],
  {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
    env: { ...process.env, LECTERN_TEST_CHROMIUM: chromium },
  },
);
process.exit(status ?? 1);
