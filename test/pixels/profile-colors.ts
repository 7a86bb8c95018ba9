/** Converts colors of the test profiles to sRGB. */
import { adobeGamma, lightGrayGamma } from '../fixtures/files/icc-profile.mjs';
import type { Rgb } from './pictures.ts';

const encodeSrgb = (linear: number): number => {
  const value = Math.min(1, Math.max(0, linear));
  return 255 * (value <= 0.003_130_8 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);
};

/** An Adobe RGB color in sRGB: the two spaces share the primaries red and blue, but not green. */
export function adobeToSrgb(color: Rgb): Rgb {
  const [r, g, b] = [0, 1, 2].map((channel) => ((color[channel] ?? 0) / 255) ** adobeGamma) as [number, number, number];
  return [encodeSrgb(1.39836 * r - 0.39836 * g), encodeSrgb(g), encodeSrgb(1.04293 * b - 0.04293 * g)];
}

export function lightGrayToSrgb([value]: Rgb): Rgb {
  const gray = encodeSrgb((value / 255) ** lightGrayGamma);
  return [gray, gray, gray];
}
