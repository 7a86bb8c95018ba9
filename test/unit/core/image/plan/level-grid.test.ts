import { expect, test } from 'vitest';
import type { Level } from '../../../../../src/core/image/model/image-set.ts';
import { gridOf } from '../../../../../src/core/image/plan/read-window.ts';
import { imageOf } from '../image-builder.ts';
import { jpeg2000Of } from '../jpeg2000-image.ts';

const levelOf = (width: number, height: number, more: Partial<Level> = {}): Level => ({
  width,
  height,
  location: { kind: 'page', page: 1 },
  decoding: { pixelBytes: 3 },
  ...more,
});

test.each<[string, Level, number, number]>([
  ['halved and rounded down', levelOf(2049, 16), 2, 2],
  ['halved more often', levelOf(256, 2), 16, 16],
  ['halved to one row', levelOf(64, 1), 64, 33],
  ['rounded up', levelOf(2050, 17), 4099 / 2050, 33 / 17],
  ['a third', levelOf(1366, 11), 4099 / 1366, 3],
  ['of ImageMagick', levelOf(2049, 16, { showsWhole: true }), 4099 / 2049, 33 / 16],
])('a level %s of 4099 x 33 pixels', (_name, level, across, down) => {
  const [resolution] = imageOf({ width: 4099, height: 33, format: 'tiff' }).resolutions;
  expect(gridOf(level, resolution)).toEqual({ across: { step: across, phase: 0 }, down: { step: down, phase: 0 } });
});

test.each([
  [0, 0, { step: 1, phase: 0 }],
  [0, 1, { step: 2, phase: 0.25 }],
  [0, 2, { step: 4, phase: 0.375 }],
  [0, 5, { step: 32, phase: 0.484375 }],
  [1, 1, { step: 2, phase: -0.25 }],
  [3, 2, { step: 4, phase: 0.125 }],
])('an image that begins at %d of its grid, reduced %d times', async (left, reduction, across) => {
  const grid = { width: 4096, height: 4096, left, tile: [0, 0, 9000, 9000] } as const;
  const [resolution] = (await jpeg2000Of(grid, { levels: 5 })).resolutions;
  const level = resolution.levels[reduction];
  if (level === undefined) throw new Error('no such reduction');
  expect(gridOf(level, resolution).across).toEqual(across);
});
