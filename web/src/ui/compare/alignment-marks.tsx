/** The points by which an image is aligned, numbered as the reader set them, while they are set. */
import type { VNode } from 'preact';
import { pointsAt } from '../../model/address/comparison.ts';
import { toScreen } from '../../model/view/geometry.ts';
import type { Frame } from '../../stage/stage.ts';
import { isAligning } from '../../state/notes/sketch.ts';
import { arrangement } from '../../state/view.ts';

interface AlignmentMarksProps {
  readonly index: number;
  readonly frame: Frame;
}

export const AlignmentMarks = ({ index, frame }: AlignmentMarksProps): VNode | null =>
  isAligning.value ? (
    <div class="alignment-marks" aria-hidden="true">
      {pointsAt(arrangement.value, index).map((point, at) => {
        const { x, y } = toScreen(frame.matrix, point);
        return (
          <span key={at} style={{ left: `${x}px`, top: `${y}px` }}>
            {at + 1}
          </span>
        );
      })}
    </div>
  ) : null;
