/** The stages that show the images on the page, and the pointer events that they pass on to the tools. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Frame, Stage } from '../stage/stage.ts';
import type { StagePointer } from '../stage/stage-pointer.ts';
import { active } from './view.ts';

const all = signal<readonly (Stage | undefined)[]>([]);

/** The stages of all images on the page, by the index of the image. */
export const stages: ReadonlySignal<readonly (Stage | undefined)[]> = all;

/** The stage of the active image; undefined while no viewer is on the page. */
export const stage: ReadonlySignal<Stage | undefined> = computed(() => all.value[active.value]);

/** Announces the stage of the image at an index; the returned function removes it. */
export function addStage(stageOfImage: Stage, index = 0): () => void {
  const put = (value: Stage | undefined): void => {
    const next = [...all.peek()];
    next[index] = value;
    all.value = next;
  };
  put(stageOfImage);
  return () => {
    if (all.peek()[index] === stageOfImage) put(undefined);
  };
}

/** The path of the image whose visible tiles have all loaded; undefined before the first. */
export const sharpImage = signal<string | undefined>(undefined);

/** The position of the image on the stage in the current animation frame. */
export const frame: ReadonlySignal<Frame | undefined> = computed(() => stage.value?.frame.value);

/** Takes the target of a running movement into the view, so that the next change starts from there. */
export const flushViewport = (): void => stage.peek()?.endMovement();

/** Puts the keyboard's focus on the image. */
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
