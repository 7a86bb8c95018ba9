/** The layer above the stage with the notes and the drawing in progress, which follows the image in every frame. */
import '../../styles/overlay.css';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import type { Measure } from '../../model/measure/measure.ts';
import { guidesOf, type Outline, outlinesOf } from '../../model/measure/outlines.ts';
import { crowdedFrom, placeLabels } from '../../model/notes/overlay-layout.ts';
import { toImage, toScreen } from '../../model/view/geometry.ts';
import type { Point } from '../../model/view-state.ts';
import type { Frame } from '../../stage/stage.ts';
import { notes, notesShown, selected } from '../../state/notes/notes.ts';
import { loadSiteUnits } from '../../state/notes/scale.ts';
import { isBeside, isDrawing, kindOf, referenceLine, sketch } from '../../state/notes/sketch.ts';
import { goToPage, openedNow } from '../../state/opened.ts';
import { pageBeside } from '../../state/pages.ts';
import { focusStage, frame, stage } from '../../state/stages.ts';
import { tool } from '../../state/tools.ts';
import { Button } from '../common/button.tsx';
import { nameOfNote } from '../common/words.ts';
import { mainValue, nameOfMeasure } from '../measure/values.ts';
import { CrowdedMarks } from './crowded-marks.tsx';
import { Marks } from './handle.tsx';
import { MeasureLines, MeasureValues } from './measures.tsx';
import { RegionLines, Regions } from './regions.tsx';
import { Lines, pathOf } from './stage-overlay.tsx';
import { useDrawing } from './use-drawing.ts';
import { valueBoxes, valueSize } from './value-labels.ts';

/** The wheel also zooms above a mark. */
function passOnWheel(event: WheelEvent): void {
  event.preventDefault();
  stage.peek()?.focusElement.dispatchEvent(new WheelEvent(event.type, event));
}

/** The name of the selected note, for screen readers. */
function nameOfSelected({ image }: Frame): string {
  const { kind, at } = selected.value ?? {};
  const { marks, rectangles, measures } = notes.value;
  if (at === undefined) return '';
  if (kind === 'mark') return nameOfNote('mark-name', at, marks[at]?.text);
  if (kind === 'rectangle') return nameOfNote('region-name', at, rectangles[at]?.text);
  const measure = measures[at];
  return measure === undefined ? '' : nameOfMeasure(measure, at, image);
}

export function NotesLayer(): VNode | null {
  const pointer = useDrawing();
  const hasMeasures = notes.value.measures.length > 0;
  useEffect(() => {
    if (hasMeasures) loadSiteUnits();
  }, [hasMeasures]);
  const now = frame.value;
  if (now === undefined) return null;
  const drawing = isDrawing.value ? { now, pointer: pointer.value } : undefined;
  return (
    <>
      <section
        class={drawing ? 'notes-layer passive' : 'notes-layer'}
        aria-label={message('notes-on-image')}
        onWheel={passOnWheel}
      >
        <svg class="notes-lines" aria-hidden="true">
          {notesShown.value && <RegionLines matrix={now.matrix} />}
          {notesShown.value && <MeasureLines {...now} />}
          {referenceLine.value && (
            <Lines path={pathOf([{ points: referenceLine.value, closed: false }], now.matrix)} class="chosen" />
          )}
          {drawing && <DrawingLines {...drawing} />}
        </svg>
        {notesShown.value && (
          <>
            <Regions />
            <MeasureValues />
            {notes.value.marks.length > crowdedFrom ? <CrowdedMarks /> : <Marks />}
          </>
        )}
        {drawing && <DrawingValue {...drawing} />}
        <p class="off-screen" role="status">
          {nameOfSelected(now)}
        </p>
      </section>
      <BesideNotice />
    </>
  );
}

function Notice(): VNode | null {
  const opened = openedNow();
  const page = opened && pageBeside(opened)?.page;
  if (page === undefined) return null;
  const { at } = page;
  return (
    <>
      <p>{message('beside-page', { at })}</p>
      <Button
        onClick={() => {
          void goToPage(page);
          focusStage();
        }}
      >
        {message('beside-page-go', { at })}
      </Button>
    </>
  );
}

/** Always rendered, so that screen readers announce its content. */
const BesideNotice = (): VNode => (
  <div class="beside-notice" role="status">
    {isBeside.value && <Notice />}
  </div>
);

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

/** The drawing in progress: its lines, its value beside the pointer, and the crosshair for the keyboard. */
function DrawingLines(props: DrawingProps): VNode {
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

function DrawingValue(props: DrawingProps): VNode | null {
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
