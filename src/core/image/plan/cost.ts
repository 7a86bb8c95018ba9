/** What follows from a finished plan: media type, cache key, and what it costs, estimated before it is made. */

import { type CodeStream, finestStep } from '@lectern/jpeg2000/model';
import { isNeutral } from '../model/color.ts';
import { formatNames, outputFormats, sourceFormats } from '../model/formats.ts';
import type { Rect, Size } from '../model/geometry.ts';
import { decodedArea } from './jpeg2000-decoding.ts';
import { memoryOf } from './memory-cost.ts';
import type { DrawnCovers, Plan, Render, SendTile } from './plan-types.ts';
import { loadedSize } from './shrink-on-load.ts';

const megapixels = ({ width, height }: Size): number => (width * height) / 1e6;

// The constants were measured (docs/reference/measurements.md, “Estimated costs”).

/** ms to decode a megapixel of a JPEG whose coefficients are held as a whole. */
const progressive = 14;

/**
 * ms of JPEG 2000: to decode a megabyte of code-blocks, to transform a megapixel of three samples that has code-blocks and one that is
 * only transformed with it, to find a code-block, to begin a tile.
 */
const jpeg2000 = { coded: 150, transformed: 35, empty: 12, block: 0.0005, tile: 0.1 } as const;

/** Coded bytes of a pixel that is halved so often: each halving leaves most of them, until there are as many as samples. */
function codedBytes({ area, components }: CodeStream, plan: Render, reduction: number): number {
  const { dx, dy } = finestStep({ components });
  return Math.min(
    plan.decoding.pixelBytes,
    ((plan.file.bytes * dx * dy) / (area.width * area.height)) * 2 ** reduction,
  );
}

function jpeg2000Ms(plan: Render): number {
  const area = decodedArea(plan);
  const { jpeg2000: facts, location } = plan;
  if (area === undefined || facts === undefined || location.kind !== 'reduction') return 0;
  const { coded, total, tiles, readBlocks } = area;
  const { pixelBytes } = plan.decoding;
  return (
    (coded / 1e6) * codedBytes(facts.codeStream, plan, location.reduction) * jpeg2000.coded +
    ((coded * jpeg2000.transformed + (total - coded) * jpeg2000.empty) / 1e6) * Math.max(1 / 3, pixelBytes / 3) +
    tiles * (readBlocks * jpeg2000.block + jpeg2000.tile)
  );
}

function decodingMs(plan: Render): number {
  const { sourceFormat, level, read, decoding: how } = plan;
  if (sourceFormat === 'jp2') return jpeg2000Ms(plan);
  const streams = how.heldBytes === undefined && sourceFormat !== 'webp';
  const decoded = streams ? decodedPixels(plan) / 1e6 : megapixels(level);
  if (sourceFormat === 'jpeg' && !streams) return decoded * progressive;
  // Half of the time goes into the entropy coding, which shrinking does not save.
  const saved = read === undefined && sourceFormat === 'jpeg' && loadedSize(plan).width < level.width ? 0.6 : 1;
  return decoded * sourceFormats[sourceFormat].decodingMs * saved * Math.max(1, how.pixelBytes / 3);
}

/** ms to resample a megapixel: its rows, and the pixels of the result. */
const resampling = { read: 2, made: 5 } as const;

function resamplingMs(plan: Render): number {
  const { resample, decoding: how } = plan;
  if (resample === undefined) return 0;
  const from = resample.before ?? plan.read ?? plan.level;
  const ms = megapixels(from) * resampling.read + megapixels(resample.to) * resampling.made;
  return ms * Math.max(1 / 3, how.pixelBytes / 3);
}

/** Scaling reads each pixel and writes those of the result. */
function scalingMs(plan: Render): number {
  const { read, resample, scaled, level, decoding: how } = plan;
  if (resample && !resample.before) return 0;
  const from = read ?? loadedSize(plan);
  if (from.width === scaled.width && from.height === scaled.height) return 0;
  const isEnlarged = scaled.width > level.width;
  return (megapixels(from) * 1.5 + megapixels(scaled) * (isEnlarged ? 25 : 8)) * Math.max(1, how.pixelBytes / 3);
}

/** ms to convert a megapixel to sRGB. */
const converting = { cmyk: 50, profile: 10 } as const;

/** Profiles are applied to all pixels that are read, a range to those of the result. */
function convertingMs(plan: Render): number {
  const { samples, sourceColor, read, scaled } = plan;
  const use = sourceColor === 'cmyk' ? 'cmyk' : samples.profile === 'convert' ? 'profile' : undefined;
  const converted = use === undefined ? 0 : 200 + converting[use] * megapixels(read ?? loadedSize(plan));
  return converted + (samples.range ? 20 * megapixels(scaled) : 0);
}

/** ms to pass a megapixel to what draws on it, and to draw a mark. */
const drawing = { passed: 5, marked: 20 } as const;

function coversMs(plan: Render): number {
  const { covers, read, size } = plan;
  if (covers === undefined) return 0;
  const { redaction, mark } = covers;
  const redacted = redaction ? megapixels(redaction.before ?? read ?? loadedSize(plan)) + megapixels(size) : 0;
  const averaged = redaction?.before ? 2 * megapixels(read ?? loadedSize(plan)) : 0;
  const marked = mark
    ? (drawing.passed + drawing.marked) * megapixels(size) + drawing.marked * megapixels(mark.made)
    : 0;
  return drawing.passed * redacted + averaged + marked;
}

function finishingMs({ turn, rescaled, rotation, color, scaled, size }: Render): number {
  const rescaling = rescaled === undefined ? 0 : 25 * megapixels(rescaled);
  const turned = turn.turns === 0 ? 0 : 8 * megapixels(scaled);
  const rotated = rotation === 0 ? 0 : 25 * megapixels(size);
  const colored = isNeutral(color) ? 0 : 10 * megapixels(size);
  return turned + rescaling + rotated + colored;
}

/** ms of processor time that a rendering takes on one core, about. */
export const timeOf = (plan: Render): number =>
  Math.ceil(
    5 +
      decodingMs(plan) +
      convertingMs(plan) +
      scalingMs(plan) +
      resamplingMs(plan) +
      finishingMs(plan) +
      coversMs(plan) +
      outputFormats[plan.format].cost.ms * megapixels(plan.size),
  );

/** The stored tiles that a plan sends, in columns and rows of the level's grid. */
export const tilesOf = ({ tile, size, column, row }: SendTile): Rect => ({
  x: column,
  y: row,
  width: Math.ceil(size.width / tile.width),
  height: Math.ceil(size.height / tile.height),
});

/** Whether the last tiles have padding that is cut off. */
export const isCut = ({ tile, size }: SendTile): boolean =>
  size.width % tile.width > 0 || size.height % tile.height > 0;

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

/** The hash of a mark says enough of its bytes. */
const withoutBytes = ({ mark, ...covers }: DrawnCovers) =>
  mark ? { ...covers, mark: { ...mark, mark: mark.mark.hash } } : covers;

/** What makes a derivative different from every other: the plan with the source's fingerprint, as text. */
export function keyOf(plan: Plan): string {
  if (plan.kind === 'send-file') return JSON.stringify({ ...plan, check: undefined });
  // What else the plan says follows from the file and the position in it.
  const file = plan.file.content ?? plan.file;
  if (plan.kind === 'render') {
    return JSON.stringify({
      ...plan,
      file,
      tiles: undefined,
      jpeg2000: undefined,
      directory: undefined,
      rangeDirectory: undefined,
      ...(plan.covers && { covers: withoutBytes(plan.covers) }),
    });
  }
  const { kind, location, column, row, profile, size, tile } = plan;
  const isTile = size.width === tile.width && size.height === tile.height;
  return JSON.stringify({ kind, file, location, column, row, profile, ...(!isTile && { size }) });
}

/** About how many pixels are decoded: without tiles also those above the part, which an encoder stored before it. */
export function decodedPixels(plan: Render): number {
  const { read, level, tile } = plan;
  const area = decodedArea(plan);
  if (area !== undefined) return area.coded;
  if (read === undefined) return level.width * level.height;
  return tile === undefined ? level.width * (read.y + read.height) : read.width * read.height;
}

export interface Cost {
  /** Bytes of memory that the render process needs for it at most, beyond those of an idle one. */
  readonly bytes: number;
  /** Processor time in ms, on one core. */
  readonly ms: number;
}

const estimated = new WeakMap<Render, Cost>();

/** The estimated cost of a rendering; docs/reference/measurements.md compares it with what was measured. Planning and the queue need it. */
export function costOf(plan: Render): Cost {
  const known = estimated.get(plan);
  if (known !== undefined) return known;
  const cost = { bytes: memoryOf(plan), ms: timeOf(plan) };
  estimated.set(plan, cost);
  return cost;
}

/** The size of a derivative in bytes, on the safe side. */
export function outputBytesOf(plan: Render | SendTile): number {
  const { width, height } = plan.size;
  return width * height * outputFormats[plan.kind === 'render' ? plan.format : 'jpeg'].cost.atMost;
}
