/** The notes and measurements of the open image, and its scale. */
import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Unit } from '../../../../src/core/image/model/units.ts';
import { fetchSiteUnits } from '../../data/fetch.ts';
import { scaleFromDpi } from '../../model/measure/extents.ts';
import type { ImageScale } from '../../model/measure/measure.ts';
import { allUnits, keyOf, suitableUnit, withOwnUnits } from '../../model/measure/units.ts';
import {
  type AddressNotes,
  describedBy,
  isEmpty,
  joinNotes,
  type Notes,
  noNotes,
  readNotes,
  tellsNothingNew,
  withIds,
} from '../../model/notes/own-notes.ts';
import type { ViewState } from '../../model/view-state.ts';
import { openState, openStates } from '../opened.ts';
import { onStoredChange, readStored, store, storedSignal } from '../stored-preferences.ts';
import { active, changeView, view, views } from '../view.ts';
import { resolution } from '../viewport.ts';

interface State {
  readonly shown: Notes;
  /** The reader's own marks and rectangles, while those of an address are shown in their place. */
  readonly hidden: AddressNotes | undefined;
}

interface Step {
  readonly state: State;
  /** Consecutive changes of one group are undone together: the letters of a text. */
  readonly group: string | undefined;
}

/** The path of the image whose notes have been read. */
const image = signal<string | undefined>(undefined);
/** The notes that are not part of the view. */
const others = signal<Omit<Notes, keyof AddressNotes>>({ measures: [] });
const hidden = signal<AddressNotes | undefined>(undefined);
const past = signal<readonly Step[]>([]);
const future = signal<readonly State[]>([]);
const stored = signal(true);

const maxSteps = 200;

const isRead = computed(() => image.value === view.value.fn);

const shownMarks = computed(() => view.value.marks);
const shownRectangles = computed(() => view.value.rectangles);

/** The notes that are shown; another object only when they change, and not with every change of the view. */
export const notes: ReadonlySignal<Notes> = computed(() => ({
  ...(isRead.value ? others.value : noNotes),
  marks: shownMarks.value,
  rectangles: shownRectangles.value,
}));

/** Whether the marks and rectangles shown came with an address and are not the reader's own. */
export const isVisiting: ReadonlySignal<boolean> = computed(() => hidden.value !== undefined);
/** Whether the browser allowed to store the notes. */
export const isStored: ReadonlySignal<boolean> = stored;
export const canUndo: ReadonlySignal<boolean> = computed(() => past.value.length > 0);
export const canRedo: ReadonlySignal<boolean> = computed(() => future.value.length > 0);

export const notesShown = signal(true);

export const toggleNotes = (): void => {
  notesShown.value = !notesShown.peek();
};

export type NoteKind = 'mark' | 'rectangle' | 'measure';

/** The selected note, by its index in its list. */
export interface Selected {
  readonly kind: NoteKind;
  readonly at: number;
}

export const selected = signal<Selected | undefined>(undefined);

/** A note whose text the reader is about to write; its field takes the focus. */
export const noteToWrite = signal<Selected | undefined>(undefined);

export const isSelected = (kind: NoteKind, at: number): boolean =>
  selected.value?.kind === kind && selected.value.at === at;

const storageName = (path: string): string => `notes:${path}`;

const addressNotesOf = ({ marks, rectangles }: AddressNotes): AddressNotes => ({ marks, rectangles });

const stateNow = (): State => ({ shown: notes.peek(), hidden: hidden.peek() });

const ownIn = (state: State): Notes => ({ ...state.shown, ...state.hidden });

function show(state: State): void {
  const { marks, rectangles, ...rest } = state.shown;
  const before = view.peek();
  // The reader's own texts are in no address, but those of one stay there.
  const withTexts = state.hidden !== undefined && before.withTexts;
  batch(() => {
    if (marks !== before.marks || rectangles !== before.rectangles || withTexts !== before.withTexts) {
      changeView({ marks, rectangles, withTexts });
    }
    others.value = rest;
    hidden.value = state.hidden;
  });
}

function showAndStore(state: State): void {
  show(state);
  const own = ownIn(state);
  stored.value = store(storageName(image.peek() ?? ''), isEmpty(own) ? undefined : own);
}

/** Shows marks and rectangles that come from elsewhere, or the reader's own where these are none or the same. */
function showNotes(incoming: AddressNotes, own: Notes): void {
  past.value = [];
  future.value = [];
  const isOwn = incoming.marks.length + incoming.rectangles.length === 0 || tellsNothingNew(incoming, own);
  show(
    isOwn
      ? { shown: own, hidden: undefined }
      : { shown: { ...own, ...describedBy(incoming, own) }, hidden: addressNotesOf(own) },
  );
}

/** Shows the marks and rectangles of a message as those of an address. */
export function showVisiting({ marks, rectangles }: AddressNotes): void {
  if (isRead.peek()) showNotes({ marks, rectangles }, ownIn(stateNow()));
  else changeView({ marks, rectangles });
}

function step(next: State, group?: string): void {
  if (!isRead.peek()) return;
  const last = past.peek().at(-1);
  if (group === undefined || last?.group !== group) {
    past.value = [...past.peek(), { state: stateNow(), group }].slice(-maxSteps);
  }
  future.value = [];
  showAndStore(next);
}

/**
 * Changes what is shown. Visiting marks that are changed become the reader's own, in front of those that are, so that
 * nothing is lost.
 */
export function changeNotes(change: (now: Notes) => Notes, group?: string): void {
  const state = stateNow();
  const now = state.hidden === undefined ? state.shown : joinNotes(state.shown, ownIn(state));
  const next = change(now);
  const keepsThem = next.marks === now.marks && next.rectangles === now.rectangles;
  if (keepsThem && state.hidden !== undefined) {
    step({ ...state, shown: { ...next, ...addressNotesOf(state.shown) } }, group);
  } else step({ shown: next, hidden: undefined }, group);
}

/** The notes that are shown, each with an id, which the reader's own keep: a file of them is recognized when it comes back. */
export function identifyNotes(newId: () => string): Notes {
  const state = stateNow();
  const shown = withIds(state.shown, newId);
  if (shown !== state.shown && isRead.peek()) {
    if (state.hidden === undefined) showAndStore({ shown, hidden: undefined });
    else showAndStore({ shown: { ...shown, ...addressNotesOf(state.shown) }, hidden: state.hidden });
  }
  return shown;
}

export function showOwn(): void {
  selected.value = undefined;
  step({ shown: ownIn(stateNow()), hidden: undefined });
}

export function adoptVisiting(): void {
  const state = stateNow();
  if (state.hidden !== undefined) step({ shown: joinNotes(state.shown, ownIn(state)), hidden: undefined });
}

export function undo(): void {
  const last = past.peek().at(-1);
  if (last === undefined || !isRead.peek()) return;
  selected.value = undefined;
  past.value = past.peek().slice(0, -1);
  future.value = [...future.peek(), stateNow()];
  showAndStore(last.state);
}

export function redo(): void {
  const next = future.peek().at(-1);
  if (next === undefined || !isRead.peek()) return;
  selected.value = undefined;
  future.value = future.peek().slice(0, -1);
  past.value = [...past.peek(), { state: stateNow(), group: undefined }];
  showAndStore(next);
}

effect(() => {
  if (openState.value.kind !== 'open') return;
  const { path } = openState.value.opened;
  // While another page opens, its view is there before its image.
  if (path !== view.peek().fn) return;
  if (path !== image.peek()) selected.value = undefined;
  image.value = path;
  showNotes(view.peek(), readNotes(readStored(storageName(path))));
});

/** The notes on the image of a view that is not the active one, which can't be changed there. */
export function notesOf({ fn, marks, rectangles }: ViewState): Notes {
  const own = readNotes(readStored(storageName(fn)));
  return { ...own, ...describedBy({ marks, rectangles }, own) };
}

// Also the reader's own notes on images that are not active belong into the address.
effect(() => {
  for (const [index, state] of openStates.value.entries()) {
    const now = views.peek()[index];
    if (index === active.peek() || state.kind !== 'open' || now?.fn !== state.opened.path) continue;
    const { marks, rectangles } = readNotes(readStored(storageName(now.fn)));
    const isEmptyView = now.marks.length + now.rectangles.length === 0;
    if (isEmptyView && marks.length + rectangles.length > 0) changeView({ marks, rectangles }, index);
  }
});

// A change in another window replaces what is shown here, and can't be undone here.
onStoredChange((name, value) => {
  if (image.peek() === undefined || name !== storageName(image.peek() ?? '') || !isRead.peek()) return;
  selected.value = undefined;
  showNotes(isVisiting.peek() ? view.peek() : noNotes, readNotes(value));
});

/** Pixels of the image per meter of the object; undefined where neither the reader nor the file gives a scale. */
export const imageScale: ReadonlySignal<ImageScale | undefined> = computed(
  () => notes.value.scale ?? (resolution.value && scaleFromDpi(resolution.value)),
);

const siteUnits = signal<readonly Unit[]>([]);

/** The scale of the open image, and the unit for lengths. */
export const units: ReadonlySignal<readonly Unit[]> = computed(() => withOwnUnits(allUnits, siteUnits.value));

/** The units of the site, which are listed before all others. */
export const ownUnits: ReadonlySignal<readonly Unit[]> = siteUnits;

let requested = false;

export function loadSiteUnits(): void {
  if (requested) return;
  requested = true;
  void fetchSiteUnits().then((found) => {
    siteUnits.value = found;
  });
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** `metric` and `imperial` choose a unit that suits the length; other values are keys of units. */
export const unitChoice = storedSignal<string>('unit', 'metric', isText);

export const isAutomatic = (choice: string): boolean => choice === 'metric' || choice === 'imperial';

/** The unit in which to show a length. */
export function unitFor(meters: number): Unit {
  const choice = unitChoice.value;
  const chosen = units.value.find((unit) => keyOf(unit) === choice);
  return chosen ?? suitableUnit(meters, choice === 'imperial' ? 'imperial' : 'metric');
}
