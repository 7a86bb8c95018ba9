// Builds the server and the reading room; with --if-needed only where a source is newer than the last build.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compressAssets } from './compress-assets.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Its modification time is the time of the last successful build. */
const stamp = path.join(root, 'dist/.built');
const sources = [
  'src',
  'web',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts/build.mjs',
  'scripts/compress-assets.mjs',
];

const modifiedMs = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The latest modification of a file, or of a folder and everything in it; a folder’s own time changes with each deletion. */
function newest(location) {
  const entries = statSync(location).isDirectory()
    ? readdirSync(location, { recursive: true, encoding: 'utf8' }).filter((name) => !name.includes('node_modules'))
    : [];
  return Math.max(modifiedMs(location), ...entries.map((name) => modifiedMs(path.join(location, name))));
}

const isFresh = () => {
  const built = modifiedMs(stamp);
  return built > 0 && sources.every((source) => newest(path.join(root, source)) < built);
};

if (process.argv.includes('--if-needed')) {
  if (isFresh()) process.exit(0);
  console.log('Building Lectern and its reading room; this takes some seconds …');
}

const bin = (name) => path.join(root, 'node_modules/.bin', name);
const steps = [
  [bin('tsc'), ['-p', 'tsconfig.build.json']],
  [bin('vite'), ['build', 'web', '--config', 'web/vite.config.ts']],
  [bin('vite'), ['build', 'web', '--config', 'web/vite.element.config.ts']],
];
rmSync(stamp, { force: true });
for (const [command, args] of steps) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
compressAssets(path.join(root, 'dist/web'));
writeFileSync(stamp, '');
