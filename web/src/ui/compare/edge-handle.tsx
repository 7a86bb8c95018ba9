/** The edge between two images that lie over each other, which the pointer drags; the slider below is for the keyboard. */
import { ChevronsLeftRight } from 'lucide';
import type { VNode } from 'preact';
import { shownArrangement } from '../../state/notes/sketch.ts';
import { arrange } from '../../state/view.ts';
import { Icon } from '../common/icon.tsx';

function moveTo(event: PointerEvent & { readonly currentTarget: HTMLElement }): void {
  const box = event.currentTarget.parentElement?.getBoundingClientRect();
  if (event.buttons === 0 || box === undefined || box.width === 0) return;
  arrange({ position: Math.min(Math.max((event.clientX - box.x) / box.width, 0), 1) });
}

export const EdgeHandle = (): VNode => (
  <div
    class="edge-handle"
    aria-hidden="true"
    style={{ left: `${shownArrangement.value.position * 100}%` }}
    onPointerDown={(event) => {
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
    }}
    onPointerMove={moveTo}
  >
    <span>
      <Icon of={ChevronsLeftRight} />
    </span>
  </div>
);
