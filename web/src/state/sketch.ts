/** What the reader is drawing on the image: its points so far, and what becomes of them. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { type Aim, aimOf, onImage } from '../model/aim.ts';
import { rectangleBetween } from '../model/marks.ts';
import { type MeasureKind, measureKinds, type SetPoint } from '../model/measure.ts';
import type { Point } from '../model/view-state.ts';
import { addMark, addMeasure, addRectangle } from './note-edits.ts';
import { noteToWrite, selected } from './notes.ts';
import { openState } from './opened.ts';
import { focusStage, frame, stage } from './stage.ts';
import { panel, type ToolName, tool } from './tools.ts';

/** The measurements that tools draw. */
export const measureTools = {
  line: 'line',
  path: 'path',
  angle: 'angle',
  polygon: 'polygon',
  box: 'rectangle',
  circle: 'circle',
  ellipse: 'ellipse',
  proportion: 'proportion',
  'reference-length': 'line',
} as const satisfies Partial<Record<ToolName, MeasureKind>>;

const isMeasureTool = (name: ToolName): name is keyof typeof measureTools => Object.hasOwn(measureTools, name);

/** The measurement that a tool draws. */
export const kindOf = (name: ToolName): MeasureKind | undefined =>
  isMeasureTool(name) ? measureTools[name] : undefined;

/** How many points a tool asks for; undefined for tools that draw nothing. */
function pointsOf(name: ToolName): { readonly least: number; readonly most: number } | undefined {
  if (name === 'mark') return { least: 1, most: 1 };
  if (name === 'rectangle') return { least: 2, most: 2 };
  const kind = kindOf(name);
  return kind && measureKinds[kind];
}

export const isDrawing: ReadonlySignal<boolean> = computed(() => pointsOf(tool.value) !== undefined);

/** Whether a drag draws all: from the first point to the last. */
export const drawsByDrag = (name: ToolName): boolean => pointsOf(name)?.most === 2;

const points = signal<readonly SetPoint[]>([]);

/** Fractions of the image. */
export const sketch: ReadonlySignal<readonly SetPoint[]> = points;

/** A line that was drawn for its known length, which the panel asks for. */
export const referenceLine = signal<readonly [Point, Point] | undefined>(undefined);

const refused = signal(false);

/** Whether the reader has just pointed at the page beside the main one, where nothing can be put. */
export const isBeside: ReadonlySignal<boolean> = refused;

/** Takes a tool up, with the keyboard on the image; the same tool again puts it away. */
export function takeTool(name: ToolName): void {
  tool.value = tool.peek() === name ? 'move' : name;
  if (tool.peek() !== 'move') focusStage();
}

/** CSS pixels beside the edge of the image that still are its edge. */
const edgeSlack = 4;

function whereIs(point: Point): Aim {
  const [now, on] = [frame.peek(), stage.peek()];
  if (now === undefined || on === undefined) return 'nowhere';
  const { image, placement } = now;
  const [x, y] = [image.width, image.height].map((length) => edgeSlack / (length * placement.scale));
  return aimOf(point, on.spread, { x: x ?? 0, y: y ?? 0 });
}

/** The nearest point of the image, with how exactly it could be pointed at. */
export function setOnImage(point: Point): SetPoint {
  const scale = frame.peek()?.placement.scale;
  return { ...onImage(point), ...(scale === undefined ? {} : { grain: 1 / scale }) };
}

/** The point that is meant; undefined where it lies on nothing that can be drawn on. A region may be drawn beyond an edge. */
function meant(point: Point, isEnd: boolean): SetPoint | undefined {
  const aim = whereIs(point);
  refused.value = aim === 'beside';
  const isTaken = aim === 'image' || (aim === 'nowhere' && isEnd && tool.peek() === 'rectangle');
  return isTaken ? setOnImage(point) : undefined;
}

/** Who has the list of notes open goes on to write in it. */
function askForText(): void {
  if (panel.peek() === 'notes') noteToWrite.value = selected.peek();
}

/** A rectangle that has no area is a slip of the hand. */
function finishRectangle(first: Point, second: Point): void {
  const rectangle = rectangleBetween(first, second);
  if (rectangle.width === 0 || rectangle.height === 0) return;
  addRectangle(rectangle);
  askForText();
}

/** What was drawn becomes a note. */
function finish(name: ToolName, drawn: readonly SetPoint[]): void {
  const [first, second = first] = drawn;
  const kind = kindOf(name);
  if (first === undefined || second === undefined) return;
  if (name === 'mark') {
    addMark(onImage(first));
    askForText();
  } else if (name === 'rectangle') finishRectangle(first, second);
  else if (name === 'reference-length') {
    referenceLine.value = [first, second];
    tool.value = 'move';
  } else if (kind !== undefined) addMeasure({ kind, points: drawn });
}

/** The next point, where it lies on the image. Where no more are asked for, the drawing ends. */
export function addPoint(at: Point): void {
  const asked = pointsOf(tool.peek());
  if (asked === undefined) return;
  const point = meant(at, points.peek().length > 0);
  if (point === undefined) return;
  const drawn = [...points.peek(), point];
  if (drawn.length < asked.most) points.value = drawn;
  else {
    points.value = [];
    finish(tool.peek(), drawn);
  }
}

/** Ends what has as many points as the reader wants. */
export function endSketch(): void {
  const asked = pointsOf(tool.peek());
  const drawn = points.peek();
  if (asked === undefined || drawn.length < asked.least) return;
  points.value = [];
  finish(tool.peek(), drawn);
}

/** Takes the last point back; false where there is none. */
export function takeBackPoint(): boolean {
  const drawn = points.peek();
  points.value = drawn.slice(0, -1);
  return drawn.length > 0;
}

/** Leaves what is begun; false where nothing is. */
export function leaveSketch(): boolean {
  const isBegun = points.peek().length > 0;
  points.value = [];
  return isBegun;
}

const openPath = computed(() => (openState.value.kind === 'open' ? openState.value.opened.path : undefined));

// What one tool has begun is nothing to another, nor to another image.
effect(() => {
  tool.value;
  openPath.value;
  points.value = [];
  refused.value = false;
});

effect(() => {
  openPath.value;
  referenceLine.value = undefined;
});
