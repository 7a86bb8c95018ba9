/** Mirroring and rotation for a viewer that first rotates and then flips, as OpenSeadragon does. */
import { normalizedDegrees } from './view-query.ts';
import type { ViewState } from './view-state.ts';

type Mirror = ViewState['mirror'];

/** First rotated clockwise, then flipped left to right. */
export interface Turn {
  readonly flipped: boolean;
  readonly degrees: number;
}

/** Top to bottom is left to right with half a turn; and what turns clockwise, turns the other way in a mirror. */
export function turnOf(rotation: number, mirror: Mirror): Turn {
  const flipped = mirror.horizontal !== mirror.vertical;
  const clockwise = rotation + (mirror.vertical ? 180 : 0);
  return { flipped, degrees: normalizedDegrees(flipped ? -clockwise : clockwise) };
}
