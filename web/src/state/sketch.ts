/** What the reader is drawing on the image: its points so far, and what becomes of them. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { rectangleBetween } from '../model/marks.ts';
import { type MeasureKind, measureKinds } from '../model/measure.ts';
import type { Point } from '../model/view-state.ts';
import { addMark, addMeasure, addRectangle } from './note-edits.ts';
import { stage } from './stage.ts';
import { type ToolName, tool } from './tools.ts';

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
  'known-length': 'line',
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

const points = signal<readonly Point[]>([]);

/** Fractions of the image. */
export const sketch: ReadonlySignal<readonly Point[]> = points;

/** A line that was drawn for its known length, which the panel asks for. */
export const knownLine = signal<readonly [Point, Point] | undefined>(undefined);

/** Takes a tool up, with the keyboard on the image; the same tool again puts it away. */
export function takeTool(name: ToolName): void {
  tool.value = tool.peek() === name ? 'move' : name;
  if (tool.peek() !== 'move') stage.peek()?.focusElement.focus({ preventScroll: true });
}

const inside = (value: number): number => Math.min(Math.max(value, 0), 1);

export const onImage = ({ x, y }: Point): Point => ({ x: inside(x), y: inside(y) });

/** A rectangle that has no area is a slip of the hand. */
function finishRectangle(first: Point, second: Point): void {
  const rectangle = rectangleBetween(onImage(first), onImage(second));
  if (rectangle.width > 0 && rectangle.height > 0) addRectangle(rectangle);
}

/** What was drawn becomes a note. */
function finish(name: ToolName, drawn: readonly Point[]): void {
  const [first, second = first] = drawn;
  const kind = kindOf(name);
  if (first === undefined || second === undefined) return;
  if (name === 'mark') addMark(onImage(first));
  else if (name === 'rectangle') finishRectangle(first, second);
  else if (name === 'known-length') {
    knownLine.value = [first, second];
    tool.value = 'move';
  } else if (kind !== undefined) addMeasure({ kind, points: drawn });
}

/** The next point. Where no more are asked for, the drawing ends. */
export function addPoint(point: Point): void {
  const asked = pointsOf(tool.peek());
  if (asked === undefined) return;
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

// What one tool has begun is nothing to another.
effect(() => {
  tool.value;
  points.value = [];
});
