/** The third step of planning: a rendering that would change nothing becomes the file itself or one of its stored tiles. */
import { isNeutral } from '../model/color.ts';
import { formatNames } from '../model/formats.ts';
import { isWhole, noTurn, type Rect, type Size } from '../model/geometry.ts';
import { hasFiles, type ImageSet, type Level, type Resolution, type StoredColor } from '../model/image-set.ts';
import { planPart } from './plan-render.ts';
import type { Decision, PassedOver, PlannedRender, Render, Resample, SendTile, WhyNot } from './plan-types.ts';

const pixel = { width: 1, height: 1 };

/** The rendering of the last pixel alone: formats without tiles are decoded up to it. */
export function lastPixel({ resample: _, keep: __, rescaled: ___, ...render }: Render): Render {
  const { width, height } = render.level;
  const read = { x: width - 1, y: height - 1, ...pixel };
  return { ...render, read, scaled: pixel, size: pixel, format: 'png' };
}

/** A few pixels, so that the result costs nothing; libvips decodes all of a TIFF for them. */
const few = { width: 8, height: 8 };

/** The side in pixels of the parts of a JPEG 2000 image that are decoded one after the other: as a whole it can take gigabytes. */
const partSide = 2048;

/** Parts that together are the whole of the full size, each scaled to a few pixels. */
function partsOf({ resample: _, keep: __, ...whole }: Render): readonly Render[] {
  const { width, height } = whole.level;
  const starts = (length: number): readonly number[] =>
    Array.from({ length: Math.ceil(length / partSide) }, (_, index) => index * partSide);
  return starts(height).flatMap((y) =>
    starts(width).map((x) => {
      const read = { x, y, width: Math.min(partSide, width - x), height: Math.min(partSide, height - y) };
      return { ...whole, read, turn: noTurn, scaled: few, size: few, format: 'png' };
    }),
  );
}

/** Renderings that decode all pixels of an image: of a TIFF, those of each level. */
export function decodeChecks(resolution: Resolution): readonly Render[] {
  const { width, height, format, levels } = resolution;
  const whole = planPart(resolution, { x: 0, y: 0, width, height }, { width, height }, 'png');
  if (format === 'jp2') return partsOf(whole);
  if (format !== 'tiff') return [lastPixel(whole)];
  const { read: _, resample: __, keep: ___, tile: ____, ...plain } = whole;
  return levels.map(({ location, tile, ...level }) => ({
    ...plain,
    location,
    level: { ...plain.level, width: level.width, height: level.height },
    ...(tile && { tile }),
    turn: noTurn,
    scaled: few,
    size: few,
  }));
}

/** What is done with the pixels after they were scaled. */
function whyNotPixels({ turn, rescaled, rotation, color, samples, covers }: Render): string | undefined {
  if (covers?.redaction) return 'a part of it is redacted';
  if (covers?.mark) return 'a watermark lies on it';
  if (rescaled) return 'it is made of the pixels of a tier';
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

/** More tiles take about as long to join in the server's thread as to decode elsewhere. */
const maxJoined = 16;

/** Whether pixels end with a tile, or with the level, behind which tiles have padding. */
const endsWithTile = (end: number, level: number, tile: number): boolean => end % tile === 0 || end === level;

/** Whether the pixels that are read are all those that one tile has of the level, or several have that can be joined. */
function whyNotTiles(read: Rect, level: Level, tile: Size): string | undefined {
  if (read.x % tile.width !== 0) {
    return `the region begins at column ${read.x} of the level, which is no multiple of the tile’s width, ${tile.width}`;
  }
  if (read.y % tile.height !== 0) {
    return `the region begins at row ${read.y} of the level, which is no multiple of the tile’s height, ${tile.height}`;
  }
  // At the edge of the level the rest of a tile is padding, which can be cut off without decoding.
  const isWhole =
    endsWithTile(read.x + read.width, level.width, tile.width) &&
    endsWithTile(read.y + read.height, level.height, tile.height);
  const count = Math.ceil(read.width / tile.width) * Math.ceil(read.height / tile.height);
  if (isWhole && count <= maxJoined) return undefined;
  return `the region has ${asText(read)} pixels of the level, a stored tile ${asText(tile)}`;
}

/** The stored tile that shows what a rendering from `level` would make, as it is or without its padding, or several. */
export function passTile(render: Render, level: Level): SendTile | WhyNot {
  const { tile, stored } = level;
  if (tile === undefined || stored === undefined) return { reason: 'the file has no stored tiles' };
  if (stored.kind !== 'jpeg') return { reason: stored.reason };
  if (render.truncated) return { reason: cutShort };
  const { file, location, size, samples } = render;
  const read = render.read ?? { x: 0, y: 0, width: level.width, height: level.height };
  const reason = whyNotPixels(render) ?? whyNotScaled(read, render) ?? whyNotTiles(read, level, tile);
  if (reason !== undefined) return { reason };
  const profile = samples.profile === 'keep' ? 'keep' : 'none';
  if (profile === 'keep' && stored.profile === undefined) {
    return { reason: 'its ICC profile is too large, or none for its colors' };
  }
  const [column, row] = [read.x / tile.width, read.y / tile.height];
  return { kind: 'send-tile', file, location, size, profile, tiles: stored, tile, column, row, fallback: render };
}

/** The shortest way to what a rendering would make of an image. */
export function passThrough({ render, resolution, level }: PlannedRender, image: ImageSet): Decision {
  const reason = hasFiles(image)
    ? whyNotFile(render, resolution)
    : 'no files are sent of a tier, or of what is covered';
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
