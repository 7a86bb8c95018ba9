/** The reader's notes on the open image: kept by the browser at every change, shown in the address, with ways back. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import {
  describedBy,
  isEmpty,
  joinPlaces,
  type Notes,
  noNotes,
  type Places,
  readNotes,
  samePlaces,
} from '../model/notes.ts';
import { openState } from './opened.ts';
import { onStoredChange, readStored, store } from './stored.ts';
import { changeView, view } from './view.ts';

interface State {
  /** What is the reader's own. */
  readonly own: Notes;
  /** Marks and rectangles of an address that are not the reader's own, shown in their place. */
  readonly visiting: Places | undefined;
}

interface Step {
  readonly state: State;
  /** What was changed, where changes of the same follow each other as one: the letters of a text. */
  readonly of: string | undefined;
}

const state = signal<State>({ own: noNotes, visiting: undefined });
const past = signal<readonly Step[]>([]);
const future = signal<readonly State[]>([]);
const keeping = signal(true);
let path: string | undefined;

/** How many steps lead back. */
const maxSteps = 200;

/** What is shown: the reader's own, or the address's marks and rectangles. */
export const notes: ReadonlySignal<Notes> = computed(() => {
  const { own, visiting } = state.value;
  return visiting === undefined ? own : { ...own, ...describedBy(visiting, own) };
});

/** Whether what is shown came with the address and is not the reader's own. */
export const isVisiting: ReadonlySignal<boolean> = computed(() => state.value.visiting !== undefined);
/** Whether the browser keeps what it is given. */
export const isStored: ReadonlySignal<boolean> = keeping;
export const canUndo: ReadonlySignal<boolean> = computed(() => past.value.length > 0);
export const canRedo: ReadonlySignal<boolean> = computed(() => future.value.length > 0);

/** Whether notes are drawn on the image. */
export const notesShown = signal(true);

export const toggleNotes = (): void => {
  notesShown.value = !notesShown.peek();
};

export type NoteKind = 'mark' | 'rectangle' | 'measure';

/** The note that is worked on, by its place in its list. */
export interface Selected {
  readonly kind: NoteKind;
  readonly at: number;
}

export const selected = signal<Selected | undefined>(undefined);

/** A note whose text the reader is about to write; the field that has it takes the focus. */
export const noteToWrite = signal<Selected | undefined>(undefined);

export const isSelected = (kind: NoteKind, at: number): boolean =>
  selected.value?.kind === kind && selected.value.at === at;

const nameOf = (image: string): string => `notes:${image}`;

/** The view, and with it the address, says what is shown. */
function tellView(): void {
  const { marks, rectangles } = notes.peek();
  const now = view.peek();
  const isSaid = JSON.stringify([marks, rectangles]) === JSON.stringify([now.marks, now.rectangles]);
  if (!isSaid) changeView({ marks, rectangles });
}

/** Shows a state; what is the reader's own is kept where it is another. */
function take(next: State): void {
  const before = state.peek();
  state.value = next;
  if (path !== undefined && next.own !== before.own) {
    keeping.value = store(nameOf(path), isEmpty(next.own) ? undefined : next.own);
  }
  tellView();
}

/** The notes of an image that was opened, unless its address brings others. */
function load(image: string, places: Places): void {
  const own = readNotes(readStored(nameOf(image)));
  const hasPlaces = places.marks.length + places.rectangles.length > 0;
  if (image !== path) selected.value = undefined;
  path = image;
  past.value = [];
  future.value = [];
  state.value = { own, visiting: hasPlaces && !samePlaces(places, own) ? places : undefined };
  tellView();
}

/** Goes to another state, with a way back. */
function step(next: State, of?: string): void {
  const before = state.peek();
  const last = past.peek().at(-1);
  if (of === undefined || last?.of !== of) past.value = [...past.peek(), { state: before, of }].slice(-maxSteps);
  future.value = [];
  take(next);
}

/**
 * Changes what is shown. Visiting marks that are worked on become the reader's own, in front of those that are, so that
 * nothing is lost.
 */
export function changeNotes(change: (now: Notes) => Notes, of?: string): void {
  const { own, visiting } = state.peek();
  const now = visiting === undefined ? own : joinPlaces(visiting, own);
  const next = change(now);
  const isElsewhere = next.marks === now.marks && next.rectangles === now.rectangles;
  if (visiting !== undefined && isElsewhere) {
    step({ own: { ...next, marks: own.marks, rectangles: own.rectangles }, visiting }, of);
  } else step({ own: next, visiting: undefined }, of);
}

/** Leaves what came with the address. */
export function showOwn(): void {
  selected.value = undefined;
  step({ own: state.peek().own, visiting: undefined });
}

/** What came with the address becomes the reader's own too. */
export function adoptVisiting(): void {
  const { own, visiting } = state.peek();
  if (visiting !== undefined) step({ own: joinPlaces(visiting, own), visiting: undefined });
}

export function undo(): void {
  const last = past.peek().at(-1);
  if (last === undefined) return;
  selected.value = undefined;
  past.value = past.peek().slice(0, -1);
  future.value = [...future.peek(), state.peek()];
  take(last.state);
}

export function redo(): void {
  const next = future.peek().at(-1);
  if (next === undefined) return;
  selected.value = undefined;
  future.value = future.peek().slice(0, -1);
  past.value = [...past.peek(), { state: state.peek(), of: undefined }];
  take(next);
}

effect(() => {
  if (openState.value.kind !== 'open') return;
  const { opened } = openState.value;
  load(opened.path, view.peek());
});

// Another window of the same browser has the last word: its changes are not undone here.
onStoredChange((name, value) => {
  if (path === undefined || name !== nameOf(path)) return;
  past.value = [];
  future.value = [];
  selected.value = undefined;
  state.value = { ...state.peek(), own: readNotes(value) };
  tellView();
});
