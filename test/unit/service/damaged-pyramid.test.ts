/** A derived pyramid is deleted only where the error says that the pyramid itself is damaged. */
import { expect, test } from 'vitest';
import { createPlanExecutor } from '../../../src/core/answers/execute-plan.ts';
import { ImageError } from '../../../src/core/image/model/errors.ts';
import type { Admitted, ImageSet } from '../../../src/core/image/model/image-set.ts';
import { planImage } from '../../../src/core/image/plan/plan.ts';
import { Storages } from '../../../src/core/storage/storages.ts';
import { parseQuery } from '../../../src/features/digilib/parameters.ts';
import { toImageRequest } from '../../../src/features/digilib/scaler-request.ts';
import { imageOf, jpegTiles } from '../core/image/image-builder.ts';

const [derived] = imageOf({ width: 3000, height: 2000, format: 'tiff', tile: 256, stored: jpegTiles }).resolutions;
const image = { ...imageOf({ width: 3000, height: 2000 }), derived } as Admitted<ImageSet>;
const systemError = (code: string): Error => Object.assign(new Error(`${code}: the disk says no`), { code });

test.each<[string, Error, boolean]>([
  ['damaged data', new ImageError('damaged', 'damaged'), true],
  ['a rendering that failed', new ImageError('failed', 'failed'), false],
  ['a missing file', new ImageError('changed', 'changed'), false],
  ['a deadline', new ImageError('too-slow', 'too slow'), false],
  ['too many requests', new ImageError('overloaded', 'overloaded'), false],
  ['no free file descriptors', systemError('EMFILE'), false],
  ['a disk error', systemError('EIO'), false],
  ['a fault of the program', new TypeError('undefined is not a function'), false],
])('only damaged data deletes the pyramid: %s', async (_, error, isDropped) => {
  const dropped: string[] = [];
  const executor = createPlanExecutor({
    quarantine: { requireUsable: async () => undefined, add: async () => undefined },
    renderer: {
      render: () => Promise.reject(error),
      requireRoom: () => undefined,
    },
    sources: {
      handle: (file) => ({
        ...new Storages().handle(file),
        requireCurrent: async () => undefined,
        requireAnswer: async () => undefined,
        localPath: file.path,
        withLocalCopy: (work) => work(file),
      }),
      readParts: async () => undefined,
      keepScale: () => undefined,
      readTile: () => Promise.reject(error),
      readTileAtOnce: () => undefined,
    },
    pyramids: {
      recordSlowRegion: () => undefined,
      leaveOut: () => undefined,
      replace: async ({ path }) => void dropped.push(path),
    },
  });
  const limits = { maxArea: 1_000_000 };
  const request = toImageRequest(parseQuery('dw=300&wx=0.2&wy=0.2&ww=0.3&wh=0.3'));
  const { plan } = planImage(request, image, { limits, sendFile: true });
  if (plan.kind !== 'render') throw new Error(`the plan is ${plan.kind}`);
  expect(plan.file.path).toBe(derived.file.path);
  const work = { signal: new AbortController().signal, deadlineAtMs: () => Infinity, start: () => undefined };
  const result = executor.execute(plan, image, { client: 'a' }, work);
  await expect(result).rejects.toMatchObject(isDropped ? { code: 'changed' } : { message: error.message });
  expect(dropped).toEqual(isDropped ? [derived.file.path] : []);
});
