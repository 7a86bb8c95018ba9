import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSourceProbe } from '../../../src/app/open-build-queue.ts';
import { settingsSchema } from '../../../src/app/settings/settings.ts';
import { ImageError } from '../../../src/core/image/model/errors.ts';
import { DiskStorage } from '../../../src/core/storage/disk/disk-storage.ts';
import type { Storage } from '../../../src/core/storage/storage.ts';
import { Storages } from '../../../src/core/storage/storages.ts';
import { blobs } from '../../protocol/blob-image.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lectern-probe-')));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const realPath = (): Promise<string> => Promise.reject(new ImageError('store-late', 'The store is late.'));
const storages = new Storages([
  { root: 's3:/late', name: 'late', storage: { realPath } as unknown as Storage },
  { root: '', name: 'disk', storage: new DiskStorage() },
]);

const probeOf = (...folders: string[]) => createSourceProbe(settingsSchema.parse({ library: { folders } }), storages);

it('has the pages of a file of the library, and none of what is missing or outside', async () => {
  const file = path.join(folder, 'a.png');
  writeFileSync(file, await blobs(20, 10).png().toBuffer());
  expect(await probeOf(folder)(file)).toMatchObject([{ width: 20, height: 10 }]);
  expect(await probeOf(folder)(path.join(folder, 'b.png'))).toEqual([]);
  expect(await probeOf('/nosuch')(file)).toEqual([]);
});

it('rejects where the file’s folder does not answer, and does without others', async () => {
  const file = path.join(folder, 'a.png');
  writeFileSync(file, await blobs(20, 10).png().toBuffer());
  expect(await probeOf('s3://late', folder)(file)).toHaveLength(1);
  await expect(probeOf('s3://late')('s3:/late/a.png')).rejects.toMatchObject({ code: 'store-late' });
  await expect(probeOf('s3://late')(file)).rejects.toMatchObject({ code: 'store-late' });
});
