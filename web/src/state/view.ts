/** The view: what is shown of the open image, and how. It is the only place where this is held. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { plainView, type ViewColor, type ViewState } from '../model/view-state.ts';

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

/** Resets all but the notes. The region is a new object, so that the image is placed there again. */
export function resetView(): void {
  const { region, rotation, mirror, mode, color, quality } = plainView(current.peek().fn);
  changeView({ region: { ...region }, rotation, mirror, mode, color, quality });
}
