/** The measurements on the image: their lines, values and points. */
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { labelPositionOf, outlinesOf } from '../../model/figure.ts';
import { movementOnImage } from '../../model/hit-test.ts';
import type { Measure, MeasureKind } from '../../model/measure.ts';
import type { Frame } from '../../stage/stage.ts';
import { movePoints } from '../../state/note-edits.ts';
import { isSelected, notes, selected } from '../../state/notes.ts';
import { setOnImage } from '../../state/sketch.ts';
import { frame } from '../../state/stage.ts';
import { mainValue, nameOfMeasure } from '../measure/values.ts';
import { Handle, NoteHandle } from './handle.tsx';
import { Lines, pathOf } from './lines.tsx';

/** Kinds with a line or a point below the value, which must stay visible and movable. */
const isBeside: ReadonlySet<MeasureKind> = new Set(['line', 'path', 'angle', 'circle', 'ellipse', 'proportion']);

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

function MeasureValue({ measure, at }: MeasureProps): VNode | null {
  const now = frame.value;
  if (now === undefined) return null;
  const { points } = measure;
  const label = labelPositionOf(measure);
  return (
    <div class="measure-item">
      <NoteHandle
        note={{ kind: 'measure', at }}
        at={label}
        name={nameOfMeasure(measure, at, now.image)}
        class={isBeside.has(measure.kind) ? 'value-handle beside' : 'value-handle'}
        onMove={(to, group) => {
          const { x, y } = movementOnImage(points, { x: to.x - label.x, y: to.y - label.y });
          const moved = points.map((point) => ({ ...point, x: point.x + x, y: point.y + y }));
          movePoints(at, moved, group);
        }}
      >
        {mainValue(measure, now.image)}
      </NoteHandle>
      <Points measure={measure} at={at} />
    </div>
  );
}

export const MeasureValues = (): VNode => (
  <>
    {notes.value.measures.map((measure, at) => (
      <MeasureValue key={at} measure={measure} at={at} />
    ))}
  </>
);

export const MeasureLines = ({ matrix, image }: Frame): VNode => (
  <>
    {notes.value.measures.map(({ kind, points }, at) => (
      <Lines
        key={at}
        path={pathOf(outlinesOf(kind, points, image), matrix)}
        class={`measure-lines ${isSelected('measure', at) ? 'chosen' : ''}`}
      />
    ))}
  </>
);
