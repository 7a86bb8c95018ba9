/** The tool that zooms to the area over which the pointer is dragged. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { rectangleBetween } from '../../model/notes/mark-edits.ts';
import { cornersOf, toImage } from '../../model/view/geometry.ts';
import type { Point, Rect } from '../../model/view-state.ts';
import { frame, onPointer } from '../../state/stages.ts';
import { tool } from '../../state/tools.ts';
import { showRegion } from '../../state/viewport.ts';

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
    <div class="zoom-area" style={{ left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` }} />
  );
}
