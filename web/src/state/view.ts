/** The view of the page and its stages. */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import { type Arrangement, type Comparison, plainArrangement, withPoints } from '../model/address/comparison.ts';
import { type Point, plainView, type ViewColor, type ViewState } from '../model/view-state.ts';
import type { Frame, Stage } from '../stage/stage.ts';
import type { StagePointer } from '../stage/viewer.ts';

const index = signal(0);

/** The index of the active image, from 0. */
export const active: ReadonlySignal<number> = index;

export function setActive(at: number): void {
  index.value = at;
}

const all = signal<readonly ViewState[]>([plainView('')]);
const none = plainView('');

/** The views of all images on the page, in their order; the page of an image has one, a comparison up to `maxCompared`. */
export const views: ReadonlySignal<readonly ViewState[]> = all;

export const view: ReadonlySignal<ViewState> = computed(() => all.value[active.value] ?? none);

export const color: ReadonlySignal<ViewColor> = computed(() => view.value.color);

/** How the other views follow a change of the one at `index`. */
export type Follow = (before: readonly ViewState[], after: readonly ViewState[], index: number) => readonly ViewState[];

const independent: Follow = (_before, after) => after;
let follow = independent;

/** Lets the other views follow each change of one; the returned function ends that. */
export function followChanges(following: Follow): () => void {
  follow = following;
  return () => {
    follow = independent;
  };
}

/** Replaces all views, at a navigation. */
export function setViews(states: readonly ViewState[]): void {
  batch(() => {
    all.value = states;
    setActive(0);
  });
}

/** Notes belong to the image: two views of the same one show the same. */
const changeNotesOf = (state: ViewState, change: Partial<ViewState>): ViewState =>
  change.marks === undefined && change.rectangles === undefined
    ? state
    : { ...state, marks: change.marks ?? state.marks, rectangles: change.rectangles ?? state.rectangles };

/** Changes the view of the active image, or of another one. */
export function changeView(change: Partial<ViewState>, index = active.peek()): void {
  const before = all.peek();
  const changed = before[index];
  if (changed === undefined) return;
  const after = before.map((state, at) => {
    if (at === index) return { ...state, ...change };
    return state.fn === changed.fn ? changeNotesOf(state, change) : state;
  });
  all.value = follow(before, after, index);
}

export const changeColor = (change: Partial<ViewColor>): void =>
  changeView({ color: { ...view.peek().color, ...change } });

/** Resets all but the notes. The region is a new object, so that the image is placed there again. */
export function resetView(): void {
  const { region, rotation, mirror, mode, color, effects, layers, quality } = plainView(view.peek().fn);
  changeView({ region: { ...region }, rotation, mirror, mode, color, effects, layers, quality });
}

const arranged = signal<Arrangement>(plainArrangement);

export const arrangement: ReadonlySignal<Arrangement> = arranged;

/** Replaces the whole comparison, at a navigation. */
export function setComparison({ views: states, ...rest }: Comparison): void {
  setViews(states);
  arranged.value = rest;
}

export function arrange(change: Partial<Arrangement>): void {
  arranged.value = { ...arranged.peek(), ...change };
}

export const comparisonNow = (): Comparison => ({ ...arranged.value, views: views.value });

export function setPoints(index: number, points: readonly Point[]): void {
  arranged.value = withPoints(arranged.peek(), index, points, views.peek().length);
}

const allStages = signal<readonly (Stage | undefined)[]>([]);

/** The stages of all images on the page, by the index of the image. */
export const stages: ReadonlySignal<readonly (Stage | undefined)[]> = allStages;

/** The stage of the active image; undefined while no viewer is on the page. */
export const stage: ReadonlySignal<Stage | undefined> = computed(() => allStages.value[active.value]);

/** Announces the stage of the image at an index; the returned function removes it. */
export function addStage(stageOfImage: Stage, index = 0): () => void {
  const put = (value: Stage | undefined): void => {
    const next = [...allStages.peek()];
    next[index] = value;
    allStages.value = next;
  };
  put(stageOfImage);
  return () => {
    if (allStages.peek()[index] === stageOfImage) put(undefined);
  };
}

/** The path of the image whose visible tiles have all loaded; undefined before the first. */
export const sharpImage = signal<string | undefined>(undefined);

/** The position of the image on the stage in the current animation frame. */
export const frame: ReadonlySignal<Frame | undefined> = computed(() => stage.value?.frame.value);

/** Takes the target of a running movement into the view, so that the next change starts from there. */
export const flushViewport = (): void => stage.peek()?.endMovement();

export const focusStage = (): void => stage.peek()?.focusElement.focus({ preventScroll: true });

type PointerListener = (pointer: StagePointer) => void;

const listeners = new Set<PointerListener>();

/** Adds a listener; the returned function removes it. */
export function onPointer(listener: PointerListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function emitPointer(pointer: StagePointer): void {
  for (const listener of listeners) listener(pointer);
}
