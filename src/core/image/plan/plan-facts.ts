/** What follows from a finished plan: its media type, its cache key, how much is decoded for it. */
import { formatNames } from '../model/formats.ts';
import { decodedArea } from './jpeg2000-decoding.ts';
import type { Plan, Render, SendTile } from './plan-types.ts';

/** Whether a tile has padding that is cut off. */
export const isCut = ({ tile, size }: SendTile): boolean => size.width < tile.width || size.height < tile.height;

/** The media type of what a plan yields. */
export function mediaTypeOf(plan: Plan): string {
  switch (plan.kind) {
    case 'send-file':
      return plan.mediaType;
    case 'send-tile':
      return formatNames.jpeg.mediaType;
    case 'render':
      return formatNames[plan.format].mediaType;
  }
}

/** What makes a derivative different from every other: the plan with the source's fingerprint, as text. */
export function keyOf(plan: Plan): string {
  if (plan.kind === 'send-file') return JSON.stringify({ ...plan, check: undefined });
  // What else the plan says follows from the file and the position in it.
  if (plan.kind === 'render') {
    const { tiles: _, jpeg2000: __, ...others } = plan;
    return JSON.stringify(others);
  }
  const { kind, file, location, column, row, profile, size } = plan;
  return JSON.stringify({ kind, file, location, column, row, profile, ...(isCut(plan) && { size }) });
}

/** About how many pixels are decoded: without tiles also those above the part, which an encoder stored before it. */
export function decodedPixels(plan: Render): number {
  const { read, level, tile } = plan;
  const area = decodedArea(plan);
  if (area !== undefined) return area.coded;
  if (read === undefined) return level.width * level.height;
  return tile === undefined ? level.width * (read.y + read.height) : read.width * read.height;
}
