/** What a single click finds in pixels: levels, the slope of lines, and the effects that compare pixels with their surroundings. */
import { describe, expect, it } from 'vitest';
import { applyColor } from '../../../../../src/core/image/model/color.ts';
import { colorSteps } from '../../../../../web/src/model/view/color.ts';
import { applyEffects } from '../../../../../web/src/model/view/effects.ts';
import { autoLevels } from '../../../../../web/src/model/view/levels.ts';
import { skewOf } from '../../../../../web/src/model/view/skew.ts';
import { plainColor, type ViewEffect } from '../../../../../web/src/model/view-state.ts';

const pixelsOf = (colors: readonly (readonly number[])[]): Uint8ClampedArray =>
  Uint8ClampedArray.from(colors.flatMap(([red = 0, green = 0, blue = 0, alpha = 255]) => [red, green, blue, alpha]));

describe('auto levels', () => {
  /** Yellow paper with brown ink, in a window that is larger than the image. */
  const page = pixelsOf([
    ...Array.from({ length: 500 }, () => [220, 200, 150]),
    ...Array.from({ length: 100 }, () => [90, 60, 40]),
    ...Array.from({ length: 300 }, () => [0, 0, 0, 0]),
  ]);

  it('make the paper white and the ink black, as the Scaler computes them', () => {
    const levels = autoLevels(page);
    if (levels === undefined) throw new Error('no levels');
    const bytes = new Uint8Array(page.slice(0, 4 * 600));
    const changed = applyColor(bytes, 4, colorSteps({ ...plainColor, ...levels }));
    for (const [at, wanted] of [
      [0, 255],
      [4 * 599, 0],
    ] as const) {
      for (const channel of [0, 1, 2]) expect(Math.abs((changed[at + channel] ?? -9) - wanted)).toBeLessThanOrEqual(1);
    }
  });

  it('are none for an even surface, nor for a window without an image', () => {
    expect(autoLevels(pixelsOf(Array.from({ length: 50 }, () => [120, 121, 119])))).toBeUndefined();
    expect(autoLevels(pixelsOf([[0, 0, 0, 0]]))).toBeUndefined();
    expect(autoLevels(new Uint8ClampedArray())).toBeUndefined();
  });
});

describe('the slope of a text', () => {
  const [width, height] = [500, 360];

  /** Lines of letters of uneven width, which slope by an angle. */
  function text(degrees: number): Uint8ClampedArray {
    const slope = Math.tan((degrees * Math.PI) / 180);
    return Uint8ClampedArray.from({ length: width * height }, (_, index) => {
      const [x, y] = [index % width, Math.floor(index / width)];
      const line = (((y - slope * x) % 20) + 20) % 20;
      const isLetter = line < 9 && (x * 7 + Math.floor((y - slope * x) / 20) * 13) % 11 < 7;
      return isLetter ? 60 : 220;
    });
  }

  it.each([-7.3, -2, 0, 1.5, 11])('of %d degrees is found to a fifth of a degree', (degrees) => {
    expect(Math.abs((skewOf({ width, height, tones: text(degrees) }) ?? 99) - degrees)).toBeLessThanOrEqual(0.2);
  });

  it('is unknown where there are no lines', () => {
    let state = 1;
    const noise = Uint8ClampedArray.from({ length: width * height }, () => {
      // Xorshift: the values of a simpler formula of the place form lines.
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return state & 255;
    });
    expect(skewOf({ width, height, tones: noise })).toBeUndefined();
    expect(skewOf({ width, height, tones: new Uint8ClampedArray(width * height).fill(200) })).toBeUndefined();
  });
});

describe('effects', () => {
  const changedBy = (
    own: readonly number[],
    around: readonly number[],
    ...effects: readonly ViewEffect[]
  ): number[] => {
    const pixels = pixelsOf([own]);
    applyEffects(pixels, { fine: pixelsOf([around]), wide: pixelsOf([around]) }, effects);
    return [...pixels];
  };

  it('show one channel in gray', () => {
    expect(changedBy([10, 20, 30], [0, 0, 0], 'green')).toEqual([20, 20, 20, 255]);
    expect(changedBy([10, 20, 30], [0, 0, 0])).toEqual([10, 20, 30, 255]);
  });

  it('make paper white whatever its tone, and ink that is a little darker much darker', () => {
    for (const paper of [240, 180, 120]) {
      const [blank = 0] = changedBy([paper, paper, paper], [paper, paper, paper], 'ink');
      const [ink = 0] = changedBy([0.8 * paper, paper, paper], [paper, paper, paper], 'ink');
      expect(blank).toBeGreaterThan(240);
      expect(ink).toBeLessThan(145);
    }
  });

  it('enlarge the difference of a pixel to what is around it, and leave even surfaces alone', () => {
    for (const effect of ['sharp', 'local'] as const) {
      expect(changedBy([120, 120, 120], [100, 110, 120], effect).slice(0, 3)).toEqual(
        effect === 'sharp' ? [144, 132, 120] : [138, 129, 120],
      );
      expect(changedBy([50, 50, 50], [50, 50, 50], effect).slice(0, 3)).toEqual([50, 50, 50]);
    }
  });
});
