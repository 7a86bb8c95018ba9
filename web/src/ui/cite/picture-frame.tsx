/** Shows on the image how much of it a picture of the view holds, as long as one can be copied or saved. */
import type { VNode } from 'preact';
import { frame, regionPictured } from '../../state/stage.ts';
import { panel } from '../../state/tools.ts';
import { pathOf } from '../notes/lines.tsx';

export function PictureFrame(): VNode | null {
  const region = regionPictured.value;
  const now = frame.value;
  if (panel.value !== 'cite' || region === undefined || now === undefined) return null;
  const { x, y, width, height } = region;
  const points = [
    { x, y },
    { x: x + width, y },
    { x: x + width, y: y + height },
    { x, y: y + height },
  ];
  const inside = pathOf([{ points, closed: true }], now.matrix);
  return (
    <svg class="picture-frame" aria-hidden="true">
      <path class="beside" d={`M0 0H${now.window.width}V${now.window.height}H0Z${inside}`} />
      <path class="outline" d={inside} />
    </svg>
  );
}
