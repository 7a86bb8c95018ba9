/** The frame of the region that a picture of the view shows, while the panel offers one. */
import type { VNode } from 'preact';
import { clipToImage } from '../../model/view/framing.ts';
import { cornersOf } from '../../model/view/geometry.ts';
import { frame } from '../../state/stages.ts';
import { panel } from '../../state/tools.ts';
import { pictured } from '../../state/viewport.ts';
import { pathOf } from './lines.tsx';

export function PictureFrame(): VNode | null {
  const now = panel.value === 'cite' ? frame.value : undefined;
  if (now === undefined) return null;
  const { matrix, window } = now;
  const inside = pathOf([{ points: cornersOf(clipToImage(pictured.value.region)), closed: true }], matrix);
  return (
    <svg class="picture-frame" aria-hidden="true">
      <path class="beside" d={`M0 0H${window.width}V${window.height}H0Z${inside}`} />
      <path class="outline" d={inside} />
      <path class="outline dashes" d={inside} />
    </svg>
  );
}
