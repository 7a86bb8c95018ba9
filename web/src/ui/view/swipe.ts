/** A finger's way to the neighbors: where the whole image is shown, a sideways swipe turns the page. */
import { useEffect } from 'preact/hooks';
import type { Point } from '../../model/view-state.ts';
import { goToNeighbor, neighbors } from '../../state/paging.ts';
import { onPointer } from '../../state/pointer.ts';
import { stage } from '../../state/stage.ts';
import { tool } from '../../state/tools.ts';
import { readingDirection } from '../../state/two-pages.ts';
import { view } from '../../state/view.ts';

/** CSS pixels after which it is known whether a finger goes sideways. */
const undecided = 10;

/** CSS pixels after which the page turns when the finger leaves the screen. */
const turning = 64;

/** How much of its way the image follows where there is no page to turn to. */
const resistance = 0.25;

/** A larger image is moved by the finger, not turned away. */
function isAtRest(): boolean {
  const { mode, region } = view.peek();
  const isWhole = region.x === 0 && region.y === 0 && region.width === 1 && region.height === 1;
  return mode === 'fit' && isWhole && tool.peek() === 'move';
}

/** The page that comes from the right when the finger goes left, and the other way round. */
function neighborAt(way: number): 'previous' | 'next' {
  const isOn = readingDirection.peek() === 'right-to-left' ? way > 0 : way < 0;
  return isOn ? 'next' : 'previous';
}

interface Swipe {
  readonly finger: number;
  readonly from: Point;
  /** CSS pixels to the right; undefined as long as it may be another gesture. */
  readonly way: number | undefined;
}

/** Moves the picture with the finger; without a way, the style sheet brings it back to its place. */
function shift(element: HTMLElement, way: number | undefined): void {
  const seen = element.closest<HTMLElement>('.stage');
  if (seen === null) return;
  const isThere = way !== undefined && neighbors()[neighborAt(way)] !== undefined;
  seen.classList.toggle('swiped', way !== undefined);
  seen.style.translate = way === undefined ? '' : `${isThere ? way : way * resistance}px 0`;
}

/** The swipe after the finger has moved; undefined where it turns out to be none. */
function wayOn(swipe: Swipe, to: Point): Swipe | undefined {
  const [x, y] = [to.x - swipe.from.x, to.y - swipe.from.y];
  if (swipe.way !== undefined) return { ...swipe, way: x };
  if (Math.hypot(x, y) < undecided) return swipe;
  return Math.abs(x) > 1.5 * Math.abs(y) ? { ...swipe, way: x } : undefined;
}

/** Follows fingers on an element, until the function that is given back is called. */
function followFingers(element: HTMLElement): () => void {
  const fingers = new Set<number>();
  let swipe: Swipe | undefined;
  /** Until the next finger comes, since the stage hears of the end after it. */
  let wasSwiped = false;
  const leave = (): void => {
    if (swipe?.way !== undefined) shift(element, undefined);
    swipe = undefined;
  };
  const handlers = {
    pointerdown({ pointerId, pointerType, clientX, clientY }: PointerEvent) {
      if (pointerType !== 'touch') return;
      fingers.add(pointerId);
      leave();
      wasSwiped = false;
      // Two fingers zoom.
      if (fingers.size === 1 && isAtRest())
        swipe = { finger: pointerId, from: { x: clientX, y: clientY }, way: undefined };
    },
    pointermove({ pointerId, clientX, clientY }: PointerEvent) {
      if (swipe?.finger !== pointerId) return;
      swipe = wayOn(swipe, { x: clientX, y: clientY });
      if (swipe?.way !== undefined) shift(element, swipe.way);
    },
    pointerup({ pointerId }: PointerEvent) {
      fingers.delete(pointerId);
      const way = swipe?.finger === pointerId ? swipe.way : undefined;
      wasSwiped = way !== undefined;
      leave();
      if (way !== undefined && Math.abs(way) >= turning) goToNeighbor(neighborAt(way));
    },
    pointercancel({ pointerId }: PointerEvent) {
      fingers.delete(pointerId);
      leave();
    },
  } as const;
  const names = Object.keys(handlers) as readonly (keyof typeof handlers)[];
  // First, so that it is known whether a drag is a swipe before the stage hears of it.
  for (const name of names) element.addEventListener(name, handlers[name], { capture: true });
  const endListening = onPointer(({ kind, use }) => {
    if (kind === 'drag' ? swipe !== undefined : kind === 'release' && wasSwiped) use();
  });
  return () => {
    for (const name of names) element.removeEventListener(name, handlers[name], { capture: true });
    endListening();
    leave();
  };
}

export function useSwipe(): void {
  const element = stage.value?.focusElement;
  useEffect(() => (element === undefined ? undefined : followFingers(element)), [element]);
}
