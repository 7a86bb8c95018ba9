/** The stage that shows the open image. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Frame, Stage } from '../stage/stage.ts';

/** Undefined while no viewer is on the page. */
export const stage = signal<Stage | undefined>(undefined);

/** The path of the image whose visible tiles have all loaded; undefined before the first. */
export const sharpImage = signal<string | undefined>(undefined);

/** The position of the image on the stage in the current animation frame. */
export const frame: ReadonlySignal<Frame | undefined> = computed(() => stage.value?.frame.value);

/** Takes the target of a running movement into the view, so that the next change starts from there. */
export const flushViewport = (): void => stage.peek()?.endMovement();

/** Puts the keyboard's focus on the image. */
export const focusStage = (): void => stage.peek()?.focusElement.focus({ preventScroll: true });
