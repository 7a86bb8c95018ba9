/** Which plans are encoded without libvips. */
import { describe, expect, it } from 'vitest';
import { noTurn } from '../../../../src/core/image/model/orientation.ts';
import { planPart } from '../../../../src/core/image/plan/plan-render.ts';
import type { Render } from '../../../../src/core/image/plan/plan-types.ts';
import { finishedJpeg, type SamplesInMemory } from '../../../../src/core/render/finished-jpeg.ts';
import { imageOf } from '../image/image-builder.ts';

const [resolution] = imageOf({ width: 64, height: 48 }).resolutions;
const whole = { x: 0, y: 0, width: 64, height: 48 };
const plan: Render = {
  ...planPart(resolution, whole, { width: 32, height: 24 }, 'jpeg'),
  turn: noTurn,
  rotation: 0,
  color: {},
};

function samplesOf(width: number, height: number, channels: SamplesInMemory['channels'] = 3): SamplesInMemory {
  return { width, height, channels, samples: () => Buffer.alloc(width * height * channels, 128) };
}

const size = { width: 32, height: 24 };

describe('a picture is encoded without libvips', () => {
  it.each([1, 3] as const)('where %d channels have their final size', (channels) => {
    const bytes = finishedJpeg(samplesOf(32, 24, channels), { ...plan, scaled: size }, channels);
    expect(bytes?.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  });

  const others: Readonly<Record<string, Partial<Render>>> = {
    'in another format': { format: 'png' },
    'of another size': { scaled: { width: 33, height: 24 } },
    mirrored: { turn: { flop: true, turns: 0 } },
    turned: { turn: { flop: false, turns: 1 } },
    rotated: { rotation: 10 },
    'with other colors': { color: { operator: 'INVERT' } },
    'of which a part is kept': { keep: { x: 1, y: 1, width: 30, height: 20 } },
  };
  it.each(Object.entries(others))('but not %s', (_name, changes) => {
    expect(finishedJpeg(samplesOf(32, 24), { ...plan, scaled: size, ...changes }, 3)).toBeUndefined();
  });

  it.each([
    [1, 3],
    [2, 1],
    [4, 3],
  ] as const)('but not of %d channels where the picture has %d', (stored, channels) => {
    expect(finishedJpeg(samplesOf(32, 24, stored), { ...plan, scaled: size }, channels)).toBeUndefined();
  });

  it('but not where it is large', () => {
    const large = { width: 1500, height: 1001 };
    expect(finishedJpeg(samplesOf(1500, 1001), { ...plan, scaled: large }, 3)).toBeUndefined();
  });
});
