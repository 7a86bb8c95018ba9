import { expect, it } from 'vitest';
import type { Resolution } from '../../../../src/core/image/model/image-set.ts';
import type { PyramidStore } from '../../../../src/core/pyramids/pyramid-store.ts';
import { createPyramids } from '../../../../src/core/pyramids/pyramids.ts';
import type { BuildQueue } from '../../../../src/core/pyramids/queue/build-queue.ts';
import { Storages } from '../../../../src/core/storage/storages.ts';
import { imageOf } from '../image/image-builder.ts';

/** Pyramids whose queue notes the paths of what is added. */
function pyramidsThatNote(added: string[]) {
  const queue: Pick<BuildQueue, 'add' | 'close'> = {
    add: ({ source }) => void added.push(source.file.path),
    close: async () => undefined,
  };
  const store: Pick<PyramidStore, 'sweep'> = { sweep: async () => undefined };
  return createPyramids({
    ...{ store: store as PyramidStore, automatic: true, quality: 85, openQueue: () => queue as BuildQueue },
    ...{ probe: async () => [], storages: new Storages(), onFault: (message) => expect.fail(message) },
    ...{ deadlineMs: 60_000, maxMemoryBytes: 2 ** 30 },
  });
}

const sourceAt = (path: string): Resolution => {
  const [source] = imageOf({ width: 5000, height: 4000 }).resolutions;
  return { ...source, file: { ...source.file, path, fingerprint: 'the same content' } };
};

it('counts the time of regions of copies of a file for themselves, and builds each after a quarter of what a pyramid takes', () => {
  const added: string[] = [];
  const pyramids = pyramidsThatNote(added);
  const sources = ['s3:/scans/a.jpg', 's3:/scans/b.jpg', 's3:/scans/c.jpg'].map(sourceAt);
  for (const source of sources) pyramids.recordSlowRegion(source, 120);
  for (const source of sources) pyramids.recordSlowRegion(source, 29);
  expect(added).toEqual([]);
  for (const source of sources) pyramids.recordSlowRegion(source, 1);
  expect(added).toEqual(['s3:/scans/a.jpg', 's3:/scans/b.jpg', 's3:/scans/c.jpg']);
});

it('builds one of JPEG 2000 later, since decoding all of it takes longer', () => {
  const added: string[] = [];
  const pyramids = pyramidsThatNote(added);
  const source: Resolution = { ...sourceAt('s3:/scans/a.jp2'), format: 'jp2' };
  pyramids.recordSlowRegion(source, 499);
  expect(added).toEqual([]);
  pyramids.recordSlowRegion(source, 1);
  expect(added).toEqual(['s3:/scans/a.jp2']);
});

it('builds one with the next region whose client can pay it, and no sooner', () => {
  const added: string[] = [];
  const pyramids = pyramidsThatNote(added);
  const asked: number[] = [];
  const region = (canPay: boolean): void =>
    pyramids.recordSlowRegion(sourceAt('s3:/scans/a.jpg'), 50, (ms) => {
      asked.push(ms);
      return canPay;
    });
  for (let count = 0; count < 5; count++) region(false);
  expect([added, asked]).toEqual([[], [600, 600, 600]]);
  region(true);
  for (let count = 0; count < 2; count++) region(true);
  expect([added, asked.length]).toEqual([['s3:/scans/a.jpg'], 4]);
});
