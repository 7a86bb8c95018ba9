/** Converts mirroring before rotation (digilib) to flipping after rotation (OpenSeadragon). */
import { normalizedDegrees } from './view-query.ts';
import type { ViewState } from './view-state.ts';

type Mirror = ViewState['mirror'];

/** Rotated clockwise, then flipped left to right. */
export interface Turn {
  readonly flipped: boolean;
  readonly degrees: number;
}

/** Mirroring top to bottom is left to right with another 180°; after a flip, rotation is counterclockwise. */
export function turnOf(rotation: number, mirror: Mirror): Turn {
  const flipped = mirror.horizontal !== mirror.vertical;
  const clockwise = rotation + (mirror.vertical ? 180 : 0);
  return { flipped, degrees: normalizedDegrees(flipped ? -clockwise : clockwise) };
}
