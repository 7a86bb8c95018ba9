/** How the placements of compared images follow each other: by the same movement on the screen, or by points. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { type Arrangement, isAligned, pointsAt } from '../address/comparison.ts';
import { normalizedDegrees } from '../address/view-query.ts';
import type { Point, Rect, ViewState } from '../view-state.ts';
import { extentShown, hasSameTurn } from './framing.ts';
import { around, inPixels, type Placement, toImage, turnToScreen } from './geometry.ts';

/** An image with its placement; `image` is in upright pixels. */
export interface Placed {
  readonly placement: Placement;
  readonly image: Size;
}

/** Two points in fractions of an image. */
type TwoPoints = readonly [Point, Point];

const difference = (to: Point, from: Point): Point => ({ x: to.x - from.x, y: to.y - from.y });

/** The vector in pixels of the image that `turnToScreen` maps to a vector in CSS pixels. */
function turnToImage(placement: Placement, vector: Point): Point {
  const across = turnToScreen(placement, { x: 1, y: 0 });
  const down = turnToScreen(placement, { x: 0, y: 1 });
  return toImage([across.x, across.y, down.x, down.y, 0, 0], vector);
}

/** The placement with the center that puts a point of the image at an offset from the middle of the window, in CSS pixels. */
function putAt(placement: Placement, image: Size, point: Point, offset: Point): Placement {
  const { x, y } = turnToImage(placement, offset);
  return { ...placement, center: { x: point.x - x / image.width, y: point.y - y / image.height } };
}

/** Where a point of the image is, from the middle of the window, in CSS pixels. */
const offsetOf = ({ placement, image }: Placed, point: Point): Point =>
  turnToScreen(placement, inPixels(difference(point, placement.center), image));

const isFlipped = ({ mirror }: Placement): boolean => mirror.horizontal !== mirror.vertical;

const toggled = (mirror: Placement['mirror']): Placement['mirror'] => ({ ...mirror, horizontal: !mirror.horizontal });

const angleOf = ({ x, y }: Point): number => (Math.atan2(y, x) * 180) / Math.PI;

/**
 * The placement of an image at which its two points are where those of the lead are (shift, scale and turn); it keeps
 * its mirroring. Undefined where the points of an image coincide.
 */
export function aligned(
  lead: Placed,
  leadPoints: TwoPoints,
  own: Pick<Placed, 'image'> & { readonly placement: Pick<Placement, 'mirror'> },
  ownPoints: TwoPoints,
): Placement | undefined {
  const [first, second] = leadPoints.map((point) => offsetOf(lead, point)) as [Point, Point];
  const wanted = difference(second, first);
  const { mirror } = own.placement;
  const plain: Placement = { center: ownPoints[0], scale: 1, rotation: 0, mirror };
  const actual = turnToScreen(plain, inPixels(difference(ownPoints[1], ownPoints[0]), own.image));
  const scale = Math.hypot(wanted.x, wanted.y) / Math.hypot(actual.x, actual.y);
  if (!Number.isFinite(scale) || scale <= 0) return undefined;
  const rotation = normalizedDegrees(angleOf(wanted) - angleOf(actual));
  return putAt({ ...plain, scale, rotation }, own.image, ownPoints[0], first);
}

/** The mirroring of an aligned image after that of the image that it follows has changed. */
const followedMirror = (before: Placement, now: Placement, own: Placement): Placement['mirror'] =>
  isFlipped(before) === isFlipped(now) ? own.mirror : toggled(own.mirror);

/** The placement of an image after the same movement and zoom on the screen as another one's; each keeps its own turn. */
export function moved(before: Placed, now: Placement, own: Placed): Placement {
  if (!hasSameTurn(before.placement, now)) return own.placement;
  const factor = now.scale / before.placement.scale;
  // What is in the middle now was here.
  const shift = offsetOf(before, now.center);
  const center = turnToImage(own.placement, shift);
  return {
    ...own.placement,
    scale: own.placement.scale * factor,
    center: {
      x: own.placement.center.x + center.x / own.image.width,
      y: own.placement.center.y + center.y / own.image.height,
    },
  };
}

/** The region that a window shows, also beyond the edges of the image; `fitRegion` results in the same placement. */
export const exactRegion = ({ placement, image }: Placed, window: Size): Rect =>
  around(placement.center, extentShown(placement.scale, placement.rotation, image, window));

/** The view at a placement. */
export const viewAt = (state: ViewState, placed: Placed, window: Size): ViewState => ({
  ...state,
  region: exactRegion(placed, window),
  rotation: placed.placement.rotation,
  mirror: placed.placement.mirror,
  mode: 'fit',
});

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
