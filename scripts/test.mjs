// Runs all tests but those of test/robustness and test/viewers, including browser tests where a Chromium is found; the last lines of its
// output name the files not run.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findTestChromium } from './find-chromium.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const chromium = findTestChromium();
const testArguments = process.argv.slice(2);

const filter = chromium ? [] : ['--exclude', 'test/browser/**'];
const environment = chromium ? { ...process.env, LECTERN_TEST_CHROMIUM: chromium } : process.env;
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--project', 'with*-time-limit*', ...filter, ...testArguments],
  {
    cwd: root,
    stdio: 'inherit',
    env: environment,
  },
);

if (!chromium) {
  const files = readdirSync(`${root}/test/browser`).filter((name) => name.endsWith('.test.ts'));
  console.log(
    `\nNOT RUN: the ${files.length} files of browser tests (${files.join(', ')}), because no Chromium was found.`,
  );
  console.log(
    'To run them: apt-get install chromium-headless-shell or chromium (Debian), or set CHROMIUM to the path of a Chromium or Chrome.',
  );
  if (process.env.REQUIRE_BROWSER_TESTS) {
    console.log('REQUIRE_BROWSER_TESTS is set, so this counts as a failure.');
    process.exit(1);
  }
}
process.exit(status ?? 1);
