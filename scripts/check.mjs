// Runs all checks: format and lint, types, build, generated pages, tests. A failing one does not stop the others; with
// `--without-tests` the tests are left out.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));

const parts = [
  ['format and lint', bin('biome'), ['check', '--error-on-warnings', '.']],
  ['programs in WebAssembly', process.execPath, ['scripts/assemble.mjs', '--check']],
  ['types', bin('tsc'), ['-p', 'tsconfig.json']],
  ['types of the reading room', bin('tsc'), ['-p', 'web/tsconfig.json', '--noEmit']],
  ['build', process.execPath, ['scripts/build.mjs']],
  ['generated pages', process.execPath, ['scripts/generate.mjs', '--check']],
  ['tests', bin('vitest'), ['run', '--project', 'with*-time-limit*']],
];

const selected = process.argv.includes('--without-tests') ? parts.filter(([name]) => name !== 'tests') : parts;
const failed = selected.filter(([name, command, args]) => {
  console.log(`\n— ${name}`);
  return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status !== 0;
});
console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.map(([name]) => name).join(', ')}.`);
process.exit(failed.length === 0 ? 0 : 1);
