/** Measurements on the image, with their lines, points and values. */
import type { VNode } from 'preact';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { message } from '../../messages/messages.ts';
import { guidesOf, labelPositionOf, type Measure, type MeasureKind, outlinesOf } from '../../model/measure/measure.ts';
import { movementOnImage } from '../../model/notes/mark-edits.ts';
import { type Label, placeLabels } from '../../model/notes/overlay-layout.ts';
import type { Notes } from '../../model/notes/own-notes.ts';
import { around, type Matrix, toScreen } from '../../model/view/geometry.ts';
import type { Point, Rect } from '../../model/view-state.ts';
import type { Frame } from '../../stage/stage.ts';
import { isSelected, notes, selected } from '../../state/notes/notes.ts';
import { movePoints, setOnImage } from '../../state/notes/sketch.ts';
import { frame } from '../../state/view.ts';
import { mainValue, nameOfMeasure } from '../measure/values.ts';
import { Handle, NoteHandle } from './handle.tsx';
import { Lines, pathOf } from './stage-overlay.tsx';

interface MeasureProps {
  readonly measure: Measure;
  readonly at: number;
}

const select = (at: number): void => {
  selected.value = { kind: 'measure', at };
};

/** Points of all measurements can be dragged at once; Tab reaches those of the selected one only. */
const Points = ({ measure: { points }, at }: MeasureProps): VNode => (
  <>
    {points.map((point, index) => (
      <Handle
        key={index}
        at={point}
        class={isSelected('measure', at) ? 'point-handle' : 'point-handle quiet'}
        isTabStop={isSelected('measure', at)}
        onClick={() => select(at)}
        name={message('measure-point', { number: at + 1, point: index + 1 })}
        onMove={(to, group) => {
          select(at);
          const moved = points.map((old, other) => (other === index ? setOnImage(to) : old));
          movePoints(at, moved, group);
        }}
      />
    ))}
  </>
);

interface ValueProps extends MeasureProps {
  readonly label: ValueLabel | undefined;
}

function MeasureValue({ measure, at, label: placed }: ValueProps): VNode | null {
  const now = frame.value;
  if (now === undefined) return null;
  const { points } = measure;
  const label = labelPositionOf(measure, now.image);
  return (
    <div class="measure-item">
      <NoteHandle
        note={{ kind: 'measure', at }}
        at={label}
        name={nameOfMeasure(measure, at, now.image)}
        class="value-handle"
        {...(placed && { shift: placed.shift })}
        onMove={(to, group) => {
          const { x, y } = movementOnImage(points, { x: to.x - label.x, y: to.y - label.y });
          const moved = points.map((point) => ({ ...point, x: point.x + x, y: point.y + y }));
          movePoints(at, moved, group);
        }}
      >
        {placed?.text}
      </NoteHandle>
      <Points measure={measure} at={at} />
    </div>
  );
}

export function MeasureValues(): VNode | null {
  const now = frame.value;
  if (now === undefined) return null;
  const labels = valueLabels(now);
  return (
    <>
      {notes.value.measures.map((measure, at) => (
        <MeasureValue key={at} measure={measure} at={at} label={labels[at]} />
      ))}
    </>
  );
}

/** Values that had to move farther away than this have a line to their figure; in CSS pixels. */
const leastLeader = 50;

function leaderOf(measure: Measure, { shift }: ValueLabel, { matrix, image }: Frame): string {
  if (Math.hypot(shift.x, shift.y) < leastLeader) return '';
  const { x, y } = toScreen(matrix, labelPositionOf(measure, image));
  return `M${x.toFixed(2)} ${y.toFixed(2)}l${shift.x.toFixed(2)} ${shift.y.toFixed(2)}`;
}

export function MeasureLines(now: Frame): VNode {
  const { matrix, image } = now;
  const labels = valueLabels(now);
  const { measures } = notes.value;
  const leaders = measures.map((measure, at) => (labels[at] ? leaderOf(measure, labels[at], now) : '')).join('');
  return (
    <>
      {measures.map(({ kind, points, color }, at) => (
        <>
          {isSelected('measure', at) && (
            <Lines path={pathOf(guidesOf(kind, points, image), matrix)} class="guide-lines" />
          )}
          <Lines
            path={pathOf(outlinesOf(kind, points, image), matrix)}
            class={`measure-lines ${kind} ${isSelected('measure', at) ? 'chosen' : ''}`}
            color={color}
          />
        </>
      ))}
      {leaders !== '' && <Lines path={leaders} class="guide-lines" />}
    </>
  );
}

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

/** The values of measurements on the image: their sizes, and where they cover neither each other nor the figures. */
interface ValueLabel {
  readonly text: string;
  /** From the position of the label on the figure to the middle of the label, in CSS pixels. */
  readonly shift: Point;
  readonly size: Label['size'];
}

/** The numbers beside marks and at the corners of regions, in CSS pixels. */
function numberBoxes({ marks, rectangles }: Notes, matrix: Matrix): readonly Rect[] {
  if (marks.length + rectangles.length > maxKeptFree) return [];
  return [
    ...marks.map((mark) => around(toScreen(matrix, mark), { width: 24, height: 24 })),
    ...marks.map((mark) => {
      const { x, y } = toScreen(matrix, mark);
      return around({ x: x + 18, y: y - 16 }, { width: 26, height: 24 });
    }),
    ...rectangles.map((rectangle) => around(toScreen(matrix, rectangle), { width: 26, height: 26 })),
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
function valueLabels(now: Frame): readonly ValueLabel[] {
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
    return around({ x: anchor.x + shift.x, y: anchor.y + shift.y }, size);
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
