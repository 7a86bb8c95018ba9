/** What of each resolution a region of a tile depends on: samples of its subbands, and precincts. */

import { type Box, ceilDiv, intersectBoxes, isEmpty, precinctBand, type Resolution } from './geometry.ts';
import { filterReach } from './model.ts';
import type { WantedPrecinct } from './tile-packets.ts';

/** What of a smaller resolution, or of a subband beside it, the samples of a box depend on. */
const halve = ({ left, top, right, bottom }: Box): Box => ({
  left: Math.floor(left / 2) - filterReach,
  top: Math.floor(top / 2) - filterReach,
  right: ceilDiv(right, 2) + filterReach,
  bottom: ceilDiv(bottom, 2) + filterReach,
});

/** What each resolution has to yield for a region of the largest of them: the smallest first. */
export function neededBoxes(region: Box, levels: number): readonly Box[] {
  const boxes = [region];
  for (let level = 0; level < levels; level++) boxes.unshift(halve(boxes[0] ?? region));
  return boxes;
}

/** What is needed of the subbands of a resolution: those above the smallest are half as large as what they yield. */
export function bandNeed(needed: readonly Box[], level: number): Box {
  const box = needed[Math.max(0, level - 1)];
  if (box === undefined) throw new TypeError('a resolution that is not needed');
  return box;
}

/** The precincts of a resolution that have samples of a box in a subband. */
function precinctsIn(resolution: Resolution, box: Box): readonly number[] {
  const { columns, rows, precinctWidth, precinctHeight, bands } = resolution;
  const halved = bands.length > 1 ? 1 : 0;
  const [width, height] = [2 ** (precinctWidth - halved), 2 ** (precinctHeight - halved)];
  const left = Math.floor(resolution.box.left / 2 ** precinctWidth);
  const top = Math.floor(resolution.box.top / 2 ** precinctHeight);
  const lastColumn = Math.min(columns, ceilDiv(box.right, width) - left);
  const lastRow = Math.min(rows, ceilDiv(box.bottom, height) - top);
  const found: number[] = [];
  for (let row = Math.max(0, Math.floor(box.top / height) - top); row < lastRow; row++)
    for (let column = Math.max(0, Math.floor(box.left / width) - left); column < lastColumn; column++)
      found.push(row * columns + column);
  return found.filter((precinct) =>
    bands.some((band) => !isEmpty(intersectBoxes(precinctBand(resolution, precinct, band), box))),
  );
}

/** The precincts that a region of the largest of these resolutions depends on. */
export function precinctsOf(
  component: number,
  resolutions: readonly Resolution[],
  region: Box,
): readonly WantedPrecinct[] {
  const needed = neededBoxes(region, resolutions.length - 1);
  return resolutions.flatMap((each, resolution) =>
    precinctsIn(each, bandNeed(needed, resolution)).map((index) => ({ component, resolution, index })),
  );
}
