/** Color operations in digilib's order (multiply and add, contrast, operator): as plain data, and applied to samples. */

/** Every color operator with its meaning (digilib.md, section 2, "Order of operations"). */
export const operatorMeanings = {
  GRAYSCALE: 'gray by luminance',
  NTSC_GRAY: 'gray as television weighs it',
  BITONAL: 'black and white alone, by luminance',
  INVERT: 'the negative',
  MAP_GRAY_BGR: 'luminance in false colors: blue, cyan, yellow, red',
} as const;

/** Turns a picture gray, two-toned, negative or into false colors. */
export type ColorOperator = keyof typeof operatorMeanings;

/** Whether a text is exactly the name of an operator. */
export const isColorOperator = (name: string): name is ColorOperator => Object.hasOwn(operatorMeanings, name);

/** One value for each of red, green and blue. */
export type Triple = readonly [number, number, number];

/** Changes of the color of each pixel; absent members change nothing. */
export interface ColorSteps {
  /** Each channel is multiplied by its factor, then its offset (0 to 255 scale) is added. */
  readonly channels?: { readonly factors: Triple; readonly offsets: Triple };
  /** Every channel is multiplied by `factor`, then `offset` (0 to 255 scale) is added. */
  readonly contrast?: { readonly factor: number; readonly offset: number };
  readonly operator?: ColorOperator;
}

/** Whether the steps change nothing. */
export const isNeutral = (steps: ColorSteps): boolean =>
  steps.channels === undefined && steps.contrast === undefined && steps.operator === undefined;

/** Color changes in digilib's own terms (digilib.md, section 1: rgbm, rgba, cont, brgt, colop). */
export interface ColorChange {
  /** Red, green and blue are multiplied by 2 to the power of these, and these are added to them. */
  readonly multiply: Triple;
  readonly add: Triple;
  /** Then each is multiplied by 2 to this power, and this is added. */
  readonly contrast: number;
  readonly brightness: number;
  readonly operator: ColorOperator | undefined;
}

const isZero = (triple: Triple): boolean => triple.every((value) => value === 0);

/** 2 to the power of `exponent`, made finite: zero times infinity is not a number, and JSON has no infinity. */
const factorOf = (exponent: number): number => Math.min(2 ** exponent, Number.MAX_VALUE);

/** Converts a change to steps; values of zero add none. */
export function toColorSteps({ multiply, add, contrast, brightness, operator }: ColorChange): ColorSteps {
  const [red, green, blue] = multiply;
  const factors: Triple = [factorOf(red), factorOf(green), factorOf(blue)];
  return {
    ...(isZero(multiply) && isZero(add) ? {} : { channels: { factors, offsets: add } }),
    ...(contrast === 0 && brightness === 0 ? {} : { contrast: { factor: factorOf(contrast), offset: brightness } }),
    ...(operator === undefined ? {} : { operator }),
  };
}

/** Interleaved samples; 8 or 16 bits each. */
export type Samples = Uint8Array | Uint8ClampedArray | Uint16Array;

const clamp = (value: number): number => Math.min(255, Math.max(0, value));

/**
 * Maps each stored value of one channel (0 red, 1 green, 2 blue) to its value before the operator, from 0 to 255. Values
 * keep their fractions, since a later step can amplify what rounding would lose.
 */
function channelTable(steps: ColorSteps, channel: 0 | 1 | 2, greatest: number): Float64Array {
  const table = new Float64Array(greatest + 1);
  for (let stored = 0; stored <= greatest; stored++) {
    let value = (stored * 255) / greatest;
    if (steps.channels) value = clamp(value * steps.channels.factors[channel] + steps.channels.offsets[channel]);
    if (steps.contrast) value = clamp(value * steps.contrast.factor + steps.contrast.offset);
    table[stored] = value;
  }
  return table;
}

/** Integer weights, so that a gray is exactly its own luminance and BITONAL cuts at the right value. */
const luminance = (red: number, green: number, blue: number): number =>
  (2126 * red + 7152 * green + 722 * blue) / 10_000;

type Pixel = readonly [red: number, green: number, blue: number];

const grayPixel = (value: number): Pixel => [value, value, value];

/** The false colors of MAP_GRAY_BGR: blue to cyan, to yellow, to red (digilib.md, section 2). */
function falseColor(gray: number): Pixel {
  if (gray < 64) return [0, 4 * gray, 255];
  if (gray < 192) return [2 * (gray - 64), 255, 255 - 2 * (gray - 64)];
  return [255, 255 - 4 * (gray - 192), 0];
}

const operators: Readonly<Record<ColorOperator, (red: number, green: number, blue: number) => Pixel>> = {
  GRAYSCALE: (red, green, blue) => grayPixel(luminance(red, green, blue)),
  NTSC_GRAY: (red, green, blue) => grayPixel((299 * red + 587 * green + 114 * blue) / 1000),
  BITONAL: (red, green, blue) => grayPixel(luminance(red, green, blue) >= 128 ? 255 : 0),
  INVERT: (red, green, blue) => [255 - red, 255 - green, 255 - blue],
  MAP_GRAY_BGR: (red, green, blue) => falseColor(luminance(red, green, blue)),
};

const unchanged = (red: number, green: number, blue: number): Pixel => [red, green, blue];

/**
 * Applies the steps to samples of 3 (RGB) or 4 (RGBA) channels and returns 8-bit samples. Only the depth of alpha is
 * changed. Rounds once, at the end.
 */
export function applyColor(samples: Samples, channels: 3 | 4, steps: ColorSteps): Uint8ClampedArray {
  const greatest = samples instanceof Uint16Array ? 65_535 : 255;
  const redTable = channelTable(steps, 0, greatest);
  const greenTable = channelTable(steps, 1, greatest);
  const blueTable = channelTable(steps, 2, greatest);
  const operator = steps.operator ? operators[steps.operator] : unchanged;
  const result = new Uint8ClampedArray(samples.length);
  for (let at = 0; at + 2 < samples.length; at += channels) {
    const red = redTable[samples[at] ?? 0] ?? 0;
    const green = greenTable[samples[at + 1] ?? 0] ?? 0;
    const blue = blueTable[samples[at + 2] ?? 0] ?? 0;
    const pixel = operator(red, green, blue);
    result[at] = pixel[0];
    result[at + 1] = pixel[1];
    result[at + 2] = pixel[2];
    if (channels === 4) result[at + 3] = ((samples[at + 3] ?? 0) * 255) / greatest;
  }
  return result;
}
