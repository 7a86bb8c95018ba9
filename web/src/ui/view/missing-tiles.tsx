/** The notice that tiles of an image failed to load. */
import type { VNode } from 'preact';
import type { Problem } from '../../data/fetch.ts';
import { message } from '../../messages/message.ts';
import { Button } from '../common/button.tsx';
import { problemTitle } from '../common/problem.tsx';

/** `unknown` where the server answers other requests for the image. */
export type MissingReason = Exclude<Problem, 'aborted'> | 'unknown';

interface MissingTilesProps {
  readonly reason: MissingReason;
  readonly onRetry: () => void;
}

export const MissingTiles = ({ reason, onRetry }: MissingTilesProps): VNode => (
  <div class="missing-tiles" role="alert">
    <p>
      {message('tiles-missing')} {reason !== 'unknown' && `${problemTitle(reason)}.`}
    </p>
    <Button onClick={onRetry}>{message('try-again')}</Button>
  </div>
);
