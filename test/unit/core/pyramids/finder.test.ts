/** A pyramid is deleted only when it is damaged itself, not when the disk fails while it is found. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Resolution } from '../../../../src/core/image/model/image-set.ts';
import { contentKey, pyramidName } from '../../../../src/core/pyramids/pyramid-store.ts';
import { createFinder } from '../../../../src/core/pyramids/pyramids.ts';
import { LocalPyramidStore } from '../../../../src/core/pyramids/store.ts';
import { type FileSystem, nodeFileSystem } from '../../../../src/core/storage/file-system.ts';
import { Storages } from '../../../../src/core/storage/storages.ts';
import { imageOf } from '../image/image-builder.ts';

const failure = (code: string): Error => Object.assign(new Error(`${code}: the disk says no`), { code });

let scratch = '';
let source: Resolution;
let file = '';
let damaged: string[] = [];
let faults: unknown[] = [];
beforeEach(() => {
  scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'lectern-finder-')));
  const scan = path.join(scratch, 'scan.jpg');
  writeFileSync(scan, '');
  const [image] = imageOf({ width: 5000, height: 4000 }).resolutions;
  source = { ...image, file: { ...image.file, path: scan } };
  mkdirSync(path.join(scratch, 'store'));
  file = path.join(scratch, 'store', pyramidName(contentKey(source, 85), scan));
  writeFileSync(file, 'a pyramid');
  damaged = [];
  faults = [];
});
afterEach(() => rmSync(scratch, { recursive: true }));

/** Finds the pyramid, of whose header `probe` reads the facts. */
async function find(
  probe: () => Promise<readonly Resolution[]>,
  fileSystem: Partial<FileSystem> = {},
): Promise<Resolution | undefined> {
  const store = new LocalPyramidStore({
    directory: path.dirname(file),
    maxBytes: 1e9,
    onFault: (_message, cause) => faults.push(cause),
    fileSystem: { ...nodeFileSystem, ...fileSystem },
  });
  await store.refresh();
  const finder = createFinder({
    store,
    quality: 85,
    storages: new Storages(),
    probe,
    onFault: (message) => damaged.push(message),
    onDropped: () => undefined,
  });
  return finder(source);
}

it('deletes a pyramid whose header can’t be decoded, and reports it', async () => {
  expect(await find(async () => [])).toBeUndefined();
  expect([existsSync(file), damaged.length, faults.length]).toEqual([false, 1, 0]);
});

it.each(['EMFILE', 'EIO', 'ESTALE'])(
  'keeps a pyramid whose header can’t be read (%s), and reports why',
  async (code) => {
    expect(await find(() => Promise.reject(failure(code)))).toBeUndefined();
    expect([existsSync(file), damaged.length]).toEqual([true, 0]);
    expect(faults).toEqual([failure(code)]);
  },
);

it('keeps a pyramid that may not be opened, and reports why', async () => {
  const openToRead = () => Promise.reject(failure('EACCES'));
  expect(await find(async () => [], { openToRead })).toBeUndefined();
  expect([existsSync(file), damaged.length]).toEqual([true, 0]);
  expect(faults).toEqual([failure('EACCES')]);
});

it('reports nothing about a pyramid that was deleted meanwhile', async () => {
  const probe = async () => {
    rmSync(file);
    return [];
  };
  expect(await find(probe)).toBeUndefined();
  expect([damaged, faults]).toEqual([[], []]);
});
