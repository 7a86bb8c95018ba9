/** The drawing in progress: its points so far, the note that it becomes, or the points by which compared images are aligned. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { type Arrangement, alignmentPoints, isAligned, nearerPoint, pointsAt } from '../../model/address/comparison.ts';
import { type MeasureKind, measureKinds, type SetPoint } from '../../model/measure/measure.ts';
import { type HitTarget, hitTest, nearestOnImage, rectangleBetween } from '../../model/notes/mark-edits.ts';
import type { Point } from '../../model/view-state.ts';
import { openState } from '../opened.ts';
import { focusStage, frame, stage } from '../stages.ts';
import { panel, type ToolName, tool } from '../tools.ts';
import { active, arrange, arrangement, setPoints, views } from '../view.ts';
import { addMark, addMeasure, addRectangle } from './note-edits.ts';
import { noteToWrite, selected } from './notes.ts';

export const isAligning: ReadonlySignal<boolean> = computed(() => tool.value === 'align');

/** The arrangement on the screen: while points are set, all images are seen, and each is moved alone. */
export const shownArrangement: ReadonlySignal<Arrangement> = computed(() =>
  isAligning.value ? { ...arrangement.value, layout: 'beside', together: false } : arrangement.value,
);

const allAligned = (): boolean => views.peek().every((_, index) => isAligned(arrangement.peek(), index));

/** Sets a point of the active image; where both are set, the nearer one moves there. The last point ends the tool. */
function addAlignmentPoint(point: Point): void {
  const index = active.peek();
  const before = pointsAt(arrangement.peek(), index);
  const wasComplete = allAligned();
  if (before.length < alignmentPoints) setPoints(index, [...before, point]);
  else {
    const moved = nearerPoint(before, point, frame.peek()?.image ?? { width: 1, height: 1 });
    setPoints(
      index,
      before.map((old, at) => (at === moved ? point : old)),
    );
  }
  if (!wasComplete && allAligned()) endAligning();
}

/** The images are moved together from now on, as they are aligned. */
export function endAligning(): void {
  tool.value = 'move';
  arrange({ together: true });
}

/** Takes all points away. */
export function removeAlignment(): void {
  arrange({ points: [] });
}

/** The measurements that the tools draw. */
const measureTools = {
  line: 'line',
  path: 'path',
  angle: 'angle',
  polygon: 'polygon',
  box: 'rectangle',
  circle: 'circle',
  ellipse: 'ellipse',
  oval: 'oval',
  grid: 'grid',
  intercolumniation: 'intercolumniation',
  proportion: 'proportion',
  'reference-length': 'line',
} as const satisfies Partial<Record<ToolName, MeasureKind>>;

const isMeasureTool = (name: ToolName): name is keyof typeof measureTools => Object.hasOwn(measureTools, name);

/** The measurement that a tool draws. */
export const kindOf = (name: ToolName): MeasureKind | undefined =>
  isMeasureTool(name) ? measureTools[name] : undefined;

/** Number of points that a tool needs; undefined for tools that draw nothing. */
function pointsOf(name: ToolName): { readonly least: number; readonly most: number } | undefined {
  if (name === 'mark' || name === 'align') return { least: 1, most: 1 };
  if (name === 'rectangle') return { least: 2, most: 2 };
  const kind = kindOf(name);
  return kind && measureKinds[kind];
}

export const isDrawing: ReadonlySignal<boolean> = computed(() => pointsOf(tool.value) !== undefined);

/** Whether one drag draws from the first point to the last. */
export const drawsByDrag = (name: ToolName): boolean => pointsOf(name)?.most === 2;

const points = signal<readonly SetPoint[]>([]);

/** Fractions of the image. */
export const sketch: ReadonlySignal<readonly SetPoint[]> = points;

/** The line drawn as a reference, whose length the panel asks for. */
export const referenceLine = signal<readonly [Point, Point] | undefined>(undefined);

const beside = signal(false);

/** Whether the last point was on the page beside the main one, where nothing can be drawn. */
export const isBeside: ReadonlySignal<boolean> = beside;

/** Selects a tool and moves the focus to the image; the selected tool is put away. */
export function takeTool(name: ToolName): void {
  tool.value = tool.peek() === name ? 'move' : name;
  if (tool.peek() !== 'move') focusStage();
}

/** Tolerance at the edges of the image, in CSS pixels. */
const edgeTolerance = 4;

function aimAt(point: Point): HitTarget {
  const [now, on] = [frame.peek(), stage.peek()];
  if (now === undefined || on === undefined) return 'nowhere';
  const { image, placement } = now;
  const [x, y] = [image.width, image.height].map((length) => edgeTolerance / (length * placement.scale));
  return hitTest(point, on.spread, { x: x ?? 0, y: y ?? 0 });
}

/** The nearest point of the image, with the precision of pointing at it. */
export function setOnImage(point: Point): SetPoint {
  const scale = frame.peek()?.placement.scale;
  return { ...nearestOnImage(point), ...(scale === undefined ? {} : { grain: 1 / scale }) };
}

/** The point to draw; undefined where nothing can be drawn. Regions may end beyond an edge of the image. */
function drawnPoint(point: Point, isEnd: boolean): SetPoint | undefined {
  const aim = aimAt(point);
  beside.value = aim === 'beside';
  const isValid = aim === 'image' || (aim === 'nowhere' && isEnd && tool.peek() === 'rectangle');
  return isValid ? setOnImage(point) : undefined;
}

/** With the list of notes open, the reader goes on to write the text. */
function startWriting(): void {
  if (panel.peek() === 'notes') noteToWrite.value = selected.peek();
}

/** A rectangle without area is drawn by mistake. */
function finishRectangle(first: Point, second: Point): void {
  const rectangle = rectangleBetween(first, second);
  if (rectangle.width === 0 || rectangle.height === 0) return;
  addRectangle(rectangle);
  startWriting();
}

/** Adds the finished drawing as a note. */
function finish(name: ToolName, drawn: readonly SetPoint[]): void {
  const [first, second = first] = drawn;
  const kind = kindOf(name);
  if (first === undefined || second === undefined) return;
  if (name === 'mark') {
    addMark(nearestOnImage(first));
    startWriting();
  } else if (name === 'align') addAlignmentPoint(nearestOnImage(first));
  else if (name === 'rectangle') finishRectangle(first, second);
  else if (name === 'reference-length') {
    referenceLine.value = [first, second];
    tool.value = 'move';
  } else if (kind !== undefined) addMeasure({ kind, points: drawn });
}

/** Adds a point that lies on the image. The last one that the tool needs ends the drawing. */
export function addPoint(at: Point): void {
  const range = pointsOf(tool.peek());
  if (range === undefined) return;
  const point = drawnPoint(at, points.peek().length > 0);
  if (point === undefined) return;
  const drawn = [...points.peek(), point];
  if (drawn.length < range.most) points.value = drawn;
  else {
    points.value = [];
    finish(tool.peek(), drawn);
  }
}

/** Ends a drawing that has enough points. */
export function endSketch(): void {
  const range = pointsOf(tool.peek());
  const drawn = points.peek();
  if (range === undefined || drawn.length < range.least) return;
  points.value = [];
  finish(tool.peek(), drawn);
}

/** Removes the last point; false where there is none. */
export function removePoint(): boolean {
  const drawn = points.peek();
  points.value = drawn.slice(0, -1);
  return drawn.length > 0;
}

/** Discards the drawing; false where there is none. */
export function discardSketch(): boolean {
  const isBegun = points.peek().length > 0;
  points.value = [];
  return isBegun;
}

const openPath = computed(() => (openState.value.kind === 'open' ? openState.value.opened.path : undefined));

// Another tool or image discards the drawing.
effect(() => {
  tool.value;
  openPath.value;
  points.value = [];
  beside.value = false;
});

// So is a line whose length is asked for, also when the panel that asks is left.
effect(() => {
  openPath.value;
  panel.value;
  referenceLine.value = undefined;
});
