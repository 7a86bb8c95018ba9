/** The measurements on the image: their lines, their values, and their points, which are shown of the one that is chosen. */
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { movementOnImage } from '../../model/aim.ts';
import { labelPlaceOf, outlinesOf } from '../../model/figure.ts';
import type { Measure, MeasureKind } from '../../model/measure.ts';
import type { Frame } from '../../stage/stage.ts';
import { movePoints, remove } from '../../state/note-edits.ts';
import { isSelected, notes, selected } from '../../state/notes.ts';
import { setOnImage } from '../../state/sketch.ts';
import { focusStage, frame } from '../../state/stage.ts';
import { mainValue, nameOfMeasure } from '../measure/values.ts';
import { Handle } from './handle.tsx';
import { Lines, pathOf } from './lines.tsx';

/** What has a line or a point where its value stands, which must be seen and taken. */
const isBeside: ReadonlySet<MeasureKind> = new Set(['line', 'path', 'angle', 'circle', 'ellipse', 'proportion']);

interface MeasureProps {
  readonly measure: Measure;
  readonly at: number;
}

const select = (at: number): void => {
  selected.value = { kind: 'measure', at };
};

/** Of all that is not chosen too: an end can be corrected at once. The keyboard meets those of the chosen one alone. */
const Points = ({ measure: { points }, at }: MeasureProps): VNode => (
  <>
    {points.map((point, index) => (
      <Handle
        key={index}
        at={point}
        class={isSelected('measure', at) ? 'point-place' : 'point-place quiet'}
        isPassedByKeys={isSelected('measure', at)}
        onClick={() => select(at)}
        name={message('measure-point', { number: at + 1, point: index + 1 })}
        onMove={(to, of) => {
          select(at);
          movePoints(
            at,
            points.map((old, place) => (place === index ? setOnImage(to) : old)),
            of,
          );
        }}
      />
    ))}
  </>
);

function MeasurePlace({ measure, at }: MeasureProps): VNode | null {
  const now = frame.value;
  if (now === undefined) return null;
  const { points } = measure;
  const chosen = isSelected('measure', at);
  const label = labelPlaceOf(measure);
  return (
    <div class="measure-place">
      <Handle
        at={label}
        name={nameOfMeasure(measure, at, now.image)}
        class={isBeside.has(measure.kind) ? 'value-place beside' : 'value-place'}
        isSelected={chosen}
        onClick={() => select(at)}
        onMove={(to, of) => {
          select(at);
          const { x, y } = movementOnImage(points, { x: to.x - label.x, y: to.y - label.y });
          movePoints(
            at,
            points.map((point) => ({ ...point, x: point.x + x, y: point.y + y })),
            of,
          );
        }}
        onDelete={() => {
          remove({ kind: 'measure', at });
          focusStage();
        }}
      >
        {mainValue(measure, now.image)}
      </Handle>
      <Points measure={measure} at={at} />
    </div>
  );
}

export const MeasurePlaces = (): VNode => (
  <>
    {notes.value.measures.map((measure, at) => (
      <MeasurePlace key={at} measure={measure} at={at} />
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
