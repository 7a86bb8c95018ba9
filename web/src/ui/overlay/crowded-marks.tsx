/** Thousands of marks: rings on a canvas, and the handles of the selected one and of the one under the pointer. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { drawnMarks, markNear } from '../../model/notes/overlay-layout.ts';
import { notes, selected } from '../../state/notes/notes.ts';
import { isDrawing } from '../../state/notes/sketch.ts';
import { frame, onPointer, stage } from '../../state/stages.ts';
import { MarkHandle } from './handle.tsx';

/** Half of a ring's side, and how near the pointer takes a mark, in CSS pixels. */
const radius = 12;

const darkCore = '#1d1a16';

/** The ring as the handles have it: dark, or of the color of its mark, between two light edges. */
function drawRing(density: number, core: string): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = 2 * radius * density;
  canvas.height = canvas.width;
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  context.scale(density, density);
  for (const [color, width] of [
    ['rgb(255 255 255 / 0.95)', 6],
    [core, 2.5],
  ] as const) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.beginPath();
    context.arc(radius, radius, 7, 0, 2 * Math.PI);
    context.stroke();
  }
  return canvas;
}

/** Different colors that are drawn; marks of more have the color of those without one. */
const maxColors = 64;

/** The rings that are drawn so far, by their colors. */
class Rings {
  /** Device pixels per CSS pixel. */
  readonly density: number;
  readonly #drawn = new Map<string, HTMLCanvasElement>();

  constructor(density: number) {
    this.density = density;
  }

  of(color = darkCore): HTMLCanvasElement {
    const known = this.#drawn.get(color);
    if (known !== undefined) return known;
    if (this.#drawn.size > maxColors && color !== darkCore) return this.of(darkCore);
    const ring = drawRing(this.density, color);
    this.#drawn.set(color, ring);
    return ring;
  }
}

/** The index of the mark under the pointer; a tap or click without a pointer over a mark before selects the nearest one. */
function useNearMark() {
  const near = useSignal<number | undefined>(undefined);
  const find = (x: number, y: number): number | undefined => {
    const now = frame.peek();
    return now && markNear(notes.peek().marks, now.matrix, { x, y }, radius);
  };
  useEffect(() => {
    const element = stage.peek()?.focusElement;
    const move = (event: PointerEvent): void => {
      if (event.buttons !== 0 || element === undefined) return;
      const box = element.getBoundingClientRect();
      near.value = find(event.clientX - box.x, event.clientY - box.y);
    };
    element?.addEventListener('pointermove', move);
    const forget = onPointer(({ kind, at, use }) => {
      if (kind !== 'click' || isDrawing.peek()) return;
      const found = find(at.x, at.y);
      if (found === undefined) return;
      use();
      selected.value = { kind: 'mark', at: found };
    });
    return () => {
      element?.removeEventListener('pointermove', move);
      forget();
    };
  }, [stage.value]);
  return near;
}

export function CrowdedMarks(): VNode | null {
  const canvas = useRef<HTMLCanvasElement>(null);
  const rings = useRef<Rings | undefined>(undefined);
  const near = useNearMark();
  const now = frame.value;
  const { marks } = notes.value;
  const density = devicePixelRatio;
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || now === undefined) return;
    const { canvas: on } = context;
    const [width, height] = [Math.round(now.window.width * density), Math.round(now.window.height * density)];
    if (on.width !== width || on.height !== height) Object.assign(on, { width, height });
    else context.clearRect(0, 0, width, height);
    if (rings.current?.density !== density) rings.current = new Rings(density);
    for (const { x, y, color } of drawnMarks(marks, now.matrix, now.window, radius)) {
      context.drawImage(
        rings.current.of(color),
        Math.round((x - radius) * density),
        Math.round((y - radius) * density),
      );
    }
  }, [now, marks, density]);
  const handles = new Set([near.value, selected.value?.kind === 'mark' ? selected.value.at : undefined]);
  return (
    <>
      <canvas class="crowded-marks" ref={canvas} />
      {[...handles].map((at) => {
        const mark = at === undefined ? undefined : marks[at];
        return mark && at !== undefined && <MarkHandle key={at} mark={mark} at={at} />;
      })}
    </>
  );
}
