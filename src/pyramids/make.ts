/** Makes the pyramid of an image: its pixels in their final colors and orientation, as JPEG tiles on all levels. */
import sharp, { type Sharp, type TiffOptions } from 'sharp';
import type { Rect, Size } from '../image/model/geometry.ts';
import type { Resolution } from '../image/model/image-set.ts';
import { noTurn, toStored } from '../image/model/orientation.ts';
import { planPart } from '../image/plan/plan-render.ts';
import { type EightBits, openEightBits } from '../render/eight-bits.ts';
import { requireWholeJpeg } from '../render/jpeg-damage.ts';
import { openRegion, readProfile } from '../render/open-region.ts';
import { type OpenedRender, withOpenedFile } from '../render/opened-file.ts';
import { readPixels } from '../render/source.ts';
import type { PyramidJob } from './maker.ts';
import { writeStripes } from './stripes.ts';
import { setUpright } from './upright-tag.ts';

const isGray = ({ sourceColor }: OpenedRender): boolean => sourceColor === 'gray' || sourceColor === 'bilevel';

/** libvips' name of the color space of the pyramid's samples. */
const spaceOf = (plan: OpenedRender): 'b-w' | 'srgb' => (isGray(plan) ? 'b-w' : 'srgb');

const openSource = (plan: OpenedRender): Promise<Sharp> => openRegion(plan, undefined);

/** The pixels of a stripe that is converted at once: of 16-bit RGB they take 18 MB, of float twice that. */
const stripePixels = 3_000_000;

/** Finished stripes would otherwise stay in memory beside the next ones. */
const freeMemory = (): void => globalThis.gc?.();

/** The samples of an image of this size, in stripes of whole rows; `openStripe` gives the pixels of one. */
async function* stripesOf(
  { width, height }: Size,
  plan: OpenedRender,
  openStripe: (stripe: Rect) => Promise<Sharp>,
): AsyncGenerator<Buffer> {
  const rows = Math.max(1, Math.floor(stripePixels / width));
  for (let y = 0; y < height; y += rows) {
    const stripe = await openStripe({ x: 0, y, width, height: Math.min(rows, height - y) });
    yield (await readPixels(stripe, { space: spaceOf(plan), depth: 'uchar', alpha: false })).data;
    freeMemory();
  }
}

const extract = (image: Sharp, { x, y, width, height }: Rect): Sharp =>
  image.extract({ left: x, top: y, width, height });

/** The image's samples brought to 8 bits and to their final colors. */
const convertedStripes = (plan: OpenedRender, eightBits: EightBits): AsyncGenerator<Buffer> =>
  stripesOf(plan.scaled, plan, async (stripe) => eightBits.convert(await openRegion(plan, stripe)));

const openMade = (file: string): Sharp =>
  sharp(file, { failOn: 'truncated', limitInputPixels: false, sequentialRead: true });

/**
 * The upright image from a file that has it in its stored orientation. libvips can turn only images that
 * it has in memory as a whole.
 */
function turnedStripes(file: string, plan: OpenedRender, source: Resolution): AsyncGenerator<Buffer> {
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

/** The image, upright and in its final colors, readable from top to bottom. */
async function prepare({ source, target }: PyramidJob, plan: OpenedRender): Promise<Sharp> {
  const colors = `${target}.colors`;
  const turned = `${target}.turned`;
  const channels = isGray(plan) ? 1 : 3;
  const eightBits = await openEightBits(plan, await readProfile(plan));
  if (eightBits) await writeStripes(colors, { ...plan.scaled, channels }, convertedStripes(plan, eightBits));
  if (!needsTurn(plan)) return eightBits ? openMade(colors) : openSource(plan);
  if (!eightBits) await writeTiled(await openSource(plan), plan, colors);
  const { width, height } = source;
  await writeStripes(turned, { width, height, channels }, turnedStripes(colors, plan, source));
  return openMade(turned);
}

/**
 * Writes the pyramid of a job. The steps are those of a rendering, but no step has the whole image in memory. Rejects with
 * the errors of libvips and the disk, whose messages contain paths of the host. Temporary files beside the target are left.
 */
export async function makePyramid(job: PyramidJob): Promise<void> {
  const { source } = job;
  const plan = planPart(source, { x: 0, y: 0, width: source.width, height: source.height }, source, 'jpeg');
  await withOpenedFile(plan, (opened) =>
    requireWholeJpeg(opened, async () => writePyramid(await prepare(job, opened), opened, job)),
  );
  await setUpright(job.target);
}
