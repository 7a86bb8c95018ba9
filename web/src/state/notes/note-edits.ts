/** Edits of notes, each of which can be undone. */

import type { Measure, SetPoint } from '../../model/measure/measure.ts';
import type { Annotations } from '../../model/notes/annotation-page.ts';
import {
  append,
  colorAt,
  describeAt,
  moveTo,
  removeAt,
  removeLast,
  renumber,
  replaceAt,
  tagAt,
  untagAt,
} from '../../model/notes/mark-edits.ts';
import { addNotes, type Notes, noteCount, type ReferenceScale } from '../../model/notes/own-notes.ts';
import type { Mark, MarkedRegion, Point, Rect } from '../../model/view-state.ts';
import { changeNotes, type NoteKind, notes, notesShown, type Selected, selected } from './notes.ts';

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

export const addMark = (mark: Mark): void => add('mark', mark);
export const addRectangle = (rectangle: MarkedRegion): void => add('rectangle', rectangle);
export const addMeasure = (measure: Measure): void => add('measure', measure);

export function remove({ kind, at }: Selected): void {
  selected.value = undefined;
  changeList(kind, (items) => removeAt(items, at));
}

export function removeLastOf(kind: NoteKind): void {
  selected.value = undefined;
  changeList(kind, removeLast);
}

/** Removes all notes of these kinds. */
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
