/** Why something is refused, in a sentence, and when to ask again. */
import { ImageError } from '../../core/image/model/errors.ts';

/** The error of a network that is held until a time, in ms since 1970. */
export const heldUntil = (untilMs: number): ImageError =>
  new ImageError(
    'over-budget',
    'Your network asks for so much that it gets only what is there already; what has to be made for it waits.',
    { retryAfterS: Math.max(1, Math.ceil((untilMs - Date.now()) / 1000)) },
  );
