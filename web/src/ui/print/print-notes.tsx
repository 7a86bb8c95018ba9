/** Marks, regions and measurements as they are printed: numbers on the picture, texts below. */
import type { VNode } from 'preact';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { message } from '../../messages/messages.ts';
import { guidesOf, labelPositionOf, outlinesOf } from '../../model/measure/measure.ts';
import { placeLabels } from '../../model/notes/overlay-layout.ts';
import { cornersOf, type Matrix, toScreen } from '../../model/view/geometry.ts';
import type { Point } from '../../model/view-state.ts';
import type { Frame } from '../../stage/stage.ts';
import { notes } from '../../state/notes/notes.ts';
import { noteStyle } from '../common/elements.ts';
import { mainValue, nameOfMeasure } from '../measure/values.ts';
import { valueSize } from '../overlay/measures.tsx';
import { Lines, pathOf } from '../overlay/stage-overlay.tsx';

interface LabelProps {
  readonly at: Point;
  readonly text: string;
  readonly size: Size;
}

const Label = ({ at: { x, y }, text, size: { width, height } }: LabelProps): VNode => (
  <g>
    <rect x={x - width / 2} y={y - height / 2} width={width} height={height} rx={5} />
    <text x={x} y={y}>
      {text}
    </text>
  </g>
);

const numberSize = (text: string): Size => ({ width: 12 + text.length * 7, height: 18 });

function Marks({ matrix }: { readonly matrix: Matrix }): VNode {
  return (
    <>
      {notes.value.marks.map((mark, at) => {
        const { x, y } = toScreen(matrix, mark);
        const text = String(at + 1);
        return (
          <g key={at}>
            <circle class="edge" cx={x} cy={y} r={7} />
            <circle class="core" style={noteStyle(mark.color)} cx={x} cy={y} r={7} />
            <Label at={{ x: x + 13, y: y - 13 }} text={text} size={numberSize(text)} />
          </g>
        );
      })}
    </>
  );
}

function Regions({ matrix }: { readonly matrix: Matrix }): VNode {
  return (
    <>
      {notes.value.rectangles.map((region, at) => (
        <g key={at}>
          <Lines path={pathOf([{ points: cornersOf(region), closed: true }], matrix)} color={region.color} />
          <Label at={toScreen(matrix, region)} text={String(at + 1)} size={numberSize(String(at + 1))} />
        </g>
      ))}
    </>
  );
}

function Measures({ matrix, image }: { readonly matrix: Matrix; readonly image: Size }): VNode {
  const { measures } = notes.value;
  const labels = measures.map((measure) => ({
    anchor: toScreen(matrix, labelPositionOf(measure, image)),
    size: valueSize(mainValue(measure, image)),
    gap: 10,
  }));
  const boxes = placeLabels(labels);
  return (
    <>
      {measures.map(({ kind, points, color }, at) => (
        <g key={at}>
          <Lines path={pathOf(guidesOf(kind, points, image), matrix)} class="guide-lines" />
          <Lines path={pathOf(outlinesOf(kind, points, image), matrix)} class={kind} color={color} />
        </g>
      ))}
      {boxes.map(({ x, y, width, height }, at) => {
        const measure = measures[at];
        const text = measure === undefined ? '' : mainValue(measure, image);
        return <Label key={at} at={{ x: x + width / 2, y: y + height / 2 }} text={text} size={{ width, height }} />;
      })}
    </>
  );
}

interface PrintedNotesProps {
  readonly now: Frame;
  /** From fractions of the image to units of the drawing. */
  readonly matrix: Matrix;
  readonly size: Size;
}

/** The drawing over the picture, which has the size of its view box. */
export function PrintedNotes({ now: { image }, matrix, size }: PrintedNotesProps): VNode {
  return (
    <svg class="print-notes" viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
      <Regions matrix={matrix} />
      <Measures matrix={matrix} image={image} />
      <Marks matrix={matrix} />
    </svg>
  );
}

interface Line {
  readonly name: string;
  readonly text: string;
}

/** The texts of all notes that have one, and the values of all measurements. */
export function PrintedTexts({ image }: { readonly image: Size }): VNode | null {
  const { marks, rectangles, measures } = notes.value;
  const lines: readonly Line[] = [
    ...marks.map(({ text = '' }, at) => ({ name: message('mark-name', { number: at + 1 }), text })),
    ...rectangles.map(({ text = '' }, at) => ({ name: message('region-name', { number: at + 1 }), text })),
  ].filter(({ text }) => text !== '');
  const values = measures.map((measure, at) => nameOfMeasure(measure, at, image));
  if (lines.length + values.length === 0) return null;
  return (
    <ul class="print-texts">
      {lines.map(({ name, text }) => (
        <li key={name}>
          {name}: {text}
        </li>
      ))}
      {values.map((value) => (
        <li key={value}>{value}</li>
      ))}
    </ul>
  );
}
