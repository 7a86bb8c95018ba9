/** The placements of all images of a comparison: from their views, and after one of them was moved. */
import { type Arrangement, isAligned, pointsAt } from './comparison.ts';
import { aligned, followedMirror, moved, type Placed, type TwoPoints } from './following.ts';
import type { Placement } from './geometry.ts';

/** Undefined for images that have not loaded. */
export type AllPlaced = readonly (Placed | undefined)[];

const twoPointsOf = (arrangement: Arrangement, index: number): TwoPoints | undefined => {
  const [first, second] = pointsAt(arrangement, index);
  return isAligned(arrangement, index) && first && second ? [first, second] : undefined;
};

/** The placement of an image by its points and those of the lead; its own where either has none. */
function byPoints(arrangement: Arrangement, at: number, own: Placed, leadAt: number, lead: Placed): Placement {
  const [points, leadPoints] = [twoPointsOf(arrangement, at), twoPointsOf(arrangement, leadAt)];
  if (points === undefined || leadPoints === undefined) return own.placement;
  return aligned(lead, leadPoints, own, points) ?? own.placement;
}

/** Images that are moved together and have points lie as the first one of them does; others as their views say. */
export function alignAll(all: AllPlaced, arrangement: Arrangement): AllPlaced {
  if (!arrangement.together) return all;
  const leadAt = all.findIndex((placed, at) => placed !== undefined && isAligned(arrangement, at));
  const lead = all[leadAt];
  if (lead === undefined) return all;
  return all.map((own, at) =>
    own === undefined || at === leadAt ? own : { ...own, placement: byPoints(arrangement, at, own, leadAt, lead) },
  );
}

/** All placements after the image at an index was moved from `all` to a placement. */
export function follow(all: AllPlaced, arrangement: Arrangement, index: number, now: Placement): AllPlaced {
  const before = all[index];
  if (before === undefined) return all;
  const lead = { ...before, placement: now };
  return all.map((own, at) => {
    if (at === index) return lead;
    if (own === undefined || !arrangement.together) return own;
    if (!isAligned(arrangement, at) || !isAligned(arrangement, index)) {
      return { ...own, placement: moved(before, now, own) };
    }
    const turned = {
      ...own,
      placement: { ...own.placement, mirror: followedMirror(before.placement, now, own.placement) },
    };
    return { ...own, placement: byPoints(arrangement, at, turned, index, lead) };
  });
}
