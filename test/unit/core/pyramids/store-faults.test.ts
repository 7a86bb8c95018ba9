/** A folder of pyramids that can't be listed: no pyramid is used, none is made or deleted, and the log says why. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pyramidName } from '../../../../src/core/pyramids/pyramid-store.ts';
import { LocalPyramidStore } from '../../../../src/core/pyramids/store.ts';
import { nodeFileSystem } from '../../../../src/core/storage/file-system.ts';

const name = pyramidName('0'.repeat(24), '/scans/x.jpg');
const failure = (code: string): Error => Object.assign(new Error(`${code}: the disk says no`), { code });

let directory = '';
let failing: string | undefined;
let faults: (readonly [message: string, cause: unknown])[] = [];
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'lectern-store-'));
  for (const folder of ['work', 'used']) mkdirSync(path.join(directory, folder));
  writeFileSync(path.join(directory, name), Buffer.alloc(1000));
  writeFileSync(path.join(directory, 'used', name), '');
  failing = undefined;
  faults = [];
});
afterEach(() => rmSync(directory, { recursive: true }));

/** A store whose folder is listed again at every refresh, which rejects with the code `failing`. */
function openStore(): LocalPyramidStore {
  return new LocalPyramidStore({
    directory,
    maxBytes: 2000,
    protectedMs: 0,
    onFault: (message, cause) => faults.push([message, cause]),
    fileSystem: {
      ...nodeFileSystem,
      list: (folder) => (failing === undefined ? nodeFileSystem.list(folder) : Promise.reject(failure(failing))),
    },
  });
}

describe.each(['EIO', 'EACCES', 'EMFILE'])('a listing that fails with %s', (code) => {
  it('is reported once, and the pyramids are used again when it works', async () => {
    const store = openStore();
    await store.refresh();
    failing = code;
    for (let round = 0; round < 3; round++) await expect(store.refresh()).rejects.toThrow(code);
    expect([store.isEmpty, store.has(name)]).toEqual([true, false]);
    expect(faults).toEqual([[`The pyramid folder ${directory} can’t be read.`, failure(code)]]);
    failing = undefined;
    await store.refresh();
    expect([store.has(name), store.load()]).toEqual([true, { count: 1, bytes: 1000 }]);
  });

  it('never makes space for more than the bound', async () => {
    const store = openStore();
    await store.refresh();
    failing = code;
    await expect(store.makeSpace(1500, 0)).rejects.toThrow(code);
  });

  it('lets a sweep delete nothing', async () => {
    failing = code;
    await expect(openStore().sweep()).rejects.toThrow(code);
    expect(readdirSync(path.join(directory, 'used'))).toEqual([name]);
  });
});

it.each(['ENOENT', 'ENOTDIR'])('a folder that is not there (%s) holds no pyramids, which is no fault', async (code) => {
  failing = code;
  const store = openStore();
  await store.refresh();
  expect([store.isEmpty, faults]).toEqual([true, []]);
});

it('a pyramid that can’t be deleted is reported, and not used any more', async () => {
  const unlink = () => Promise.reject(failure('EROFS'));
  const onFault = (message: string, cause?: unknown) => void faults.push([message, cause]);
  const store = new LocalPyramidStore({
    directory,
    maxBytes: 2000,
    onFault,
    fileSystem: { ...nodeFileSystem, unlink },
  });
  await store.refresh();
  await store.drop(name);
  expect(store.has(name)).toBe(false);
  expect(faults).toEqual([[expect.stringContaining('can’t be deleted'), failure('EROFS')]]);
});
