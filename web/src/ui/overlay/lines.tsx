/** Lines above the image that are visible on any picture: dark, with a light edge. */
import type { VNode } from 'preact';
import type { Outline } from '../../model/measure/outlines.ts';
import { type Matrix, toScreen } from '../../model/view/geometry.ts';
import { noteStyle } from '../common/note-style.ts';

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
