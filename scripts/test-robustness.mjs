// Runs the tests of test/robustness, one file after the other; the last lines of its output name what was not run.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findTestChromium } from './find-chromium.mjs';
import { findMemoryCgroup, howToRunInCgroups } from './find-memory-cgroup.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const chromium = findTestChromium();
const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'robustness', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: chromium ? { ...process.env, LECTERN_TEST_CHROMIUM: chromium } : process.env,
});

if (!findMemoryCgroup()) {
  const folder = `${root}/test/robustness`;
  const files = readdirSync(folder).filter((name) =>
    readFileSync(`${folder}/${name}`, 'utf8').includes('describeInMemoryCgroup('),
  );
  console.log(`\nNOT RUN: tests in ${files.join(', ')}, because there is no memory cgroup.\n${howToRunInCgroups}`);
  if (process.env.REQUIRE_MEMORY_CGROUP_TESTS) {
    console.log('REQUIRE_MEMORY_CGROUP_TESTS is set, so this counts as a failure.');
    process.exit(1);
  }
}
process.exit(status ?? 1);
