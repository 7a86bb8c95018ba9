/** All notes and measurements of the image, and buttons for marks that stand too close. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { message } from '../../messages/messages.ts';
import { guidesOf, type Measure, type Outline, outlinesOf } from '../../model/measure/measure.ts';
import { crowdedFrom, drawnMarks, markNear, placeLabels } from '../../model/notes/overlay-layout.ts';
import { toImage, toScreen } from '../../model/view/geometry.ts';
import type { Point } from '../../model/view-state.ts';
import type { Frame } from '../../stage/stage.ts';
import { loadSiteUnits, notes, notesShown, selected } from '../../state/notes/notes.ts';
import { isBeside, isDrawing, kindOf, referenceLine, sketch } from '../../state/notes/sketch.ts';
import { goToPage, openedNow } from '../../state/opened.ts';
import { pageBeside } from '../../state/pages.ts';
import { tool } from '../../state/tools.ts';
import { focusStage, frame, onPointer, stage } from '../../state/view.ts';
import { Button } from '../common/button.tsx';
import { pointerOn } from '../common/elements.ts';
import { nameOfNote } from '../common/words.ts';
import { mainValue, nameOfMeasure } from '../measure/values.ts';
import { MarkHandle, Marks, RegionLines, Regions } from './handle.tsx';
import { MeasureLines, MeasureValues, valueBoxes, valueSize } from './measures.tsx';
import { Lines, pathOf } from './stage-overlay.tsx';
import { useDrawing } from './use-drawing.ts';

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

/** Half of a ring's side, and how near the pointer takes a mark, in CSS pixels. */
const radius = 12;

const darkCore = '#1d1a16';

/** The ring as the handles have it: dark, or of the color of its mark, between two light edges. */
function drawRing(density: number, core: string): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = 2 * radius * density;
  canvas.height = canvas.width;
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  context.scale(density, density);
  for (const [color, width] of [
    ['rgb(255 255 255 / 0.95)', 6],
    [core, 2.5],
  ] as const) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.beginPath();
    context.arc(radius, radius, 7, 0, 2 * Math.PI);
    context.stroke();
  }
  return canvas;
}

/** The index of the mark under the pointer; a tap or click without a pointer over a mark before selects the nearest one. */
function useNearMark() {
  const near = useSignal<number | undefined>(undefined);
  const find = (at: Point): number | undefined => {
    const now = frame.peek();
    return now && markNear(notes.peek().marks, now.matrix, at, radius);
  };
  useEffect(() => {
    const element = stage.peek()?.focusElement;
    const move = (event: PointerEvent): void => {
      if (event.buttons !== 0 || element === undefined) return;
      near.value = find(pointerOn(element, event));
    };
    element?.addEventListener('pointermove', move);
    const forget = onPointer(({ kind, at, use }) => {
      if (kind !== 'click' || isDrawing.peek()) return;
      const found = find(at);
      if (found === undefined) return;
      use();
      selected.value = { kind: 'mark', at: found };
    });
    return () => {
      element?.removeEventListener('pointermove', move);
      forget();
    };
  }, [stage.value]);
  return near;
}

/** Thousands of marks: rings on a canvas, and the handles of the selected one and of the one under the pointer. */
function CrowdedMarks(): VNode | null {
  const canvas = useRef<HTMLCanvasElement>(null);
  const rings = useRef(new Map<string, HTMLCanvasElement>());
  const near = useNearMark();
  const now = frame.value;
  const { marks } = notes.value;
  const density = devicePixelRatio;
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || now === undefined) return;
    const { canvas: on } = context;
    const [width, height] = [Math.round(now.window.width * density), Math.round(now.window.height * density)];
    if (on.width !== width || on.height !== height) Object.assign(on, { width, height });
    else context.clearRect(0, 0, width, height);
    for (const { x, y, color = darkCore } of drawnMarks(marks, now.matrix, now.window, radius)) {
      const key = `${density} ${color}`;
      const ring = rings.current.get(key) ?? drawRing(density, color);
      rings.current.set(key, ring);
      context.drawImage(ring, Math.round((x - radius) * density), Math.round((y - radius) * density));
    }
  }, [now, marks, density]);
  const handles = new Set([near.value, selected.value?.kind === 'mark' ? selected.value.at : undefined]);
  return (
    <>
      <canvas class="crowded-marks" ref={canvas} />
      {[...handles].map((at) => {
        const mark = at === undefined ? undefined : marks[at];
        return mark && at !== undefined && <MarkHandle key={at} mark={mark} at={at} />;
      })}
    </>
  );
}
