/** Notes that are being drawn, and edits of notes. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { type Arrangement, alignmentPoints, isAligned, nearerPoint, pointsAt } from '../../model/address/comparison.ts';
import { type Measure, type MeasureKind, measureKinds, type SetPoint } from '../../model/measure/measure.ts';
import type { Annotations } from '../../model/notes/annotation-page.ts';
import {
  append,
  colorAt,
  describeAt,
  type HitTarget,
  hitTest,
  moveTo,
  nearestOnImage,
  rectangleBetween,
  removeAt,
  removeLast,
  renumber,
  replaceAt,
  tagAt,
  untagAt,
} from '../../model/notes/mark-edits.ts';
import { addNotes, type Notes, noteCount, type ReferenceScale } from '../../model/notes/own-notes.ts';
import type { Mark, MarkedRegion, Point, Rect } from '../../model/view-state.ts';
import { openState } from '../opened.ts';
import { panel, type ToolName, tool } from '../tools.ts';
import { active, arrange, arrangement, focusStage, frame, setPoints, stage, views } from '../view.ts';
import { changeNotes, type NoteKind, notes, notesShown, noteToWrite, type Selected, selected } from './notes.ts';

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

const listNames = { mark: 'marks', rectangle: 'rectangles', measure: 'measures' } as const;

type AnyNote = Mark | MarkedRegion | Measure;

const listOf = (now: Notes, kind: NoteKind): readonly AnyNote[] => now[listNames[kind]];

function changeList(kind: NoteKind, change: (items: readonly AnyNote[]) => readonly AnyNote[], group?: string): void {
  changeNotes((now) => ({ ...now, [listNames[kind]]: change(listOf(now, kind)) }), group);
}

/** Adds a note at the end of its list and selects it. */
function add(kind: NoteKind, note: AnyNote): void {
  changeList(kind, (items) => append(items, note));
  selected.value = { kind, at: listOf(notes.peek(), kind).length - 1 };
  notesShown.value = true;
}

/** Edits of notes, each of which can be undone. */
const addMark = (mark: Mark): void => add('mark', mark);
export const addRectangle = (rectangle: MarkedRegion): void => add('rectangle', rectangle);
const addMeasure = (measure: Measure): void => add('measure', measure);

export function remove({ kind, at }: Selected): void {
  selected.value = undefined;
  changeList(kind, (items) => removeAt(items, at));
}

export function removeLastOf(kind: NoteKind): void {
  selected.value = undefined;
  changeList(kind, removeLast);
}

export function removeAllOf(kinds: readonly NoteKind[]): void {
  selected.value = undefined;
  changeNotes((now) => ({ ...now, ...Object.fromEntries(kinds.map((kind) => [listNames[kind], []])) }));
}

export const describe = ({ kind, at }: Selected, text: string): void =>
  changeList(kind, (items) => describeAt(items, at, text), `text ${kind} ${at}`);

/** Adds the tags that were typed, with commas between them. */
export const addTags = ({ kind, at }: Selected, typed: string): void =>
  changeList(kind, (items) => tagAt(items, at, typed));

export const removeTag = ({ kind, at }: Selected, tag: string): void =>
  changeList(kind, (items) => untagAt(items, at, tag));

/** As CSS writes colors; undefined for the usual one. */
export const setNoteColor = ({ kind, at }: Selected, color: string | undefined): void =>
  changeList(kind, (items) => colorAt(items, at, color));

export function renumberBy({ kind, at }: Selected, by: 1 | -1): void {
  changeList(kind, (items) => renumber(items, at, by));
  selected.value = { kind, at: at + by };
}

/** Changes of one `group` are undone together: the steps of a drag, or of a key. */
export const moveMark = (at: number, point: Point, group?: string): void =>
  changeNotes((now) => ({ ...now, marks: moveTo(now.marks, at, point) }), group);

export const placeRectangle = (at: number, { x, y, width, height }: Rect, group?: string): void =>
  changeNotes(
    (now) => ({ ...now, rectangles: replaceAt(now.rectangles, at, (old) => ({ ...old, x, y, width, height })) }),
    group,
  );

export const movePoints = (at: number, points: readonly SetPoint[], group?: string): void =>
  changeNotes((now) => ({ ...now, measures: replaceAt(now.measures, at, (old) => ({ ...old, points })) }), group);

/** Adds the notes that are not there yet, and says how many they are. */
export function importNotes(more: Annotations): number {
  const before = noteCount(notes.peek());
  const after = addNotes(notes.peek(), more);
  if (noteCount(after) > before) changeNotes((now) => addNotes(now, more));
  return noteCount(after) - before;
}

/** Sets the scale of the image; without one, its resolution determines the scale. */
export const setScale = (scale: ReferenceScale | undefined, group?: string): void =>
  changeNotes(({ scale: _, ...rest }) => (scale === undefined ? rest : { ...rest, scale }), group);
