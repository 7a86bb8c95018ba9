/** The color steps of a view, computed exactly as the server computes them. */
import { type ColorSteps, isNeutral, type Triple, toColorSteps } from '../../../src/core/image/model/color.ts';
import { rounded } from './number-text.ts';
import type { ViewColor } from './view-state.ts';

/** A number as the server parses it: four decimals, 32 bits. With `BITONAL`, the smallest difference is visible. */
const asSent = (value: number): number => Math.fround(rounded(value));

const roundedTriple = ([red, green, blue]: Triple): Triple => [asSent(red), asSent(green), asSent(blue)];

export const colorSteps = ({ brightness, contrast, multiply, add, operation }: ViewColor): ColorSteps =>
  toColorSteps({
    multiply: roundedTriple(multiply),
    add: roundedTriple(add),
    contrast: asSent(contrast),
    brightness: asSent(brightness),
    operator: operation === '' ? undefined : operation,
  });

/** Whether the colors are those of the image. */
export const isPlain = (color: ViewColor): boolean => isNeutral(colorSteps(color));

/** The brightness that leaves middle gray unchanged at a contrast, as digilib's slider sets it. */
export const linkedBrightness = (contrast: number): number => rounded(127 - 127 * 2 ** contrast);
