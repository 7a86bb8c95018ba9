/** A glass under the pointer: a small stage of its own, which shows the same place larger, with its own tiles. */
import { useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { colorSteps } from '../../model/color.ts';
import { toImage } from '../../model/geometry.ts';
import type { Point } from '../../model/view-state.ts';
import { Stage } from '../../stage/stage.ts';
import { frame, stage } from '../../state/stage.ts';
import { tool } from '../../state/tools.ts';
import { color } from '../../state/view.ts';

/** CSS pixels across; the style sheet says the same. */
const glassSide = 240;

/** How much larger than the stage. */
const factor = 3;

const ignore = (): void => undefined;

function Glass({ at }: { readonly at: Point }): VNode {
  const element = useRef<HTMLDivElement>(null);
  const glass = useSignal<Stage | undefined>(undefined);

  useEffect(() => {
    const image = stage.peek()?.image;
    if (element.current === null || image === undefined) return undefined;
    const made = new Stage(element.current, {
      onRest: ignore,
      onResize: ignore,
      onPointer: ignore,
      onTileFailed: ignore,
    });
    made.focusElement.tabIndex = -1;
    void made.show(image).then((shown) => {
      if (shown) glass.value = made;
    });
    return () => made.close();
  }, []);

  useSignalEffect(() => glass.value?.setColors(colorSteps(color.value)));

  const made = glass.value;
  const now = frame.value;
  useEffect(() => {
    if (made === undefined || now === undefined) return;
    const { placement } = now;
    made.place({ ...placement, center: toImage(now.matrix, at), scale: placement.scale * factor }, 'at-once');
  }, [made, now, at]);

  return (
    <div
      class="magnifier"
      ref={element}
      // OpenSeadragon takes the pointer in all that it makes; what is inert takes none.
      inert
      style={{ left: `${at.x - glassSide / 2}px`, top: `${at.y - glassSide / 2}px` }}
    />
  );
}

export function Magnifier(): VNode | null {
  const at = useSignal<Point | undefined>(undefined);
  const on = tool.value === 'magnifier';
  const target = stage.value?.focusElement;

  useEffect(() => {
    if (!on || target === undefined) return undefined;
    const follow = (event: PointerEvent): void => {
      const box = target.getBoundingClientRect();
      at.value = { x: event.clientX - box.x, y: event.clientY - box.y };
    };
    const leave = (): void => {
      at.value = undefined;
    };
    target.addEventListener('pointermove', follow);
    target.addEventListener('pointerleave', leave);
    return () => {
      target.removeEventListener('pointermove', follow);
      target.removeEventListener('pointerleave', leave);
      leave();
    };
  }, [on, target]);

  return on && at.value !== undefined ? <Glass at={at.value} /> : null;
}
