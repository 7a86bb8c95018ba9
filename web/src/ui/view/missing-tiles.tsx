/** Says that parts of the image on the stage did not come, and why as far as the server says. */
import type { VNode } from 'preact';
import type { Problem } from '../../data/ask.ts';
import { message } from '../../messages/message.ts';
import { Button } from '../common/button.tsx';
import { whatIsWrong } from '../common/problem.tsx';

/** Where the server answers all the same, there is no reason to be told. */
export type MissingReason = Exclude<Problem, 'aborted'> | 'unknown';

interface MissingTilesProps {
  readonly reason: MissingReason;
  readonly onRetry: () => void;
}

export const MissingTiles = ({ reason, onRetry }: MissingTilesProps): VNode => (
  <div class="missing-tiles" role="alert">
    <p>
      {message('tiles-missing')} {reason !== 'unknown' && `${whatIsWrong(reason)}.`}
    </p>
    <Button onClick={onRetry}>{message('try-again')}</Button>
  </div>
);
