/** The zoom bar, the magnifier and zooming to an area. */
import { useSignal, useSignalEffect } from '@preact/signals';
import { Minus, Plus } from 'lucide';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { onScreen, pictureAddress } from '../../data/images.ts';
import { message } from '../../messages/messages.ts';
import { nearestOnImage, rectangleBetween } from '../../model/notes/mark-edits.ts';
import { colorSteps } from '../../model/view/color.ts';
import { boxAround, cornersOf, toImage } from '../../model/view/geometry.ts';
import type { Point, Rect } from '../../model/view-state.ts';
import { type Frame, Stage } from '../../stage/stage.ts';
import { openedNow } from '../../state/opened.ts';
import { displayDensity } from '../../state/stored-preferences.ts';
import { openDialog, tool } from '../../state/tools.ts';
import { color, frame, onPointer, stage, view } from '../../state/view.ts';
import {
  currentPercent,
  resolution,
  showAround,
  showMode,
  showPageWidth,
  showRegion,
  showWhole,
  zoomIn,
  zoomOut,
} from '../../state/viewport.ts';
import { Button, IconButton } from '../common/button.tsx';
import { trackPointer } from '../common/elements.ts';
import { useBroken } from '../common/picture.tsx';

interface Span {
  readonly from: Point;
  readonly to: Point;
}

/** Minimum size of the area in CSS pixels. */
const leastDrag = 6;

const boxOf = ({ from, to }: Span): Rect => rectangleBetween(from, to);

/** The region of the image around a box on the screen, also of a rotated image. */
function regionUnder(box: Rect): Rect | undefined {
  const now = frame.peek();
  if (now === undefined) return undefined;
  const region = boxAround(cornersOf(box).map((corner) => nearestOnImage(toImage(now.matrix, corner))));
  return region && region.width > 0 && region.height > 0 ? region : undefined;
}

export function ZoomArea(): VNode | null {
  const span = useSignal<Span | undefined>(undefined);
  useEffect(() => {
    const finish = (box: Rect): void => {
      span.value = undefined;
      const region = Math.min(box.width, box.height) >= leastDrag ? regionUnder(box) : undefined;
      if (region === undefined) return;
      showRegion(region);
      tool.value = 'move';
    };
    return onPointer(({ kind, at, use }) => {
      if (tool.peek() !== 'zoom-area') return;
      if (kind === 'press') span.value = { from: at, to: at };
      const begun = span.peek();
      if (begun === undefined || (kind !== 'drag' && kind !== 'release')) return;
      use();
      if (kind === 'drag') span.value = { ...begun, to: at };
      else finish(boxOf({ ...begun, to: at }));
    });
  }, []);
  if (span.value === undefined || tool.value !== 'zoom-area') return null;
  const { x, y, width, height } = boxOf(span.value);
  return (
    <div
      class="zoom-area through"
      style={{ left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` }}
    />
  );
}

/** CSS pixels across; the style sheet says the same. */
const glassSide = 240;

/** Scale relative to the stage. */
const factor = 3;

function Glass({ at }: { readonly at: Point }): VNode {
  const element = useRef<HTMLDivElement>(null);
  const glass = useSignal<Stage | undefined>(undefined);

  useEffect(() => {
    const { image, layers } = stage.peek() ?? {};
    if (element.current === null || image === undefined) return undefined;
    const created = new Stage(element.current);
    created.focusElement.tabIndex = -1;
    void created.show(image, undefined, undefined, layers).then((isShown) => {
      if (isShown) glass.value = created;
    });
    return () => created.close();
  }, []);

  useSignalEffect(() => glass.value?.setLook({ steps: colorSteps(color.value), effects: view.value.effects }));

  const shown = glass.value;
  const now = frame.value;
  useEffect(() => {
    if (shown === undefined || now === undefined) return;
    const { placement } = now;
    shown.place({ ...placement, center: toImage(now.matrix, at), scale: placement.scale * factor }, 'at-once');
  }, [shown, now, at]);

  return (
    <div
      class="magnifier through"
      ref={element}
      // OpenSeadragon captures the pointer in all its elements, but not in inert ones.
      inert
      style={{ left: `${at.x - glassSide / 2}px`, top: `${at.y - glassSide / 2}px` }}
    />
  );
}

/** The magnifier under the pointer: a small stage of its own, which shows the same point larger, with its own tiles. */
export function Magnifier(): VNode | null {
  const at = useSignal<Point | undefined>(undefined);
  const on = tool.value === 'magnifier';
  const target = stage.value?.focusElement;

  useEffect(() => {
    if (!on || target === undefined) return undefined;
    return trackPointer(target, at, ['pointerleave']);
  }, [on, target]);

  return on && at.value !== undefined ? <Glass at={at.value} /> : null;
}

function TrueSize(): VNode | null {
  if (resolution.value === undefined) return null;
  const choose = (): void => {
    // The true size needs a calibrated display.
    if (displayDensity.peek() === 0) openDialog('calibration');
    else showMode('true-size');
  };
  return (
    <Button pressed={view.value.mode === 'true-size'} onClick={choose}>
      {message('true-size')}
    </Button>
  );
}

/** The buttons that zoom, and a small picture of the whole image with the visible part marked. */
export const ZoomBar = (): VNode => (
  <fieldset class="zoom-bar row wrap floating" aria-label={message('zoom')}>
    <IconButton icon={Minus} name={message('zoom-out')} shortcut="-" onClick={zoomOut} />
    <span class="zoom-percent muted tabular" title={message('zoom-now')}>
      {currentPercent.value}
    </span>
    <IconButton icon={Plus} name={message('zoom-in')} shortcut="+" onClick={zoomIn} />
    <Button onClick={showWhole}>{message('whole')}</Button>
    <Button onClick={showPageWidth}>{message('page-width')}</Button>
    <Button pressed={view.value.mode === 'pixels'} onClick={() => showMode('pixels')}>
      {message('one-to-one')}
    </Button>
    <TrueSize />
  </fieldset>
);

/** The longer side in CSS pixels. */
const longerSide = 168;

/** The corners of the window in fractions of the image. */
function visibleCorners({ matrix, window: { width, height } }: Frame): string {
  return cornersOf({ x: 0, y: 0, width, height })
    .map((corner) => toImage(matrix, corner))
    .map(({ x, y }) => `${x},${y}`)
    .join(' ');
}

/** A small picture of the whole image with the visible part marked, which a drag or a click moves. */
export function Navigator(): VNode | null {
  const element = useRef<SVGSVGElement>(null);
  const opened = openedNow();
  const { isBroken, onError } = useBroken(opened?.path);
  const now = frame.value;
  if (opened === undefined || now === undefined || isBroken) return null;
  const { width, height } = now.image;
  const scale = longerSide / Math.max(width, height);
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const isAll = view.value.region.width >= 1 && view.value.region.height >= 1 && view.value.mode === 'fit';
  if (isAll) return null;
  const go = (event: PointerEvent): void => {
    if (event.buttons === 0 || element.current === null) return;
    const box = element.current.getBoundingClientRect();
    showAround({ x: (event.clientX - box.x) / box.width, y: (event.clientY - box.y) / box.height });
  };
  return (
    <div class="navigator floating" aria-hidden="true" title={message('navigator')}>
      <img
        src={pictureAddress(opened.path, onScreen(size))}
        alt=""
        width={size.width}
        height={size.height}
        onError={onError}
      />
      <svg
        ref={element}
        viewBox="0 0 1 1"
        preserveAspectRatio="none"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          go(event);
        }}
        onPointerMove={go}
      >
        <title>{message('navigator')}</title>
        <polygon points={visibleCorners(now)} />
      </svg>
    </div>
  );
}
