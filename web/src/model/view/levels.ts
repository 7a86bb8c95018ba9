/** Levels that spread the tones of a picture over the whole range, as the Scaler's `rgbm` and `rgba`. */
import type { Triple } from '../../../../src/core/image/model/color.ts';
import { rounded } from '../address/address-text.ts';
import type { ViewColor } from '../view-state.ts';

/** The share of the pixels that become black, and of those that become white. */
const clipped = 0.005;

/** Tones that lie nearer to each other are not spread: of an even surface only its noise would be seen. */
const leastSpan = 24;

/** The tones of a channel between which most pixels lie. */
function spanOf(counts: readonly number[], total: number): readonly [low: number, high: number] {
  const reach = (tones: readonly number[]): number => {
    let seen = 0;
    return (
      tones.find((tone) => {
        seen += counts[tone] ?? 0;
        return seen > clipped * total;
      }) ?? 0
    );
  };
  const ascending = counts.map((_, tone) => tone);
  return [reach(ascending), reach(ascending.toReversed())];
}

/** `pixels` are red, green, blue and alpha; transparent ones, outside of the image, do not count. Undefined where there is nothing to spread. */
export function autoLevels(pixels: Uint8ClampedArray): Pick<ViewColor, 'multiply' | 'add'> | undefined {
  const counts = [0, 1, 2].map(() => new Array<number>(256).fill(0));
  let total = 0;
  for (let start = 0; start < pixels.length; start += 4) {
    if (pixels[start + 3] !== 255) continue;
    total += 1;
    for (const [channel, tones] of counts.entries()) {
      const tone = pixels[start + channel] ?? 0;
      tones[tone] = (tones[tone] ?? 0) + 1;
    }
  }
  const spans = counts.map((tones) => spanOf(tones, total));
  if (total === 0 || spans.some(([low, high]) => high - low < leastSpan)) return undefined;
  const factors = spans.map(([low, high]) => 255 / (high - low));
  const triple = (of: (index: number) => number): Triple => [of(0), of(1), of(2)];
  return {
    multiply: triple((index) => rounded(Math.log2(factors[index] ?? 1))),
    add: triple((index) => rounded(-(spans[index]?.[0] ?? 0) * (factors[index] ?? 1), 2)),
  };
}
