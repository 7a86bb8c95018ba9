/** What a view does to the picture's colors, exactly as the server would do it. */
import { type ColorSteps, isNeutral, type Triple, toColorSteps } from '../../../src/image/model/color.ts';
import { rounded } from './number-text.ts';
import type { ViewColor } from './view-state.ts';

/** A number as it reaches the server: with the address's decimals, in 32 bits. Two-toned pictures show the least of it. */
const sent = (value: number): number => Math.fround(rounded(value));

const sentTriple = ([red, green, blue]: Triple): Triple => [sent(red), sent(green), sent(blue)];

/** The steps that the server takes for an address with these colors. */
export const colorSteps = ({ brightness, contrast, multiply, add, operation }: ViewColor): ColorSteps =>
  toColorSteps({
    multiply: sentTriple(multiply),
    add: sentTriple(add),
    contrast: sent(contrast),
    brightness: sent(brightness),
    operator: operation === '' ? undefined : operation,
  });

/** Whether the colors are the picture's own. */
export const isPlain = (color: ViewColor): boolean => isNeutral(colorSteps(color));

/** The brightness that goes with a contrast, so that the middle gray stays where it is, as digilib's slider does. */
export const linkedBrightness = (contrast: number): number => rounded(127 - 127 * 2 ** contrast);
