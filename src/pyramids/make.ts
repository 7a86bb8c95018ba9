/** Makes the pyramid of an image: its pixels in their final colors and orientation, as JPEG tiles on all levels. */
import { rm } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import type { Size } from '../image/model/geometry.ts';
import type { Resolution } from '../image/model/image-set.ts';
import { noTurn, toStored } from '../image/model/orientation.ts';
import { planPart } from '../image/plan/plan-render.ts';
import type { Render } from '../image/plan/plan-types.ts';
import { type EightBits, openEightBits } from '../render/eight-bits.ts';
import { openLevel, readPixels, readProfile } from '../render/source.ts';
import type { PyramidJob } from './messages.ts';
import { writeStripes } from './stripes.ts';
import { setUpright } from './upright-tag.ts';

const isGray = ({ sourceColor }: Render): boolean => sourceColor === 'gray' || sourceColor === 'bilevel';

/** libvips' name of the color space of the pyramid's samples. */
const spaceOf = (plan: Render): 'b-w' | 'srgb' => (isGray(plan) ? 'b-w' : 'srgb');

const openSource = ({ file, location, samples }: Render): Promise<Sharp> =>
  openLevel(file, location, samples.profile === 'ignore');

/** The pixels of a stripe that is converted at once: of 16-bit RGB they take 18 MB, of float twice that. */
const stripePixels = 3_000_000;

/** Finished stripes would otherwise stay in memory beside the next ones. */
const freeMemory = (): void => globalThis.gc?.();

/** The image's samples brought to 8 bits and to their final colors, stripe by stripe. */
async function* convertedStripes(plan: Render, eightBits: EightBits): AsyncGenerator<Buffer> {
  const { width, height } = plan.scaled;
  const rows = Math.max(1, Math.floor(stripePixels / width));
  for (let top = 0; top < height; top += rows) {
    const stripe = (await openSource(plan)).extract({ left: 0, top, width, height: Math.min(rows, height - top) });
    const converted = await eightBits.convert(stripe);
    yield (await readPixels(converted, { space: spaceOf(plan), depth: 'uchar', alpha: false })).data;
    freeMemory();
  }
}

const openMade = (file: string): Sharp =>
  sharp(file, { failOn: 'truncated', limitInputPixels: false, sequentialRead: true });

/**
 * The upright image, stripe by stripe, from a file that has it in its stored orientation. libvips can turn only images that
 * it has in memory as a whole.
 */
async function* turnedStripes(file: string, plan: Render, source: Resolution): AsyncGenerator<Buffer> {
  const { width, height, orientation } = source;
  const { flop, turns } = plan.turn;
  const rows = Math.max(1, Math.floor(stripePixels / width));
  for (let top = 0; top < height; top += rows) {
    const shown = { x: 0, y: top, width, height: Math.min(rows, height - top) };
    const { x, y, ...size } = toStored(shown, plan.scaled, orientation);
    const stripe = openMade(file).extract({ left: x, top: y, ...size });
    const mirrored = flop ? stripe.flop() : stripe;
    const turned = turns === 0 ? mirrored : mirrored.rotate(turns * 90);
    yield (await readPixels(turned, { space: spaceOf(plan), depth: 'uchar', alpha: false })).data;
    freeMemory();
  }
}

/** A larger TIFF file, in bytes, needs the offsets of BigTIFF. */
const maxClassicTiffBytes = 2_000_000_000;

/** Writes the image in its stored orientation in tiles, whose columns are read as fast as their rows. */
async function writeTiled(image: Sharp, plan: Render, file: string): Promise<void> {
  const tile = { tile: true, tileWidth: 512, tileHeight: 512 } as const;
  const bigtiff = pixelsOf(plan.scaled) * 3 > maxClassicTiffBytes;
  await image
    .toColourspace(spaceOf(plan))
    .tiff({ ...tile, compression: 'none', bigtiff })
    .toFile(file);
}

const needsTurn = ({ turn }: Render): boolean => turn.flop !== noTurn.flop || turn.turns !== noTurn.turns;

async function writePyramid(image: Sharp, plan: Render, { target, tile, quality }: PyramidJob): Promise<void> {
  await image
    .toColourspace(spaceOf(plan))
    .tiff({
      compression: 'jpeg',
      quality,
      tile: true,
      tileWidth: tile.width,
      tileHeight: tile.height,
      pyramid: true,
      bigtiff: pixelsOf(plan.scaled) > maxClassicTiffBytes / 2,
    })
    .toFile(target);
}

const pixelsOf = ({ width, height }: Size): number => width * height;

/** The temporary files of a job; they are deleted when the pyramid is complete. */
const temporaryFiles = (target: string) => ({
  /** Final colors in the stored orientation. */
  colors: `${target}.colors`,
  /** Upright. */
  turned: `${target}.turned`,
});

/** The image, upright and in its final colors, readable from top to bottom. */
async function prepare({ source, target }: PyramidJob, plan: Render): Promise<Sharp> {
  const { colors, turned } = temporaryFiles(target);
  const channels = isGray(plan) ? 1 : 3;
  const eightBits = await openEightBits(plan, await readProfile(plan));
  if (eightBits) await writeStripes(colors, { ...plan.scaled, channels }, convertedStripes(plan, eightBits));
  if (!needsTurn(plan)) return eightBits ? openMade(colors) : openSource(plan);
  if (!eightBits) await writeTiled(await openSource(plan), plan, colors);
  await writeStripes(
    turned,
    { width: source.width, height: source.height, channels },
    turnedStripes(colors, plan, source),
  );
  return openMade(turned);
}

/**
 * Writes the pyramid of a job. The steps are those of a rendering, but no step has the whole image in memory. Rejects with
 * the errors of libvips and the disk, whose messages contain paths of the host.
 */
export async function makePyramid(job: PyramidJob): Promise<void> {
  const { source, target } = job;
  const plan = planPart(source, { x: 0, y: 0, width: source.width, height: source.height }, source, 'jpeg');
  try {
    await writePyramid(await prepare(job, plan), plan, job);
    await setUpright(target);
  } finally {
    await Promise.all(Object.values(temporaryFiles(target)).map((file) => rm(file, { force: true })));
  }
}
