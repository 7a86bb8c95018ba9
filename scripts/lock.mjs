// Writes package-lock.json anew, with the packages of every platform: npm drops optional packages that the registry does
// not offer, and `npm ci` refuses a lock that does not name every package that package.json requires.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const lockFile = 'package-lock.json';
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** The folders of a workspace, which can be `packages/*`. */
function foldersOf(workspace) {
  if (!workspace.endsWith('/*')) return [workspace];
  const parent = workspace.slice(0, -2);
  const names = readdirSync(path.join(root, parent), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names.map(({ name }) => `${parent}/${name}`);
}

/** A lock made in a folder without node_modules names the optional packages of all platforms. */
function freshLock() {
  const folder = mkdtempSync(path.join(tmpdir(), 'lock-'));
  const workspaces = readJson(path.join(root, 'package.json')).workspaces.flatMap(foldersOf);
  try {
    for (const workspace of workspaces) mkdirSync(path.join(folder, workspace), { recursive: true });
    const packages = workspaces.map((workspace) => `${workspace}/package.json`);
    for (const name of ['package.json', lockFile, '.npmrc', ...packages]) {
      copyFileSync(path.join(root, name), path.join(folder, name));
    }
    execFileSync('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: 'inherit',
    });
    return readJson(path.join(folder, lockFile));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The platform fields of a package, derived from its name, such as `@biomejs/cli-linux-x64-musl`. */
function platformOf(name) {
  const match = /-(linux|darwin|win32)-(x64|arm64|arm)(-musl)?$/.exec(name);
  if (match === null)
    throw new Error(`${name} is missing in the lock, and its platform can’t be derived from its name`);
  const [, os, cpu, musl] = match;
  return { os: [os], cpu: [cpu], ...(os === 'linux' ? { libc: [musl ? 'musl' : 'glibc'] } : {}) };
}

const lock = freshLock();
for (const [owner, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    if (lock.packages[key] !== undefined || owner === '') continue;
    const { license, engines } = entry;
    lock.packages[key] = {
      version,
      ...platformOf(name),
      ...(entry.dev ? { dev: true } : {}),
      license,
      optional: true,
      ...(engines ? { engines } : {}),
    };
    console.log(`${name} added`);
  }
}
const byName = ([a], [b]) => (a < b ? -1 : a > b ? 1 : 0);
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(byName));
const withAddress = Object.keys(lock.packages).filter((key) => lock.packages[key].resolved?.includes('://'));
if (withAddress.length > 0) throw new Error(`the lock names registry addresses of ${withAddress.join(', ')}`);
writeFileSync(path.join(root, lockFile), `${JSON.stringify(lock, undefined, 2)}\n`);
