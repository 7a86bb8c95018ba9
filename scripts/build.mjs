// Builds the server and the reading room; with --if-needed only where a source is newer than the last build.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms } from './bundle.mjs';
import { compressAssets } from './compress-assets.mjs';
import { isBuilt, stamp } from './is-built.cjs';

const root = fileURLToPath(new URL('..', import.meta.url));
if (process.argv.includes('--if-needed')) {
  if (isBuilt()) process.exit(0);
  console.log('Building Lectern and its reading room; this takes some seconds …');
}

const bin = (name) => path.join(root, 'node_modules/.bin', name);
/** The packages in `packages`, each after those that it needs. */
const packages = ['jpeg', 'jpeg2000', 'switch', 'tiff'];

const steps = [
  [process.execPath, ['packages/openjpeg-native/build.mjs']],
  ...packages.map((name) => [bin('tsc'), ['-p', `packages/${name}`]]),
  [bin('tsc'), ['-p', 'tsconfig.build.json']],
  [bin('vite'), ['build', 'web', '--config', 'web/vite.config.ts']],
  [bin('vite'), ['build', 'web', '--config', 'web/vite.element.config.ts']],
];
// Modules that were renamed must not stay.
rmSync(path.join(root, 'dist'), { recursive: true, force: true });
for (const name of packages) rmSync(path.join(root, 'packages', name, 'dist'), { recursive: true, force: true });
for (const [command, args] of steps) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
await bundlePrograms();
// The index of facts is made anew when the code that reads headers changes.
for (const name of ['jpeg2000', 'tiff'])
  cpSync(path.join(root, `packages/${name}/dist`), path.join(root, `dist/packages/${name}`), { recursive: true });
compressAssets(path.join(root, 'dist/web'));
writeFileSync(stamp, '');
