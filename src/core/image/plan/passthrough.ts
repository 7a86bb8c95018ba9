/** The third step of planning: a rendering that would change nothing becomes the file itself or one of its stored tiles. */
import { isNeutral } from '../model/color.ts';
import { formatNames } from '../model/formats.ts';
import { isWhole, type Rect, type Size } from '../model/geometry.ts';
import type { Level, Resolution, StoredColor } from '../model/image-set.ts';
import { lastPixel } from './decode-checks.ts';
import type { Decision, PassedOver, PlannedRender, Render, Resample, SendTile, WhyNot } from './plan-types.ts';

/** What is done with the pixels after they were scaled. */
function whyNotPixels({ turn, rotation, color, samples }: Render): string | undefined {
  if (turn.flop || turn.turns !== 0 || rotation !== 0) return 'the picture has to be mirrored or turned';
  if (!isNeutral(color)) return 'its colors are to be changed';
  if (samples.profile === 'convert') return 'its colors have to be converted to sRGB from those of its ICC profile';
  return samples.range === undefined ? undefined : 'its samples have to be brought to 8 bits';
}

const cutShort = 'the file is cut short';

const shownByBrowsers: readonly StoredColor[] = ['rgb', 'gray', 'palette'];

/** Why the stored bytes are not the answer: they are where pixels and format are the same, and browsers show the colors rightly. */
function whyNotFile(render: Render, { levels, color, complete }: Resolution): string | undefined {
  const { read, format, scaled, sourceFormat, location } = render;
  const [full] = levels;
  if (sourceFormat !== format) {
    return `the picture is to be ${formatNames[format].name}, the file is ${formatNames[sourceFormat].name}`;
  }
  if (read !== undefined && !isWhole(read, full)) return 'a part of the image is asked for';
  if (location !== full.location || scaled.width !== full.width || scaled.height !== full.height) {
    return 'the picture is to have another size than the file’s';
  }
  if (!shownByBrowsers.includes(color)) return 'its colors are of a kind that browsers don’t show rightly';
  return whyNotPixels(render) ?? (complete && !render.truncated ? undefined : cutShort);
}

const asText = ({ width, height }: Size): string => `${width} x ${height}`;

function whyResampled({ from, to }: Resample): string {
  const size = { width: Math.round(from.width), height: Math.round(from.height) };
  if (size.width === to.width && size.height === to.height)
    return 'the region begins or ends within pixels of the level';
  return `${asText(size)} pixels of the level are scaled to ${asText(to)}`;
}

/** Whether the pixels that are read already have their size. */
function whyNotScaled(read: Rect, { format, resample, keep, scaled }: Render): string | undefined {
  if (format !== 'jpeg') return `the picture is to be ${formatNames[format].name}, stored tiles are JPEG`;
  if (resample) return whyResampled(resample);
  const stays = scaled.width === read.width && scaled.height === read.height && keep === undefined;
  return stays ? undefined : `${asText(read)} pixels of the level are scaled to ${asText(scaled)}`;
}

/** Whether the pixels that are read are all those that one tile has of the level. */
function whyNotOneTile(read: Rect, level: Level, tile: Size): string | undefined {
  if (read.x % tile.width !== 0) {
    return `the region begins at column ${read.x} of the level, which is no multiple of the tile’s width, ${tile.width}`;
  }
  if (read.y % tile.height !== 0) {
    return `the region begins at row ${read.y} of the level, which is no multiple of the tile’s height, ${tile.height}`;
  }
  // At the edge of the level the rest of a tile is padding, which can be cut off without decoding.
  const width = Math.min(tile.width, level.width - read.x);
  const height = Math.min(tile.height, level.height - read.y);
  if (read.width === width && read.height === height) return undefined;
  return `the region has ${asText(read)} pixels of the level, a stored tile ${asText(tile)}`;
}

/** The one stored tile that shows what a rendering from `level` would make, as it is or without its padding. */
export function passTile(render: Render, level: Level): SendTile | WhyNot {
  const { tile, stored } = level;
  if (tile === undefined || stored === undefined) return { reason: 'the file has no stored tiles' };
  if (stored.kind === 'opaque') return { reason: stored.reason };
  if (render.truncated) return { reason: cutShort };
  const { file, location, size, samples } = render;
  const read = render.read ?? { x: 0, y: 0, width: level.width, height: level.height };
  const reason = whyNotPixels(render) ?? whyNotScaled(read, render) ?? whyNotOneTile(read, level, tile);
  if (reason !== undefined) return { reason };
  const profile = samples.profile === 'keep' ? 'keep' : 'none';
  if (profile === 'keep' && stored.profile === undefined) {
    return { reason: 'its ICC profile is too large, or none for its colors' };
  }
  const [column, row] = [read.x / tile.width, read.y / tile.height];
  return { kind: 'send-tile', file, location, size, profile, tiles: stored, tile, column, row, fallback: render };
}

/** The shortest way to what a rendering would make. */
export function passThrough({ render, resolution, level }: PlannedRender): Decision {
  const reason = whyNotFile(render, resolution);
  if (reason === undefined) {
    const { mediaType } = formatNames[resolution.format];
    const check = lastPixel(render);
    return { plan: { kind: 'send-file', file: render.file, mediaType, attachment: false, check }, passedOver: [] };
  }
  const asFile: PassedOver = { kind: 'send-file', reason };
  const tile = passTile(render, level);
  return 'reason' in tile
    ? { plan: render, passedOver: [asFile, { kind: 'send-tile', ...tile }] }
    : { plan: tile, passedOver: [asFile] };
}
