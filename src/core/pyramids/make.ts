/** Makes the pyramid of an image: its pixels in their final colors and orientation, as JPEG tiles on all levels. */

import { Jpeg2000Error } from '@lectern/jpeg2000';
import type { Jpeg2000 } from '@lectern/jpeg2000/model';
import { decodedParts } from '@lectern/jpeg2000/model';
import sharp, { type Sharp, type TiffOptions } from 'sharp';
import { noTurn, type Rect, type Size, toStored } from '../image/model/geometry.ts';
import type { Resolution } from '../image/model/image-set.ts';
import { costOf } from '../image/plan/cost.ts';
import { planPart } from '../image/plan/plan-render.ts';
import { isWithoutSamples } from '../render/render-error.ts';
import { type EightBits, openEightBits } from '../render/sources/eight-bits.ts';
import { requireWholeJpeg } from '../render/sources/jpeg-damage.ts';
import { readPixels } from '../render/sources/libvips-source.ts';
import { openRegion, readProfile } from '../render/sources/open-region.ts';
import { type OpenedRender, withOpenedFile } from '../render/sources/opened-file.ts';
import type { PyramidJob } from './maker.ts';
import { type ImagePart, setUpright, writeParts } from './striped-tiff.ts';

const isGray = ({ sourceColor }: OpenedRender): boolean => sourceColor === 'gray' || sourceColor === 'bilevel';

/** libvips' name of the color space of the pyramid's samples. */
const spaceOf = (plan: OpenedRender): 'b-w' | 'srgb' => (isGray(plan) ? 'b-w' : 'srgb');

/** Samples of a pixel of the pyramid. */
const channelsOf = (plan: OpenedRender): 1 | 3 => (isGray(plan) ? 1 : 3);

const openSource = (plan: OpenedRender): Promise<Sharp> => openRegion(plan, undefined);

/** A finished part of the image: gray or RGB samples of 8 bits. */
const samplesOf = async (image: Sharp, plan: OpenedRender): Promise<Buffer> =>
  (await readPixels(image, { space: spaceOf(plan), depth: 'uchar', alpha: false })).data;

/** The pixels of a stripe that is converted at once: of 16-bit RGB they take 18 MB, of float twice that. */
const stripePixels = 3_000_000;

/** Finished stripes would otherwise stay in memory beside the next ones. */
const freeMemory = (): void => globalThis.gc?.();

/** The samples of an image of this size, in stripes of whole rows; `openStripe` gives the pixels of one. */
async function* stripesOf(
  { width, height }: Size,
  plan: OpenedRender,
  openStripe: (stripe: Rect) => Promise<Sharp>,
): AsyncGenerator<ImagePart> {
  const rows = Math.max(1, Math.floor(stripePixels / width));
  for (let y = 0; y < height; y += rows) {
    const rect = { x: 0, y, width, height: Math.min(rows, height - y) };
    yield { rect, samples: await samplesOf(await openStripe(rect), plan) };
    freeMemory();
  }
}

const extract = (image: Sharp, { x, y, width, height }: Rect): Sharp =>
  image.extract({ left: x, top: y, width, height });

/** A part of the image, whose samples are brought to 8 bits where libvips alone would do so wrongly. */
async function openPart(plan: OpenedRender, eightBits: EightBits | undefined, part: Rect): Promise<Sharp> {
  const image = await openRegion(plan, part);
  return eightBits ? eightBits.convert(image) : image;
}

/** The image's samples brought to 8 bits and to their final colors. */
const convertedStripes = (plan: OpenedRender, eightBits: EightBits): AsyncGenerator<ImagePart> =>
  stripesOf(plan.scaled, plan, (stripe) => openPart(plan, eightBits, stripe));

/** The image’s samples in their final colors, in the parts in which they are decoded. */
async function* partsOf(
  plan: OpenedRender,
  { codeStream }: Jpeg2000,
  eightBits: EightBits | undefined,
): AsyncGenerator<ImagePart> {
  for (const rect of decodedParts(codeStream).flat()) {
    yield { rect, samples: await samplesOf(await openPart(plan, eightBits, rect), plan) };
    freeMemory();
  }
}

/** Throws where the largest part of the image takes more memory than the process may have. */
function requireSmallParts(plan: OpenedRender, { codeStream }: Jpeg2000, maxBytes: number): void {
  const rows = decodedParts(codeStream);
  const bytesOf = (part: Rect): number => costOf({ ...plan, read: part, scaled: part, size: part }).bytes;
  const most = Math.max(...rows.flat().map(bytesOf));
  if (most <= maxBytes) return;
  const [needed, allowed] = [most, maxBytes].map((bytes) => `${Math.ceil(bytes / 2 ** 20)} MiB`);
  throw new Error(
    `Its code-stream can be decoded in parts only that take ${needed} of memory, and a process that makes pyramids may have ${allowed}.`,
  );
}

const openMade = (file: string): Sharp =>
  sharp(file, { failOn: 'truncated', limitInputPixels: false, sequentialRead: true });

/**
 * The upright image from a file that has it in its stored orientation. libvips can turn only images that
 * it has in memory as a whole.
 */
function turnedStripes(file: string, plan: OpenedRender, source: Resolution): AsyncGenerator<ImagePart> {
  const { flop, turns } = plan.turn;
  return stripesOf(source, plan, async (shown) => {
    const stripe = extract(openMade(file), toStored(shown, plan.scaled, source.orientation));
    const mirrored = flop ? stripe.flop() : stripe;
    return turns === 0 ? mirrored : mirrored.rotate(turns * 90);
  });
}

/** A larger TIFF file, in bytes, needs the offsets of BigTIFF. */
const maxClassicTiffBytes = 2_000_000_000;

/** Writes the image in its stored orientation in tiles, whose columns are read as fast as their rows. */
async function writeTiled(image: Sharp, plan: OpenedRender, file: string): Promise<void> {
  const bigtiff = pixelsOf(plan.scaled) * 3 > maxClassicTiffBytes;
  const options: TiffOptions = { tile: true, tileWidth: 512, tileHeight: 512, compression: 'none', bigtiff };
  await image.toColourspace(spaceOf(plan)).tiff(options).toFile(file);
}

const needsTurn = ({ turn }: OpenedRender): boolean => turn.flop !== noTurn.flop || turn.turns !== noTurn.turns;

async function writePyramid(image: Sharp, plan: OpenedRender, { target, tile, quality }: PyramidJob): Promise<void> {
  const bigtiff = pixelsOf(plan.scaled) > maxClassicTiffBytes / 2;
  const tiles = { pyramid: true, tile: true, tileWidth: tile.width, tileHeight: tile.height };
  await image
    .toColourspace(spaceOf(plan))
    .tiff({ ...tiles, compression: 'jpeg', quality, bigtiff })
    .toFile(target);
}

const pixelsOf = ({ width, height }: Size): number => width * height;

/** The image in its final colors, in parts; undefined where libvips reads the file itself, and rightly. */
async function partsInColors(plan: OpenedRender, maxBytes: number): Promise<AsyncGenerator<ImagePart> | undefined> {
  const { jpeg2000 } = plan;
  const eightBits = await openEightBits(plan, await readProfile(plan));
  if (!jpeg2000) return eightBits && convertedStripes(plan, eightBits);
  requireSmallParts(plan, jpeg2000, maxBytes);
  return partsOf(plan, jpeg2000, eightBits);
}

/** The image, upright and in its final colors, readable from top to bottom. */
async function prepare({ source, target }: PyramidJob, plan: OpenedRender, maxBytes: number): Promise<Sharp> {
  const colors = `${target}.colors`;
  const turned = `${target}.turned`;
  const channels = channelsOf(plan);
  const parts = await partsInColors(plan, maxBytes);
  if (parts) await writeParts(colors, { ...plan.scaled, channels }, parts);
  if (!needsTurn(plan)) return parts ? openMade(colors) : openSource(plan);
  if (!parts) await writeTiled(await openSource(plan), plan, colors);
  const { width, height } = source;
  await writeParts(turned, { width, height, channels }, turnedStripes(colors, plan, source));
  return openMade(turned);
}

/** What the decoder of JPEG 2000 finds wrong, as a sentence. */
function asSentence(error: unknown): unknown {
  const code = error instanceof Jpeg2000Error ? error.code : undefined;
  if (error instanceof Error && code === 'damaged')
    return new Error(`The file is damaged: ${error.message}.`, { cause: error });
  const isMemory = code === 'memory' || isWithoutSamples(error);
  return isMemory ? new Error('It takes too much memory.', { cause: error }) : error;
}

/**
 * Writes the pyramid of a job, in a process that may have `maxBytes` bytes of memory. The steps are those of a rendering, but no step has the
 * whole image in memory. Rejects with the errors of libvips and the disk, whose messages contain paths of the host. Temporary files beside
 * the target are left.
 */
export async function makePyramid(job: PyramidJob, maxBytes: number): Promise<void> {
  const { source } = job;
  const plan = planPart(source, { x: 0, y: 0, width: source.width, height: source.height }, source, 'jpeg');
  try {
    await withOpenedFile(plan, (opened) =>
      requireWholeJpeg(opened, async () => writePyramid(await prepare(job, opened, maxBytes), opened, job)),
    );
  } catch (error) {
    throw asSentence(error);
  }
  await setUpright(job.target);
}
