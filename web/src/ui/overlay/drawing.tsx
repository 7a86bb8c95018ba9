/** The drawing in progress: its lines, its value beside the pointer, and the crosshair for the keyboard. */
import type { VNode } from 'preact';
import type { Measure } from '../../model/measure/measure.ts';
import { guidesOf, type Outline, outlinesOf } from '../../model/measure/outlines.ts';
import { placeLabels } from '../../model/notes/overlay-layout.ts';
import { toImage, toScreen } from '../../model/view/geometry.ts';
import type { Point } from '../../model/view-state.ts';
import type { Frame } from '../../stage/stage.ts';
import { notesShown } from '../../state/notes/notes.ts';
import { kindOf, sketch } from '../../state/notes/sketch.ts';
import { tool } from '../../state/tools.ts';
import { mainValue } from '../measure/values.ts';
import { Lines, pathOf } from './lines.tsx';
import { valueBoxes } from './value-labels.ts';
import { valueSize } from './value-size.ts';

interface DrawingProps {
  readonly now: Frame;
  /** The position of the pointer; without one, the keyboard draws at the crosshair. */
  readonly pointer: Point | undefined;
}

const crosshairOf = ({ window }: Frame): Point => ({ x: window.width / 2, y: window.height / 2 });

/** The points so far, and the next one. */
const pointsOf = ({ now, pointer }: DrawingProps): readonly Point[] =>
  sketch.value.length === 0 ? [] : [...sketch.value, toImage(now.matrix, pointer ?? crosshairOf(now))];

const outlines = (points: readonly Point[], { image }: Frame): readonly Outline[] =>
  outlinesOf(kindOf(tool.value) ?? 'rectangle', points, image);

const guides = (points: readonly Point[], { image }: Frame): readonly Outline[] =>
  guidesOf(kindOf(tool.value) ?? 'rectangle', points, image);

export function DrawingLines(props: DrawingProps): VNode {
  const { now } = props;
  const points = pointsOf(props);
  return (
    <>
      <Lines path={pathOf(guides(points, now), now.matrix)} class="guide-lines" />
      {points.length > 0 && <Lines path={pathOf(outlines(points, now), now.matrix)} class="chosen" />}
      {sketch.value.map((point, at) => {
        const { x, y } = toScreen(now.matrix, point);
        return <circle key={at} class="sketch-point" cx={x} cy={y} r={4} />;
      })}
    </>
  );
}

/** The value of the unfinished measurement; of a proportion, the length of the current line. */
function currentValue({ now, pointer }: DrawingProps): string {
  const kind = kindOf(tool.value);
  const points = pointsOf({ now, pointer });
  if (kind === undefined || points.length < 2) return '';
  const value = mainValue({ kind, points }, now.image);
  const pair: Measure = { kind: 'line', points: points.slice(points.length === 4 ? 2 : 0).slice(0, 2) };
  return value === '' ? mainValue(pair, now.image) : value;
}

/** The distance of the value from the pointer, in CSS pixels. */
const pointerGap = 18;

export function DrawingValue(props: DrawingProps): VNode | null {
  const text = currentValue(props);
  const anchor = props.pointer ?? crosshairOf(props.now);
  const others = notesShown.value ? valueBoxes(props.now) : [];
  const [box] = text === '' ? [] : placeLabels([{ anchor, size: valueSize(text), gap: pointerGap }], others);
  return (
    <>
      <div class={props.pointer === undefined ? 'crosshair' : 'crosshair faint'} aria-hidden="true" />
      {box && (
        <output
          class="live-value"
          // Movements of the pointer are not announced.
          aria-live={props.pointer === undefined ? 'polite' : 'off'}
          style={{ left: `${box.x}px`, top: `${box.y}px` }}
        >
          {text}
        </output>
      )}
    </>
  );
}
