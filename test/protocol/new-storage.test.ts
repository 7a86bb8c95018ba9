/** A further kind of storage, here one in memory, is one row of the kinds: the server lists, describes and sends what it has. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { partHandle, useByParts } from '../../src/core/storage/part-handle.ts';
import { type FileStats, fingerprintOf, type Storage, type StorageKind } from '../../src/core/storage/storage.ts';
import { blobs } from './blob-image.ts';
import { type RunningApp, startApp } from './running-app.ts';

const { memoryKind, files } = await vi.hoisted(async () => {
  const held = new Map<string, Buffer>();
  const kind = { current: undefined as StorageKind | undefined };
  return { memoryKind: kind, files: held };
});

vi.mock('../../src/core/storage/kinds.ts', async (original) => {
  const { storageKinds } = await original<typeof import('../../src/core/storage/kinds.ts')>();
  const all = () => (memoryKind.current === undefined ? storageKinds : [memoryKind.current, ...storageKinds]);
  return {
    get storageKinds() {
      return all();
    },
  };
});

const root = 'memory:/scans';
const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-memory-'));

const notThere = (): Error => Object.assign(new Error('ENOENT: nothing is there'), { code: 'ENOENT' });

function statsOf(file: string): FileStats | undefined {
  const bytes = files.get(file);
  const isFolder = [...files.keys()].some((name) => name.startsWith(`${file}/`));
  if (bytes === undefined && !isFolder) return undefined;
  return {
    ...{ size: BigInt(bytes?.length ?? 0), mtimeMs: 1n, mtimeNs: 1_000_000n, ctimeMs: 0n, ctimeNs: 0n },
    ...{ ino: BigInt(files.size), dev: 0n },
    isFile: () => bytes !== undefined,
    isDirectory: () => isFolder,
    isSymbolicLink: () => false,
  };
}

const memory: Storage = {
  knownStats: statsOf,
  async lstat(file) {
    const stats = statsOf(file);
    if (stats === undefined) throw notThere();
    return stats;
  },
  follow: async (file) => ({ real: file, stats: await memory.lstat(file) }),
  realPath: async (file) => file,
  async *list(directory) {
    const below = [...files.keys()].filter((name) => name.startsWith(`${directory}/`));
    const names = below.map((name) => name.slice(directory.length + 1));
    yield names.filter((name) => !name.includes('/')).map((name) => ({ name, kind: 'file' as const }));
    const folders = new Set(names.filter((name) => name.includes('/')).map((name) => name.split('/')[0] ?? ''));
    yield [...folders].map((name) => ({ name, kind: 'folder' as const }));
  },
  use: (file, work) => useByParts(memory, file, work),
  handle: (file) =>
    partHandle(memory, file, {
      readRange: async ({ path: name }, at, length) => (files.get(name) ?? Buffer.alloc(0)).subarray(at, at + length),
      hasLocalCopy: async () => false,
      async withLocalCopy(source, work) {
        const copy = path.join(scratch, path.basename(source.path));
        writeFileSync(copy, files.get(source.path) ?? Buffer.alloc(0));
        return work({ ...source, path: copy, fingerprint: fingerprintOf(statSync(copy, { bigint: true })) });
      },
    }),
  stateOf: (real) => ({ kind: 'folder', real }),
  mayHang: () => false,
  check: async () => undefined,
  close: async () => undefined,
};

let app: RunningApp;

beforeAll(async () => {
  memoryKind.current = {
    has: (address) => address.startsWith('memory://'),
    needsSettings: false,
    resolve: (_folder, address) => address,
    join: path.posix.join,
    faultsOf: () => [],
    pathOf: (address) => address.replace('//', '/'),
    open: async (addresses) => (addresses.length === 0 ? [] : [{ root, name: 'scans', storage: memory }]),
  };
  files.set(`${root}/book/page.jpg`, await blobs(300, 200).jpeg().toBuffer());
  app = await startApp({ library: { folders: ['memory://scans'] } });
});

afterAll(async () => {
  await app?.close();
  rmSync(scratch, { recursive: true });
});

it('serves its images: described, rendered, and as they are', async () => {
  const info = await app.get('/iiif/3/book%2Fpage/info.json');
  expect(JSON.parse(info.body.toString())).toMatchObject({ width: 300, height: 200 });
  const small = await app.get('/iiif/3/book%2Fpage/full/150,/0/default.png');
  expect(await sharp(small.body).metadata()).toMatchObject({ format: 'png', width: 150, height: 100 });
  const original = await app.get('/iiif/3/book%2Fpage/full/max/0/default.jpg');
  expect(original.body.equals(files.get(`${root}/book/page.jpg`) ?? Buffer.alloc(0))).toBe(true);
  expect((await app.get('/iiif/3/book%2Fother/info.json')).status).toBe(404);
});
