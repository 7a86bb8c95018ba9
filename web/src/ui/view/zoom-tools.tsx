/** The tools of the pointer: the area that is zoomed to, and the magnifier. */
import { useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { rectangleBetween } from '../../model/notes/mark-edits.ts';
import { colorSteps } from '../../model/view/color.ts';
import { cornersOf, toImage } from '../../model/view/geometry.ts';
import type { Point, Rect } from '../../model/view-state.ts';
import { Stage } from '../../stage/stage.ts';
import { frame, onPointer, stage } from '../../state/stages.ts';
import { tool } from '../../state/tools.ts';
import { color } from '../../state/view.ts';
import { showRegion } from '../../state/viewport.ts';
import { trackPointer } from '../common/elements.ts';

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
  const corners = cornersOf(box).map((corner) => toImage(now.matrix, corner));
  const xs = corners.map(({ x }) => Math.min(Math.max(x, 0), 1));
  const ys = corners.map(({ y }) => Math.min(Math.max(y, 0), 1));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const region = { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
  return region.width > 0 && region.height > 0 ? region : undefined;
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
    const image = stage.peek()?.image;
    if (element.current === null || image === undefined) return undefined;
    const created = new Stage(element.current);
    created.focusElement.tabIndex = -1;
    void created.show(image).then((isShown) => {
      if (isShown) glass.value = created;
    });
    return () => created.close();
  }, []);

  useSignalEffect(() => glass.value?.setColors(colorSteps(color.value)));

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
