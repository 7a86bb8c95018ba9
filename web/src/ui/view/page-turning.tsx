/** Turning pages: by number, by swiping, and at the sides of the image. */
import { useSignal } from '@preact/signals';
import { ChevronLeft, ChevronRight } from 'lucide';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { fetchFolder } from '../../data/fetch.ts';
import { language, message } from '../../messages/messages.ts';
import { isForeign } from '../../model/address/address-text.ts';
import { type Side, sideAt } from '../../model/view/page-order.ts';
import type { Point } from '../../model/view-state.ts';
import { goToPage, type Opened, openedNow } from '../../state/opened.ts';
import {
  canTurn,
  goToNeighbor,
  neighbors,
  type TurnDirection,
  turnAt,
  turnIfWhole,
  visiblePages,
} from '../../state/pages.ts';
import { isSelecting, selectsText, tool } from '../../state/tools.ts';
import { focusStage, onPointer, stage, view } from '../../state/view.ts';
import { seesWhole, showsWhole } from '../../state/viewport.ts';
import { Icon } from '../common/button.tsx';
import { pointerOn, useOwnText } from '../common/elements.ts';
import { formatCount } from '../common/words.ts';

/** Distance in CSS pixels after which the direction of a swipe is determined. */
const minDistance = 10;

/** Distance in CSS pixels from which a swipe turns the page. */
const turnDistance = 64;

/** The fraction of the swipe that the image follows where there is no page to turn to. */
const resistance = 0.25;

/** A larger image is panned by the finger instead. */
const canSwipe = (): boolean => tool.peek() === 'move' && !selectsText.peek() && showsWhole(view.peek());

/** The page that a swipe to the right (positive) or to the left turns to. */
const neighborAt = (offset: number): TurnDirection => turnAt(offset > 0 ? 'left' : 'right');

interface Swipe {
  readonly finger: number;
  readonly from: Point;
  /** CSS pixels to the right; undefined as long as it may be another gesture. */
  readonly offset: number | undefined;
}

/** Moves the stage with the finger; without an offset, the style sheet moves it back. */
function shift(element: HTMLElement, offset: number | undefined): void {
  const moved = element.closest<HTMLElement>('.stage');
  if (moved === null) return;
  const hasPage = offset !== undefined && neighbors()[neighborAt(offset)] !== undefined;
  moved.classList.toggle('swiped', offset !== undefined);
  moved.style.translate = offset === undefined ? '' : `${hasPage ? offset : offset * resistance}px 0`;
}

/** The swipe after the finger has moved; undefined where it is another gesture. */
function continued(swipe: Swipe, to: Point): Swipe | undefined {
  const [x, y] = [to.x - swipe.from.x, to.y - swipe.from.y];
  if (swipe.offset !== undefined) return { ...swipe, offset: x };
  if (Math.hypot(x, y) < minDistance) return swipe;
  return Math.abs(x) > 1.5 * Math.abs(y) ? { ...swipe, offset: x } : undefined;
}

/** Follows fingers on an element until the returned function is called. */
function followFingers(element: HTMLElement): () => void {
  const fingers = new Set<number>();
  let swipe: Swipe | undefined;
  /** Valid until the next touch, since the stage reports the release later. */
  let wasSwiped = false;
  const cancel = (): void => {
    if (swipe?.offset !== undefined) shift(element, undefined);
    swipe = undefined;
  };
  const handlers = {
    pointerdown({ pointerId, pointerType, clientX, clientY }: PointerEvent) {
      if (pointerType !== 'touch') return;
      fingers.add(pointerId);
      cancel();
      wasSwiped = false;
      // Two fingers zoom.
      if (fingers.size === 1 && canSwipe())
        swipe = { finger: pointerId, from: { x: clientX, y: clientY }, offset: undefined };
    },
    pointermove({ pointerId, clientX, clientY }: PointerEvent) {
      if (swipe?.finger !== pointerId) return;
      // A long press selects text, and the finger goes on to do so.
      if (isSelecting.peek()) cancel();
      else swipe = continued(swipe, { x: clientX, y: clientY });
      if (swipe?.offset !== undefined) shift(element, swipe.offset);
    },
    pointerup({ pointerId }: PointerEvent) {
      fingers.delete(pointerId);
      const offset = swipe?.finger === pointerId ? swipe.offset : undefined;
      wasSwiped = offset !== undefined;
      cancel();
      if (offset !== undefined && Math.abs(offset) >= turnDistance) goToNeighbor(neighborAt(offset));
    },
    pointercancel({ pointerId }: PointerEvent) {
      fingers.delete(pointerId);
      cancel();
    },
  } as const;
  const names = Object.keys(handlers) as readonly (keyof typeof handlers)[];
  // Captured, so that swipes are recognized before the stage handles the event.
  for (const name of names) element.addEventListener(name, handlers[name], { capture: true });
  const endListening = onPointer(({ kind, use }) => {
    if (kind === 'drag' ? swipe !== undefined : kind === 'release' && wasSwiped) use();
  });
  return () => {
    for (const name of names) element.removeEventListener(name, handlers[name], { capture: true });
    endListening();
    cancel();
  };
}

export function useSwipe(): void {
  const element = stage.value?.focusElement;
  useEffect(() => (element === undefined ? undefined : followFingers(element)), [element]);
}

/** The side at a position in CSS pixels from the left edge of the stage, where a click there turns to a page. */
function turningSide(x: number): Side | undefined {
  const on = stage.peek();
  if (on === undefined || tool.peek() !== 'move' || selectsText.peek() || !seesWhole()) return undefined;
  const side = sideAt(x, on.window.width);
  return side !== undefined && canTurn(turnAt(side)) ? side : undefined;
}

/** Turns at clicks; a second one soon after turns again and does not zoom. */
const turnAtClicks = (): (() => void) =>
  onPointer(({ kind, at, use }) => {
    if (kind !== 'click' && kind !== 'double-click') return;
    const side = turningSide(at.x);
    if (side === undefined) return;
    use();
    if (kind === 'click') turnIfWhole(turnAt(side));
  });

/** The sides of the stage: a click turns the page where the whole image is seen, and the pointer shows it. */
export function PageSides(): VNode | null {
  const hovered = useSignal<Side | undefined>(undefined);
  const element = stage.value?.focusElement;
  useEffect(turnAtClicks, []);
  useEffect(() => {
    if (element === undefined) return undefined;
    const show = (side: Side | undefined): void => {
      hovered.value = side;
      element.classList.toggle('turns', side !== undefined);
    };
    const move = (event: PointerEvent): void => {
      const isFree = event.pointerType === 'mouse' && event.buttons === 0;
      show(isFree ? turningSide(pointerOn(element, event).x) : undefined);
    };
    const leave = (): void => show(undefined);
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerleave', leave);
    return () => {
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerleave', leave);
    };
  }, [element]);
  if (hovered.value === undefined) return null;
  return (
    <span class={`page-side ${hovered.value}`} aria-hidden="true">
      <Icon of={hovered.value === 'left' ? ChevronLeft : ChevronRight} />
    </span>
  );
}

const isNumber = (typed: string): boolean => /^[0-9]+$/.test(typed);

/** Positions as they are written: `2–3`, or `2, 4` around a page that stands alone. */
const writtenPages = ([first = 1, second = first]: readonly number[]): string =>
  second === first ? String(first) : `${first}${second === first + 1 ? '–' : ', '}${second}`;

/** The position that a typed text means: a number is a position, anything else the label of a page. */
async function positionOf(typed: string, { images }: Opened): Promise<number | 'none' | 'unknown'> {
  const number = isNumber(typed) ? Number(typed) : 0;
  if (number >= 1 && number <= images.total) return number;
  if (isForeign(images.path)) return images.labelled(typed) ?? 'none';
  const answer = await fetchFolder(images.path, language.peek(), { label: typed, count: 1 });
  if (!answer.ok) return 'unknown';
  return answer.value.at ?? 'none';
}

function errorFor(typed: string, { images }: Opened): string {
  if (isNumber(typed)) return message('no-page', { number: typed, total: images.total });
  return message('no-page-called', { label: typed });
}

/** The field that shows the number of the open page, and takes the number or the label of another. */
export function PageField(): VNode | null {
  const error = useSignal('');
  const isEntered = useRef(false);
  const opened = openedNow();
  const text = opened === undefined ? '' : writtenPages(visiblePages(opened));
  const own = useOwnText<HTMLInputElement>(text);
  // What was typed before the page was turned, or what was left with Escape, must not stand for the page that is shown.
  const reset = (): void => {
    error.value = '';
    if (own.ref.current !== null) own.ref.current.value = text;
  };
  // Within the task of the rendering: a later effect would undo what was typed before it ran.
  useLayoutEffect(reset, [opened, text]);
  if (opened === undefined) return null;
  const go = async (typed: string): Promise<void> => {
    const at = typed === '' ? opened.at : await positionOf(typed, opened);
    if (openedNow() !== opened) return;
    if (at === 'unknown') error.value = message('problem-unreachable');
    else if (at === 'none') error.value = errorFor(typed, opened);
    else {
      if (at === opened.at) reset();
      else void goToPage({ at, inner: 1 });
      // The next key is the image's. Whoever leaves the field by the tabulator or the pointer goes elsewhere.
      if (isEntered.current) focusStage();
    }
    isEntered.current = false;
  };
  return (
    <span class="page-number muted tabular row">
      <input
        {...own}
        id="page-number"
        type="text"
        autocomplete="off"
        enterKeyHint="go"
        aria-label={message('go-to-page')}
        aria-describedby="page-fault"
        aria-invalid={error.value !== ''}
        title={`${message('go-to-page-how')} (G)`}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onInput={() => {
          error.value = '';
        }}
        onChange={({ currentTarget }) => void go(currentTarget.value.trim())}
        onKeyDown={(event) => {
          const { key, currentTarget } = event;
          isEntered.current = key === 'Enter';
          if (key !== 'Escape' && (key !== 'Enter' || currentTarget.value !== text)) return;
          event.preventDefault();
          reset();
          focusStage();
        }}
      />
      <span>{message('of-pages', { total: formatCount(opened.images.total) })}</span>
      <span id="page-fault" class="page-fault" role="status">
        {error.value}
      </span>
    </span>
  );
}
