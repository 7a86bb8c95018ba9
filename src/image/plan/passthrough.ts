/** What a rendering may come down to: the file itself or one of its stored tiles; and if not, why not. */
import { isNeutral } from '../model/color.ts';
import type { OutputFormat, SourceFormat } from '../model/formats.ts';
import type { Rect, Size } from '../model/geometry.ts';
import type { Level, Resolution, StoredColor } from '../model/image-set.ts';
import type { JpegTiles } from '../model/stored-tiles.ts';
import type { Render } from './plan.ts';

const nameOfFormat = (format: SourceFormat | OutputFormat): string =>
  format === 'jp2' ? 'JPEG 2000' : format.toUpperCase();

/** What is done with the pixels after they were scaled, so that stored ones are not the answer. */
function obstacleInPixels({ turn, rotation, color, samples }: Render): string | undefined {
  if (turn.flop || turn.turns !== 0 || rotation !== 0) return 'the picture has to be mirrored or turned';
  if (!isNeutral(color)) return 'its colors are to be changed';
  if (samples.profile === 'convert') return 'its colors have to be converted to sRGB from those of its ICC profile';
  return samples.range === undefined ? undefined : 'its samples have to be brought to 8 bits';
}

const shownByBrowsers: readonly StoredColor[] = ['rgb', 'gray', 'palette'];

/** Why the stored bytes are not the answer; undefined where they are: same pixels, same format, colors that a browser shows rightly. */
export function obstacleToFile(render: Render, { levels, color, complete }: Resolution): string | undefined {
  const { read, format, scaled, sourceFormat, location } = render;
  const [full] = levels;
  if (sourceFormat !== format) {
    return `the picture is to be ${nameOfFormat(format)}, the file is ${nameOfFormat(sourceFormat)}`;
  }
  if (read !== undefined) return 'a part of the image is asked for';
  if (location !== full.location || scaled.width !== full.width || scaled.height !== full.height) {
    return 'the picture is to have another size than the file’s';
  }
  if (!shownByBrowsers.includes(color)) return 'its colors are of a kind that browsers don’t show rightly';
  return obstacleInPixels(render) ?? (complete ? undefined : 'the file is cut short');
}

export interface TilePosition {
  readonly tiles: JpegTiles;
  /** The tile's size as stored. */
  readonly tile: Size;
  /** From 0. */
  readonly column: number;
  readonly row: number;
}

/** Why no stored tile is the answer, as the end of a sentence. */
export interface Obstacle {
  readonly reason: string;
}

const asText = ({ width, height }: Size): string => `${width} x ${height}`;

/** What is done with the pixels that were read until they have their size. */
function obstacleInScaling(read: Rect, { format, extend, keep, scaled }: Render): string | undefined {
  if (format !== 'jpeg') return `the picture is to be ${nameOfFormat(format)}, stored tiles are JPEG`;
  const { before = read, left = 0, right = 0, top = 0, bottom = 0 } = extend ?? {};
  const stays = before.width === read.width && before.height === read.height && keep === undefined;
  if (!stays || scaled.width !== read.width + left + right || scaled.height !== read.height + top + bottom) {
    return `${asText(read)} pixels of the level are scaled to ${asText(scaled)}`;
  }
  return extend && 'the region reaches beyond the stored level, whose edge has to be repeated';
}

/** Where the pixels that are read are not all those that one tile has of the level. */
function obstacleInPlace(read: Rect, level: Level, tile: Size): string | undefined {
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
export function positionOfTile(render: Render, level: Level): TilePosition | Obstacle {
  const { tile, stored } = level;
  if (tile === undefined || stored === undefined) return { reason: 'the file has no stored tiles' };
  if (stored.kind === 'opaque') return { reason: stored.reason };
  const read = render.read ?? { x: 0, y: 0, width: level.width, height: level.height };
  const reason = obstacleInPixels(render) ?? obstacleInScaling(read, render) ?? obstacleInPlace(read, level, tile);
  if (reason !== undefined) return { reason };
  if (render.samples.profile === 'keep' && stored.profile === undefined) {
    return { reason: 'its ICC profile is too large, or none for its colors' };
  }
  return { tiles: stored, tile, column: read.x / tile.width, row: read.y / tile.height };
}
