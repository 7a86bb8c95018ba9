/** What is shown of the open image, and its address, which follows after each pause. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { normalizedDegrees } from '../model/view-query.ts';
import { plainColor, plainView, type ViewColor, type ViewState, wholeImage } from '../model/view-state.ts';
import { place, rewriteAddress } from './route.ts';

/** So long nothing must change, in ms, before the address is written anew: browsers bound how often it may be. */
const pauseMs = 250;

const current = signal<ViewState>(plainView(''));
let waiting: ReturnType<typeof setTimeout> | undefined;

/** What is shown. */
export const view: ReadonlySignal<ViewState> = current;

export const color: ReadonlySignal<ViewColor> = computed(() => current.value.color);

/** Shows another image or view, which the address says already. */
export function setView(state: ViewState): void {
  clearTimeout(waiting);
  current.value = state;
}

/** Writes the address now. */
export function writeAddress(): void {
  clearTimeout(waiting);
  const here = place.peek();
  if (here.kind === 'view') rewriteAddress({ ...here, state: current.peek() });
}

/** Changes what is shown, and the address after a pause. */
export function changeView(change: Partial<ViewState>): void {
  current.value = { ...current.peek(), ...change };
  clearTimeout(waiting);
  waiting = setTimeout(writeAddress, pauseMs);
}

export const changeColor = (change: Partial<ViewColor>): void =>
  changeView({ color: { ...current.peek().color, ...change } });

let endMovement: () => void = () => undefined;

/** Says how the view learns where a movement that is still under way leads. */
export function onFlush(end: () => void): void {
  endMovement = end;
}

/** Takes the movement under way as done: what is changed next starts from where it leads. */
export const flushViewport = (): void => endMovement();

export const toggleTwoPages = (): void => changeView({ twoPages: !current.peek().twoPages });

/** Turns what is seen; degrees clockwise. */
export function turnBy(degrees: number): void {
  flushViewport();
  changeView({ rotation: normalizedDegrees(current.peek().rotation + degrees) });
}

/** Mirrors what is seen, left to right or top to bottom, so that a turned image is mirrored as it stands on the screen. */
export function mirrorSeen(direction: 'horizontal' | 'vertical'): void {
  flushViewport();
  const { mirror, rotation } = current.peek();
  changeView({ mirror: { ...mirror, [direction]: !mirror[direction] }, rotation: normalizedDegrees(-rotation) });
}

/** Everything as the image itself is: the marks stay. */
export function resetView(): void {
  changeView({
    region: wholeImage,
    rotation: 0,
    mirror: { horizontal: false, vertical: false },
    mode: 'fit',
    color: plainColor,
    quality: undefined,
  });
}
