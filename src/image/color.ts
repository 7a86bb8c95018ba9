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

/** The operator that a text names exactly. */
export const isColorOperator = (name: string): name is ColorOperator => Object.hasOwn(operatorMeanings, name);

/** One value for each of red, green and blue. */
export type Triple = readonly [number, number, number];

/** What happens to the color of each pixel; absent members do nothing. */
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
