// Makes package-lock.json anew, with the packages of every platform: a registry that lacks some of them must not drop them
// from the lock, since `npm ci` refuses a lock that does not name all that package.json asks for.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const lockFile = 'package-lock.json';

/** A lock made beside no installed packages names the optional ones of all platforms. */
function freshLock() {
  const folder = mkdtempSync(path.join(tmpdir(), 'lock-'));
  try {
    mkdirSync(path.join(folder, 'web'));
    for (const name of ['package.json', 'web/package.json', lockFile, '.npmrc'])
      copyFileSync(path.join(root, name), path.join(folder, name));
    execFileSync('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: 'inherit',
    });
    return JSON.parse(readFileSync(path.join(folder, lockFile), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a name such as `@biomejs/cli-linux-x64-musl` says of the platform that its package is for. */
function platformOf(name) {
  const match = /-(linux|darwin|win32)-(x64|arm64)(-musl)?$/.exec(name);
  if (match === null) throw new Error(`${name} is missing in the lock, and its name does not tell its platform`);
  const [, os, cpu, musl] = match;
  return { os: [os], cpu: [cpu], ...(os === 'linux' ? { libc: [musl ? 'musl' : 'glibc'] } : {}) };
}

const lock = freshLock();
for (const [owner, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`;
    if (lock.packages[place] !== undefined || owner === '') continue;
    const { license, engines } = entry;
    lock.packages[place] = {
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
const resolved = Object.keys(lock.packages).filter((place) => lock.packages[place].resolved?.includes('://'));
if (resolved.length > 0) throw new Error(`the lock names addresses of ${resolved.join(', ')}`);
writeFileSync(path.join(root, lockFile), `${JSON.stringify(lock, undefined, 2)}\n`);
