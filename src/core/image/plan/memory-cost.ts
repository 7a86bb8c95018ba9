/** The memory that a rendering takes at most. All constants were measured (docs/reference/measurements.md, “Estimated costs”). */
import { isNeutral } from '../model/color.ts';
import { outputFormats } from '../model/formats.ts';
import type { Size } from '../model/geometry.ts';
import { decodedArea } from './jpeg2000-decoding.ts';
import type { Render } from './plan-types.ts';
import { loadedSize } from './shrink-on-load.ts';

const mebibyte = 2 ** 20;

/** Code and tables that are loaded at first use, and small buffers. */
const fixedBytes = 12 * mebibyte;

const pixelsOf = ({ width, height }: Size): number => width * height;

/** The pixels that the rest of the pipeline reads. */
const readSize = (plan: Render): Size => plan.read ?? loadedSize(plan);

/** Rows of a picture of this height that are in memory after the decoder: libvips caches three times 256 lines. */
const cachedRows = (height: number): number => Math.min(800, 20 + height);

/** Rows that are in memory for a reduction: its caches, and regions of at least 128 lines also of fewer rows. */
const reducedRows = (height: number): number => Math.min(1100, 280 + 1.4 * height);

/** Rows that are in memory where none are left out. */
const copiedRows = (height: number, most: number): number => Math.min(most, 20 + 1.2 * height);

/** Without tiles, lines are decoded from the top and cached; of tiles, two rows of them. */
function decoderBytes(plan: Render): number {
  const { level, tile, decoding, sourceFormat, file } = plan;
  const held = (decoding.heldBytes ?? 0) * pixelsOf(level);
  const loaded = loadedSize(plan);
  switch (sourceFormat) {
    case 'webp':
      // A frame, and the canvas that it is copied to, of 4 bytes a pixel each; as much again is reserved.
      return held + 16 * pixelsOf(loaded) + file.bytes;
    case 'gif':
      return held + file.bytes;
    case 'jp2':
      return jpeg2000Bytes(plan);
    default:
      return held + (tile ? tileBytes(plan, tile) : cachedRows(loaded.height) * loaded.width * decoding.pixelBytes);
  }
}

/** Of the decoder of JPEG 2000, in bytes: a sample while it is decoded, a code-block’s description, and garbage by samples. */
const jpeg2000Decoder = { sample: 6, block: 1000, garbage: 16, mostGarbage: 96 * mebibyte } as const;

/** What is decoded at once, its compressed bytes and where these are; then all pixels that are read, in planes and interleaved. */
function jpeg2000Bytes(plan: Render): number {
  const { jpeg2000, read, level, file, decoding } = plan;
  const area = decodedArea(plan);
  if (area === undefined || jpeg2000 === undefined) return 0;
  const { area: image, componentTransform } = jpeg2000.codeStream;
  const together = componentTransform ? 3 : 1;
  const coded = Math.min(area.atOnce, area.coded);
  const { sample, block, garbage, mostGarbage } = jpeg2000Decoder;
  return (
    area.atOnce * together * sample +
    area.tileBlocks * block +
    Math.min(mostGarbage, coded * together * garbage) +
    2 * file.bytes * Math.min(1, (4 * coded) / pixelsOf(image)) +
    2 * pixelsOf(read ?? level) * decoding.pixelBytes
  );
}

/** Two rows of the tiles that are read, and one that is being decoded. */
function tileBytes({ read, level, decoding }: Render, tile: Size): number {
  const { x, y, width, height } = read ?? { x: 0, y: 0, ...level };
  const columns = Math.ceil((x + width) / tile.width) - Math.floor(x / tile.width);
  const rows = Math.min(2, Math.ceil((y + height) / tile.height) - Math.floor(y / tile.height));
  return (columns * rows + 1) * pixelsOf(tile) * decoding.pixelBytes;
}

/** Rows between the steps of scaling, in the width that is read and in that of the result. */
function scalingBytes(plan: Render): number {
  const { decoding } = plan;
  const read = readSize(plan);
  const { width, height } = plan.scaled;
  const isReduced = height < read.height;
  const before = (isReduced ? reducedRows(read.height) : copiedRows(read.height, 300)) * read.width;
  return (before + copiedRows(height, 600) * width) * decoding.pixelBytes;
}

/** Samples of a finished pixel. */
const channelsOf = ({ samples }: Render): number => (samples.alpha ? 4 : 3);

/** Pictures that are in memory as a whole between two steps. */
function wholeBytes(plan: Render): number {
  const { scaled, size, turn, rescaled, rotation, color, decoding, samples } = plan;
  const channels = channelsOf(plan);
  const rescaling = rescaled === undefined ? 0 : (pixelsOf(scaled) + pixelsOf(rescaled)) * channels;
  const turned = turn.turns === 0 ? 0 : pixelsOf(scaled) * decoding.pixelBytes;
  const rotated = rotation === 0 ? 0 : pixelsOf(scaled) * channels;
  const colored = isNeutral(color) ? 0 : 2 * pixelsOf(size) * channels * (samples.bits === 16 ? 2 : 1);
  return (
    turned +
    rescaling +
    rotated +
    colored +
    resampledBytes(plan, channels) +
    depthBytes(plan) +
    profileBytes(plan) +
    coversBytes(plan, channels)
  );
}

/** What is drawn on, as samples of 8 bits: each picture once, and the largest again while libvips takes it; a mark has four samples. */
function coversBytes(plan: Render, channels: number): number {
  const { covers, size } = plan;
  if (covers === undefined) return 0;
  const { redaction, mark } = covers;
  const read = redaction ? pixelsOf(redaction.before ?? readSize(plan)) : 0;
  const drawn = ((redaction ? 1 : 0) + (mark ? 1 : 0)) * pixelsOf(size);
  return (read + drawn + Math.max(read, pixelsOf(size))) * channels + (mark ? pixelsOf(mark.made) * 8 : 0);
}

/** What is resampled and what is made of it are in memory as samples of 8 bits, with alpha also as floats (render/resample/resample.ts). */
function resampledBytes(plan: Render, channels: number): number {
  const { resample } = plan;
  if (resample === undefined) return 0;
  return (pixelsOf(resample.before ?? readSize(plan)) * (channels === 4 ? 5 : 1) + pixelsOf(resample.to)) * channels;
}

/** The pixels that are converted to 8 bits, where they are so after scaling: what is resampled has 8 bits. */
const depthSize = (plan: Render): Size => (plan.resample ? (plan.resample.before ?? readSize(plan)) : plan.scaled);

/** Samples while they are converted to 8 bits (render/eight-bits.ts). */
function depthBytes(plan: Render): number {
  const { samples, decoding } = plan;
  const { range, bits, alpha, profile } = samples;
  const channels = channelsOf(plan);
  if (range === undefined) return bits === 16 && profile === 'convert' ? 2 * pixelsOf(depthSize(plan)) * channels : 0;
  const isBefore = alpha || (bits > 16 && range.kind !== 'float');
  const size = isBefore ? readSize(plan) : depthSize(plan);
  const sampled = Math.min(2_000_000, pixelsOf(range.size)) * channels * 4;
  return (
    sampled + pixelsOf(size) * channels * (bits > 16 ? 5 : 3) + (isBefore ? pixelsOf(size) * decoding.pixelBytes : 0)
  );
}

/** The tables of a conversion between color spaces. */
const profileBytes = ({ samples, sourceColor }: Render): number =>
  samples.profile === 'convert' || sourceColor === 'cmyk' ? 20 * mebibyte : 0;

/** The file is in memory twice while it is sent to the server's process. */
function encoderBytes({ format, size }: Render): number {
  const { held, written } = outputFormats[format].cost;
  return pixelsOf(size) * (held + 2 * written);
}

/** Bytes of memory that a rendering takes at most, beyond those of an idle render process. */
export const memoryOf = (plan: Render): number =>
  Math.ceil(fixedBytes + decoderBytes(plan) + scalingBytes(plan) + wholeBytes(plan) + encoderBytes(plan));
