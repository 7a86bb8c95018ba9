/** Color operations as plain data in digilib's order: multiply and add, contrast, operator. */

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
