/** The magnifier under the pointer: a small stage of its own, which shows the same point larger, with its own tiles. */
import { useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { colorSteps } from '../../model/view/color.ts';
import { toImage } from '../../model/view/geometry.ts';
import type { Point } from '../../model/view-state.ts';
import { Stage } from '../../stage/stage.ts';
import { frame, stage } from '../../state/stages.ts';
import { tool } from '../../state/tools.ts';
import { color } from '../../state/view.ts';
import { trackPointer } from '../common/pointer-position.ts';

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
      class="magnifier"
      ref={element}
      // OpenSeadragon captures the pointer in all its elements, but not in inert ones.
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
    return trackPointer(target, at, ['pointerleave']);
  }, [on, target]);

  return on && at.value !== undefined ? <Glass at={at.value} /> : null;
}
