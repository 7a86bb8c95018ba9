/** Pointer and keys of the drawing tools: each point by a click, a drag, or Enter at the crosshair. */
import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { toImage } from '../../model/view/geometry.ts';
import type { Point } from '../../model/view-state.ts';
import type { StagePointer } from '../../stage/viewer.ts';
import { redo, selected, undo } from '../../state/notes/notes.ts';
import {
  addPoint,
  discardSketch,
  drawsByDrag,
  endSketch,
  isDrawing,
  removePoint,
  sketch,
} from '../../state/notes/sketch.ts';
import { tool } from '../../state/tools.ts';
import { frame, onPointer, stage } from '../../state/view.ts';
import { keyTarget, trackPointer, useKeys } from '../common/elements.ts';

/** Minimum length of a drag in CSS pixels; a shorter one is a click. */
const leastDrag = 6;

/** How far an arrow key pans while a tool draws, in CSS pixels, without and with Shift. */
const arrowSteps = { usual: 24, fine: 2 } as const;

const imagePoint = (at: Point): Point | undefined => {
  const now = frame.peek();
  return now && toImage(now.matrix, at);
};

const put = (at: Point): void => {
  const point = imagePoint(at);
  if (point !== undefined) addPoint(point);
};

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);

/** The second click of a double click ends the drawing and sets no point. */
function clickAt(at: Point): void {
  const last = sketch.peek().at(-1);
  if (last === undefined || !isNear(last, at)) put(at);
}

/** Whether the pointer aims, and not the keyboard by the crosshair: the one that was used last. */
let aimsByPointer = false;

/** Draws by clicks, or from press to release with tools that need two points. */
function pointerDrawing(pointer: Signal<Point | undefined>): (event: StagePointer) => void {
  let pressed: Point | undefined;
  let isDragged = false;
  const acts: Readonly<Record<StagePointer['kind'], (at: Point) => void>> = {
    click: clickAt,
    'double-click': endSketch,
    press(at) {
      pressed = at;
      isDragged = false;
    },
    drag(at) {
      pointer.value = at;
      if (isDragged || pressed === undefined || distance(pressed, at) < leastDrag) return;
      if (sketch.peek().length === 0) put(pressed);
      // A drag that began outside of the image draws nothing.
      isDragged = sketch.peek().length > 0;
    },
    release(at) {
      if (isDragged) put(at);
    },
  };
  return ({ kind, at, use }) => {
    aimsByPointer = true;
    const isDrag = kind === 'drag' || kind === 'release';
    if (!isDrawing.peek()) {
      if (kind === 'click') selected.value = undefined;
    } else if (!isDrag || drawsByDrag(tool.peek())) {
      if (kind !== 'press') use();
      acts[kind](at);
    }
  };
}

function isNear(point: Point, at: Point): boolean {
  const other = imagePoint(at);
  const now = frame.peek();
  if (other === undefined || now === undefined) return false;
  const { image, placement } = now;
  const scale = placement.scale;
  return Math.hypot((point.x - other.x) * image.width, (point.y - other.y) * image.height) * scale < 4;
}

function moveBy(key: string, isFine: boolean): boolean {
  const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  const on = stage.peek();
  if (direction === undefined || on === undefined) return false;
  const step = isFine ? arrowSteps.fine : arrowSteps.usual;
  const [x = 0, y = 0] = direction;
  aimsByPointer = false;
  on.panBy((x * step) / on.window.width, (y * step) / on.window.height);
  return true;
}

const atCrosshair = (): Point => {
  const { width, height } = stage.peek()?.window ?? { width: 0, height: 0 };
  return { x: width / 2, y: height / 2 };
};

/**
 * Ends a drawing whose last point the pointer has set. Otherwise sets a point at the crosshair, and ends the drawing
 * where it is there already.
 */
function enter(): true {
  const last = sketch.peek().at(-1);
  if (last !== undefined && (aimsByPointer || isNear(last, atCrosshair()))) endSketch();
  else {
    aimsByPointer = false;
    put(atCrosshair());
  }
  return true;
}

/** Handles a key while a tool draws; false where the key has no meaning for it. */
function drawByKey({ key, shiftKey }: KeyboardEvent): boolean {
  if (key === 'Enter') return enter();
  if (key === 'Backspace') return removePoint();
  if (key === 'Escape') return discardSketch();
  return moveBy(key, shiftKey);
}

const isOnImage = (target: Element): boolean =>
  target === document.body || stage.peek()?.focusElement.contains(target) === true;

function pressUndo(event: KeyboardEvent, target: Element): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 'z') return false;
  // In a field, the undo of the browser applies.
  if (target.closest('input, textarea, dialog')) return false;
  if (event.shiftKey) redo();
  else undo();
  return true;
}

/** Escape deselects the selected note before it closes the panel. */
function pressEscape({ key }: KeyboardEvent, target: Element): boolean {
  const isHere = isOnImage(target) || target.closest('.notes-layer') !== null;
  if (key !== 'Escape' || isDrawing.peek() || !isHere || selected.peek() === undefined) return false;
  selected.value = undefined;
  return true;
}

function press(event: KeyboardEvent): void {
  const isPlain = !(event.ctrlKey || event.metaKey || event.altKey);
  const target = keyTarget(event);
  const isDone =
    pressUndo(event, target) ||
    pressEscape(event, target) ||
    (isPlain && isDrawing.peek() && isOnImage(target) && drawByKey(event));
  if (isDone) event.preventDefault();
}

/** Handles the drawing tools; returns the pointer's position on the stage in CSS pixels, while a tool draws. */
export function useDrawing(): Signal<Point | undefined> {
  const pointer = useSignal<Point | undefined>(undefined);
  useEffect(() => onPointer(pointerDrawing(pointer)), []);
  useKeys(press, true);
  useSignalEffect(() => {
    const target = stage.value?.focusElement;
    if (target === undefined || !isDrawing.value) return undefined;
    const stopTracking = trackPointer(target, pointer, ['pointerleave', 'keydown']);
    target.classList.add('drawing');
    return () => {
      stopTracking();
      target.classList.remove('drawing');
    };
  });
  return pointer;
}
