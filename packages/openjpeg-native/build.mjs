// Takes the prebuilt addon of this system, or compiles it where the compiler and OpenJPEG's headers are, and says so in one sentence. It
// never fails: without the addon, JPEG 2000 is decoded in WebAssembly. `--prebuild` adds what it compiles to those that are published.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = path.dirname(fileURLToPath(import.meta.url));
const addon = path.join(folder, 'build/openjpeg.node');
const libc = process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
const prebuilt = path.join(folder, `prebuilt/${process.platform}-${process.arch}-${libc}.node`);
/** Node brings its headers with it; Debian has them in libnode-dev. */
const headers = path.join(path.dirname(process.execPath), '../include/node');

const run = (program, ...args) => spawnSync(program, args, { encoding: 'utf8' });

/** OpenJPEG's version where the addon can be loaded: in a process of its own, since a library can't be unloaded. */
function loadedVersion() {
  const { status, stdout } = run(process.execPath, '-p', `require(${JSON.stringify(addon)}).version`);
  return status === 0 ? stdout.trim() : undefined;
}

function copyPrebuilt() {
  if (existsSync(prebuilt)) copyFileSync(prebuilt, addon);
  return loadedVersion();
}

/** Compiles the addon, and gives what is missing for that. */
function compile() {
  if (!existsSync(path.join(headers, 'node_api.h'))) return 'the headers of Node (Debian: libnode-dev) are missing';
  const flags = run('pkg-config', '--cflags', '--libs', 'libopenjp2');
  if (flags.status !== 0) return 'OpenJPEG (Debian: libopenjp2-7-dev and pkg-config) is missing';
  const system = process.platform === 'darwin' ? ['-undefined', 'dynamic_lookup'] : [];
  const options = ['-O2', '-shared', '-fPIC', `-I${headers}`, ...system, 'src/openjpeg.c', '-o', addon];
  const { status, stderr, error } = spawnSync('cc', [...options, ...flags.stdout.trim().split(/\s+/)], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (error) return 'a C compiler (Debian: gcc and libc6-dev) is missing';
  return status === 0 && loadedVersion() ? undefined : `it can't be compiled (${stderr.trim().split('\n')[0]})`;
}

mkdirSync(path.dirname(addon), { recursive: true });
rmSync(addon, { force: true });
const lacks = copyPrebuilt() ? undefined : compile();
if (lacks) rmSync(addon, { force: true });
else if (process.argv.includes('--prebuild')) {
  mkdirSync(path.dirname(prebuilt), { recursive: true });
  copyFileSync(addon, prebuilt);
}
console.log(
  lacks
    ? `JPEG 2000 is decoded in WebAssembly, since ${lacks}.`
    : `JPEG 2000 is decoded by OpenJPEG ${loadedVersion()} of this system.`,
);
