/** What pointers do on the light table: drag items and the view, turn and scale by handles, draw a frame, pinch. */
import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { boundsOf, chosen, moved, pivotOf, scaled, turned } from '../../model/light-table/table.ts';
import { boxAround } from '../../model/view/geometry.ts';
import type { Point, Rect } from '../../model/view-state.ts';
import {
  activeKey,
  camera,
  change,
  items,
  moveCamera,
  pointAt,
  preview,
  ratioOf,
  select,
  selection,
  table,
  zoomBy,
} from '../../state/light-table/table.ts';
import { pointerOn } from '../common/elements.ts';
import { openItem, selectsSeveral, toggle } from './commands.ts';

/** One drag: `move` gets points of the surface in CSS pixels. `wasMoved` is false for a tap. */
interface Gesture {
  readonly move: (to: Point, event: PointerEvent) => void;
  readonly end: (wasMoved: boolean) => void;
}

/** The frame that the reader draws around items, in mm. */
export const drawnFrame = signal<Rect | undefined>(undefined);

/** A pointer that moves less has tapped, in CSS pixels. */
const tapDistance = 4;

const takePreview = (): void => {
  const next = preview.peek();
  preview.value = undefined;
  if (next !== undefined) change(next);
};

function dragItems(key: number, from: Point, isAdding: boolean): Gesture {
  const wasChosen = selection.peek().has(key);
  if (!wasChosen) select(isAdding ? [...selection.peek(), key] : [key]);
  activeKey.value = key;
  const keys = selection.peek();
  const before = table.peek().items;
  return {
    move: (to) => {
      const { mm } = camera.peek();
      preview.value = moved(before, keys, { x: (to.x - from.x) * mm, y: (to.y - from.y) * mm });
    },
    end: (wasMoved) => {
      if (wasMoved) takePreview();
      else if (wasChosen && isAdding) toggle(key);
      else if (wasChosen) select([key]);
    },
  };
}

function pan(from: Point): Gesture {
  const before = camera.peek();
  return {
    move: (to) => {
      const { x, y, mm } = before;
      moveCamera({ x: x - (to.x - from.x) * mm, y: y - (to.y - from.y) * mm, mm });
    },
    end: (wasMoved) => {
      if (!wasMoved) select([]);
    },
  };
}

function drawFrame(from: Point): Gesture {
  const start = pointAt(from);
  const before = [...selection.peek()];
  return {
    move: (to) => {
      const frame = boxAround([start, pointAt(to)]);
      drawnFrame.value = frame;
      if (frame === undefined) return;
      const inside = items.peek().filter((item) => {
        const box = boundsOf([item], ratioOf);
        if (box === undefined) return false;
        const isBeside = box.x > frame.x + frame.width || box.x + box.width < frame.x;
        return !isBeside && box.y <= frame.y + frame.height && box.y + box.height >= frame.y;
      });
      select([...before, ...inside.map(({ key }) => key)]);
    },
    end: () => {
      drawnFrame.value = undefined;
    },
  };
}

const degreesFrom = (center: Point, { x, y }: Point): number =>
  (Math.atan2(y - center.y, x - center.x) * 180) / Math.PI;

/** By whole degrees; with Shift, to steps of 15. */
function turnByHandle(from: Point): Gesture {
  const [before, keys] = [table.peek().items, selection.peek()];
  const pivot = pivotOf(before, keys, ratioOf);
  const start = degreesFrom(pivot, pointAt(from));
  const own = chosen(before, keys);
  const first = own.length === 1 ? (own[0]?.rotation ?? 0) : 0;
  return {
    move: (to, { shiftKey }) => {
      const step = shiftKey ? 15 : 1;
      const by = Math.round((first + degreesFrom(pivot, pointAt(to)) - start) / step) * step - first;
      preview.value = turned(before, keys, by, pivot);
    },
    end: takePreview,
  };
}

function scaleByHandle(from: Point): Gesture {
  const [before, keys] = [table.peek().items, selection.peek()];
  const pivot = pivotOf(before, keys, ratioOf);
  const distance = (at: Point): number => Math.hypot(at.x - pivot.x, at.y - pivot.y);
  const start = Math.max(1e-6, distance(pointAt(from)));
  return {
    move: (to) => {
      preview.value = scaled(before, keys, distance(pointAt(to)) / start, pivot);
    },
    end: takePreview,
  };
}

function begin(event: PointerEvent, at: Point): Gesture {
  const target = event.target instanceof Element ? event.target : null;
  const handle = target?.closest<HTMLElement>('[data-handle]')?.dataset['handle'];
  if (handle === 'turn') return turnByHandle(at);
  if (handle === 'scale') return scaleByHandle(at);
  const key = Number(target?.closest<HTMLElement>('[data-key]')?.dataset['key'] ?? 0);
  const isAdding = event.shiftKey || event.ctrlKey || event.metaKey || selectsSeveral.peek();
  if (key > 0) return dragItems(key, at, isAdding);
  return isAdding ? drawFrame(at) : pan(at);
}

/** Two fingers zoom around the point between them, and move the view with it. */
function pinch(pointers: ReadonlyMap<number, Point>): Gesture {
  const [one, other] = [...pointers.values()];
  const between = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  const apart = (a: Point, b: Point): number => Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
  let last = one && other && { center: between(one, other), distance: apart(one, other) };
  return {
    move: () => {
      const [a, b] = [...pointers.values()];
      if (last === undefined || a === undefined || b === undefined) return;
      const now = { center: between(a, b), distance: apart(a, b) };
      const { x, y, mm } = camera.peek();
      moveCamera({ x: x - (now.center.x - last.center.x) * mm, y: y - (now.center.y - last.center.y) * mm, mm });
      zoomBy(now.distance / last.distance, now.center);
      last = now;
    },
    end: () => undefined,
  };
}

interface Track {
  readonly from: Point;
  gesture: Gesture;
  wasMoved: boolean;
}

function listen(element: HTMLElement, signal: AbortSignal): void {
  const pointers = new Map<number, Point>();
  let track: Track | undefined;
  const down = (event: PointerEvent): void => {
    if (event.button !== 0 && event.pointerType === 'mouse') return;
    const at = pointerOn(element, event);
    pointers.set(event.pointerId, at);
    element.setPointerCapture(event.pointerId);
    if (pointers.size > 2) return;
    preview.value = undefined;
    const gesture = pointers.size === 2 ? pinch(pointers) : begin(event, at);
    track = { from: at, gesture, wasMoved: pointers.size === 2 };
  };
  const move = (event: PointerEvent): void => {
    if (!pointers.has(event.pointerId) || track === undefined) return;
    const at = pointerOn(element, event);
    pointers.set(event.pointerId, at);
    track.wasMoved ||= Math.hypot(at.x - track.from.x, at.y - track.from.y) >= tapDistance;
    if (track.wasMoved) track.gesture.move(at, event);
  };
  const end =
    (isTaken: boolean) =>
    (event: PointerEvent): void => {
      if (!pointers.delete(event.pointerId)) return;
      const ended = track;
      track = undefined;
      if (isTaken) ended?.gesture.end(ended.wasMoved);
      else preview.value = undefined;
    };
  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === 0 ? 1 : 24);
    zoomBy(Math.exp(-Math.min(Math.max(pixels, -240), 240) * 0.0025), pointerOn(element, event));
  };
  // The surface has captured the pointer: the event does not tell what is below it.
  const open = ({ clientX, clientY }: MouseEvent): void => {
    const below = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-key]');
    if (below) openItem(items.peek().find(({ key }) => key === Number(below.dataset['key'])));
  };
  element.addEventListener('pointerdown', down, { signal });
  element.addEventListener('pointermove', move, { signal });
  element.addEventListener('pointerup', end(true), { signal });
  element.addEventListener('pointercancel', end(false), { signal });
  element.addEventListener('wheel', wheel, { signal, passive: false });
  element.addEventListener('dblclick', open, { signal });
}

/** Lets pointers act on the surface. */
export const useGestures = (surface: RefObject<HTMLElement | null>): void =>
  useEffect(() => {
    const ending = new AbortController();
    if (surface.current !== null) listen(surface.current, ending.signal);
    return () => ending.abort();
  }, []);
