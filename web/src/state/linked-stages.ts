/** Places compared images on their stages, and lets them follow each other. */

import { fitRegion, keepOnImage, regionAtScale } from '../model/view/framing.ts';
import type { Placement } from '../model/view/geometry.ts';
import { centerOf } from '../model/view/geometry.ts';
import {
  type AllPlaced,
  alignAll,
  exactRegion,
  follow as followPlacement,
  viewAt,
} from '../model/view/linked-placements.ts';
import type { Rect, ViewState } from '../model/view-state.ts';
import type { Stage } from '../stage/stage.ts';
import { shownArrangement } from './notes/sketch.ts';
import { allFacts } from './opened.ts';
import { changeView, type Follow, stages, views } from './view.ts';
import { fixedScale, resolutionOf } from './viewport.ts';

const isWhole = ({ x, y, width, height }: Rect): boolean => x === 0 && y === 0 && width === 1 && height === 1;

/** The placement that a view asks for. Unlike on the page of an image, its region may reach beyond the edges. */
function placementIn(state: ViewState, index: number, on: Stage): Placement | undefined {
  const image = on.image?.path === state.fn ? on.image.info : undefined;
  if (image === undefined || on.window.width === 0 || on.window.height === 0) return undefined;
  const scale = fixedScale(state.mode, resolutionOf(allFacts.peek()[index]));
  // The whole of two pages is both.
  const region = state.twoPages && isWhole(state.region) ? on.spread : state.region;
  if (scale === undefined) return fitRegion({ ...state, region }, image, on.window);
  const center = centerOf(keepOnImage(regionAtScale(state, scale, image, on.window)));
  return { center, scale, rotation: state.rotation, mirror: state.mirror };
}

/** The placements that views ask for; undefined for images that are not on a stage yet. */
function placed(states: readonly ViewState[]): AllPlaced {
  const all = states.map((state, index) => {
    const on = stages.peek()[index];
    const placement = on && placementIn(state, index, on);
    const image = on?.image?.info;
    return placement && image && { placement, image: { width: image.width, height: image.height } };
  });
  return alignAll(all, shownArrangement.peek());
}

/** Places all images as their views and their points say. */
export function placeAll(how: 'at-once' | 'moving'): void {
  for (const [index, one] of placed(views.peek()).entries()) {
    const on = stages.peek()[index];
    if (one !== undefined && on !== undefined && !on.isBoundFor(one.placement)) on.place(one.placement, how);
  }
}

/** Moves the other images in the frame in which the reader moves one. */
export function moveOthers(index: number, now: Placement): void {
  const before = placed(views.peek());
  const after = followPlacement(before, shownArrangement.peek(), index, now);
  for (const [at, one] of after.entries()) {
    if (at !== index && one !== undefined && one.placement !== before[at]?.placement) {
      stages.peek()[at]?.place(one.placement, 'at-once');
    }
  }
}

/** Takes the placement into which the reader has moved an image into its view. */
export function settle(index: number, placement: Placement): void {
  const on = stages.peek()[index];
  const image = on?.image?.info;
  if (on === undefined || image === undefined) return;
  changeView({ region: exactRegion({ placement, image }, on.window), mode: 'fit' }, index);
}

const isElsewhere = (before: ViewState, after: ViewState): boolean =>
  before.region !== after.region ||
  before.mode !== after.mode ||
  before.rotation !== after.rotation ||
  before.mirror !== after.mirror;

/** The views of images that follow a change of one, for `followChanges`. */
export const followView: Follow = (before, after, index) => {
  const [was, now, on] = [before[index], after[index], stages.peek()[index]];
  if (was === undefined || now === undefined || on === undefined || !isElsewhere(was, now)) return after;
  const placement = placementIn(now, index, on);
  if (placement === undefined) return after;
  const all = placed(before);
  const next = followPlacement(all, shownArrangement.peek(), index, placement);
  return after.map((state, at) => {
    const [one, other] = [next[at], stages.peek()[at]];
    const stays = at === index || one === undefined || one.placement === all[at]?.placement;
    return stays || other === undefined ? state : viewAt(state, one, other.window);
  });
};
