/** Lists the parts of a view that differ from the plain image, which its address contains. */
import type { ColorOperator } from '../../../src/core/image/model/color.ts';
import { isPlain } from './color.ts';
import { rounded } from './number-text.ts';
import { type ViewColor, type ViewState, wholeImage } from './view-state.ts';

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
