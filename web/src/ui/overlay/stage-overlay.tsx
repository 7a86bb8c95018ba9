/** What lies over the image: the frame of a picture, and lines. */
import type { VNode } from 'preact';
import type { Outline } from '../../model/measure/measure.ts';
import { clipToImage } from '../../model/view/framing.ts';
import { cornersOf, type Matrix, toScreen } from '../../model/view/geometry.ts';
import { panel } from '../../state/tools.ts';
import { frame } from '../../state/view.ts';
import { pictured } from '../../state/viewport.ts';
import { noteStyle } from '../common/elements.ts';

/** The lines as an SVG path in CSS pixels of the stage. */
export function pathOf(outlines: readonly Outline[], matrix: Matrix): string {
  return outlines
    .filter(({ points }) => points.length > 0)
    .map(({ points, closed }) => {
      const positions = points
        .map((point) => toScreen(matrix, point))
        .map(({ x, y }) => `${x.toFixed(2)} ${y.toFixed(2)}`);
      return `M${positions.join('L')}${closed ? 'Z' : ''}`;
    })
    .join('');
}

interface LinesProps {
  readonly path: string;
  readonly class?: string;
  /** As CSS writes colors; the usual one by default. */
  readonly color?: string | undefined;
}

export const Lines = ({ path, class: name = '', color }: LinesProps): VNode | null =>
  path === '' ? null : (
    <g class={`lines ${name}`} style={noteStyle(color)}>
      <path class="edge" d={path} />
      <path class="core" d={path} />
    </g>
  );

/** The frame of the region that a picture of the view shows, while the panel offers one. */
export function PictureFrame(): VNode | null {
  const now = panel.value === 'cite' ? frame.value : undefined;
  if (now === undefined) return null;
  const { matrix, window } = now;
  const inside = pathOf([{ points: cornersOf(clipToImage(pictured.value.region)), closed: true }], matrix);
  return (
    <svg class="picture-frame cover through" aria-hidden="true">
      <path class="beside" d={`M0 0H${window.width}V${window.height}H0Z${inside}`} />
      <path class="outline" d={inside} />
      <path class="outline dashes" d={inside} />
    </svg>
  );
}
