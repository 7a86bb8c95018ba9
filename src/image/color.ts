/** Color operations on 8-bit samples, as plain data in digilib's order: multiply and add, contrast, operator. */

/** Turns a picture gray, two-toned, negative or into false colors (digilib.md, section 2, "Order of operations"). */
export type ColorOperator = 'GRAYSCALE' | 'NTSC_GRAY' | 'BITONAL' | 'INVERT' | 'MAP_GRAY_BGR';

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
