/** The view: what is shown of the open image, and how. It is the only place where this is held. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { normalizedDegrees } from '../model/view-query.ts';
import { plainView, type ViewColor, type ViewState } from '../model/view-state.ts';
import { flushViewport } from './stage.ts';

const current = signal<ViewState>(plainView(''));

export const view: ReadonlySignal<ViewState> = current;

export const color: ReadonlySignal<ViewColor> = computed(() => current.value.color);

/** Replaces the whole view, at a navigation. */
export function setView(state: ViewState): void {
  current.value = state;
}

export function changeView(change: Partial<ViewState>): void {
  current.value = { ...current.peek(), ...change };
}

export const changeColor = (change: Partial<ViewColor>): void =>
  changeView({ color: { ...current.peek().color, ...change } });

/** Rotates the image; degrees clockwise. */
export function turnBy(degrees: number): void {
  flushViewport();
  changeView({ rotation: normalizedDegrees(current.peek().rotation + degrees) });
}

/** Mirrors the image as it stands on the screen, left to right or top to bottom, also where it is rotated. */
export function mirrorOnScreen(direction: 'horizontal' | 'vertical'): void {
  flushViewport();
  const { mirror, rotation } = current.peek();
  changeView({ mirror: { ...mirror, [direction]: !mirror[direction] }, rotation: normalizedDegrees(-rotation) });
}

/** Resets all but the notes. */
export function resetView(): void {
  const { region, rotation, mirror, mode, color, quality } = plainView(current.peek().fn);
  changeView({ region, rotation, mirror, mode, color, quality });
}
