/** The values of measurements on the image: their sizes, and where they cover neither each other nor the figures. */

import type { Size } from '../../../../src/core/image/model/geometry.ts';
import type { MeasureKind } from '../../model/measure/measure.ts';
import { labelPositionOf } from '../../model/measure/outlines.ts';
import { type Label, placeLabels } from '../../model/notes/overlay-layout.ts';
import type { Notes } from '../../model/notes/own-notes.ts';
import { type Matrix, toScreen } from '../../model/view/geometry.ts';
import type { Point, Rect } from '../../model/view-state.ts';
import type { Frame } from '../../stage/stage.ts';
import { notes } from '../../state/notes/notes.ts';
import { mainValue } from '../measure/values.ts';

/** Kinds with a line or a point below the value, which must stay visible and movable. */
const isBeside: ReadonlySet<MeasureKind> = new Set([
  'line',
  'path',
  'angle',
  'circle',
  'ellipse',
  'proportion',
  'grid',
  'intercolumniation',
]);

/** The distance of such a value from the point, in CSS pixels. */
const gap = 14;

/** More numbers of marks and regions than this are not kept free: there is no space between them. */
const maxKeptFree = 300;

export interface ValueLabel {
  readonly text: string;
  /** From the position of the label on the figure to the middle of the label, in CSS pixels. */
  readonly shift: Point;
  readonly size: Label['size'];
}

const boxAround = ({ x, y }: Point, width: number, height: number): Rect => ({
  x: x - width / 2,
  y: y - height / 2,
  width,
  height,
});

/** The numbers beside marks and at the corners of regions, in CSS pixels. */
function numberBoxes({ marks, rectangles }: Notes, matrix: Matrix): readonly Rect[] {
  if (marks.length + rectangles.length > maxKeptFree) return [];
  return [
    ...marks.map((mark) => boxAround(toScreen(matrix, mark), 24, 24)),
    ...marks.map((mark) => {
      const { x, y } = toScreen(matrix, mark);
      return boxAround({ x: x + 18, y: y - 16 }, 26, 24);
    }),
    ...rectangles.map((rectangle) => boxAround(toScreen(matrix, rectangle), 26, 26)),
  ];
}

/** The labels with these texts, one for each measurement. */
export function placeValueLabels(
  { matrix, image }: Frame,
  all: Notes,
  texts: readonly string[],
): readonly ValueLabel[] {
  const labels = all.measures.map((measure, at): Label => {
    const anchor = toScreen(matrix, labelPositionOf(measure, image));
    const size = valueSize(texts[at] ?? '');
    return isBeside.has(measure.kind) ? { anchor, size, gap } : { anchor, size };
  });
  return placeLabels(labels, numberBoxes(all, matrix)).map((box, at) => {
    const { anchor = { x: 0, y: 0 }, size = { width: 0, height: 0 } } = labels[at] ?? {};
    const shift = { x: box.x + box.width / 2 - anchor.x, y: box.y + box.height / 2 - anchor.y };
    return { text: texts[at] ?? '', shift, size };
  });
}

let last: { readonly key: string; readonly all: Notes; readonly labels: readonly ValueLabel[] } | undefined;

/** The labels of all measurements, in their order. They are computed anew when anything but the position changes. */
export function valueLabels(now: Frame): readonly ValueLabel[] {
  const all = notes.value;
  if (all.measures.length === 0) return [];
  const texts = all.measures.map((measure) => mainValue(measure, now.image));
  const key = JSON.stringify([now.matrix.slice(0, 4), texts]);
  if (last?.key !== key || last.all !== all) last = { key, all, labels: placeValueLabels(now, all, texts) };
  return last.labels;
}

/** The boxes of all values on the stage, in CSS pixels. */
export const valueBoxes = (now: Frame): readonly Rect[] =>
  valueLabels(now).map(({ shift, size }, at) => {
    const measure = notes.value.measures[at];
    const anchor = measure ? toScreen(now.matrix, labelPositionOf(measure, now.image)) : { x: 0, y: 0 };
    return boxAround({ x: anchor.x + shift.x, y: anchor.y + shift.y }, size.width, size.height);
  });

/** As in `overlay.css`, in rem. */
const font = 0.8;
const padding = { x: 0.55, y: 0.35 };

/** The least height, in CSS pixels. */
const least = 24;

const widths = new Map<string, number>();
let context: CanvasRenderingContext2D | null | undefined;

/** In CSS pixels; a pixel too wide, since a canvas measures other digits than those of equal width. */
export function valueSize(text: string): Size {
  const style = getComputedStyle(document.documentElement);
  const rem = Number.parseFloat(style.fontSize);
  const height = Math.max(least, (font + 2 * padding.y) * rem);
  const known = widths.get(text);
  if (known !== undefined) return { width: known, height };
  context ??= document.createElement('canvas').getContext('2d');
  if (context === null) return { width: least, height };
  context.font = `600 ${font * rem}px ${style.getPropertyValue('--sans')}`;
  const width = Math.ceil(Math.max(least, context.measureText(text).width + 2 * padding.x * rem)) + 1;
  if (widths.size > 1000) widths.clear();
  widths.set(text, width);
  return { width, height };
}
