/** The color steps of a view as the server computes them, and the parts of a view that differ from the plain image. */
import {
  type ColorOperator,
  type ColorSteps,
  isNeutral,
  type Triple,
  toColorSteps,
} from '../../../../src/core/image/model/color.ts';
import { rounded } from '../address/address-text.ts';
import { type ViewColor, type ViewState, wholeImage } from '../view-state.ts';

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

export const isPlain = (color: ViewColor): boolean => isNeutral(colorSteps(color));

/** The brightness that leaves middle gray unchanged at a contrast, as digilib's slider sets it. */
export const linkedBrightness = (contrast: number): number => rounded(127 - 127 * 2 ** contrast);

export type ViewPart =
  | { readonly name: 'region' | 'mirrored' | 'pixels' | 'true-size' | 'quality' | 'two-pages' }
  | { readonly name: 'brightness' | 'contrast' | 'channels' }
  | { readonly name: 'operation'; readonly operator: ColorOperator }
  | { readonly name: 'rotation'; readonly degrees: number }
  | { readonly name: 'marks' | 'rectangles'; readonly count: number };

const isWholeImage = ({ region }: ViewState): boolean =>
  (['x', 'y', 'width', 'height'] as const).every((side) => rounded(region[side]) === wholeImage[side]);

const anyOther = (values: readonly number[]): boolean => values.some((value) => value !== 0);

function colorParts(color: ViewColor): readonly ViewPart[] {
  if (isPlain(color)) return [];
  return [
    ...(color.contrast === 0 ? [] : [{ name: 'contrast' } as const]),
    ...(color.brightness === 0 ? [] : [{ name: 'brightness' } as const]),
    ...(anyOther([...color.multiply, ...color.add]) ? [{ name: 'channels' } as const] : []),
    ...(color.operation === '' ? [] : [{ name: 'operation', operator: color.operation } as const]),
  ];
}

const counted = (name: 'marks' | 'rectangles', count: number): readonly ViewPart[] =>
  count === 0 ? [] : [{ name, count }];

/** In order: region, orientation, colors, notes. */
export const partsOfView = (state: ViewState): readonly ViewPart[] => [
  ...(isWholeImage(state) ? [] : [{ name: 'region' } as const]),
  ...(state.mode === 'fit' ? [] : [{ name: state.mode }]),
  ...(state.mirror.horizontal || state.mirror.vertical ? [{ name: 'mirrored' } as const] : []),
  ...(rounded(state.rotation) === 0 ? [] : [{ name: 'rotation', degrees: rounded(state.rotation) } as const]),
  ...colorParts(state.color),
  ...(state.quality === undefined ? [] : [{ name: 'quality' } as const]),
  ...counted('marks', state.marks.length),
  ...counted('rectangles', state.rectangles.length),
  ...(state.twoPages ? [{ name: 'two-pages' } as const] : []),
];
