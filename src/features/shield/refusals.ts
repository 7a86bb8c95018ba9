/** Why something is refused, in a sentence, and when to ask again. */
import { ImageError } from '../../core/image/model/errors.ts';
import type { Refused, Scope } from './budgets.ts';

const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** The error of a network that is held until a time, in ms since 1970. */
export const heldUntil = (untilMs: number): ImageError =>
  new ImageError(
    'over-budget',
    'Your network asks for so much that it gets only what is there already; what has to be made for it waits.',
    { retryAfterS: secondsOf(untilMs - Date.now()) },
  );

const reasons: Readonly<Record<Scope, string>> = {
  caller: 'You have asked for as much as one caller can have at once',
  network: 'Your network has asked for as much as one network can have at once',
  system: 'The networks of your provider have asked for as much as they can have at once',
  strangers: 'Programs have asked for as much as the server can give beside its readers',
};

export function overBudget({ scope, waitMs }: Refused): ImageError {
  const retryAfterS = secondsOf(waitMs);
  return new ImageError('over-budget', `${reasons[scope]}; ask again in ${retryAfterS} s.`, { retryAfterS });
}
