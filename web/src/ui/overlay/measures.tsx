/** The measurements on the image: their lines, values and points. */
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import type { Measure } from '../../model/measure/measure.ts';
import { guidesOf, labelPositionOf, outlinesOf } from '../../model/measure/outlines.ts';
import { movementOnImage } from '../../model/notes/mark-edits.ts';
import { toScreen } from '../../model/view/geometry.ts';
import type { Frame } from '../../stage/stage.ts';
import { movePoints } from '../../state/notes/note-edits.ts';
import { isSelected, notes, selected } from '../../state/notes/notes.ts';
import { setOnImage } from '../../state/notes/sketch.ts';
import { frame } from '../../state/stages.ts';
import { nameOfMeasure } from '../measure/values.ts';
import { Handle, NoteHandle } from './handle.tsx';
import { Lines, pathOf } from './stage-overlay.tsx';
import { type ValueLabel, valueLabels } from './value-labels.ts';

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
