/** Executes a rendering plan with libvips: plain data in, the derivative's bytes out. */

import type { Pixels } from '@lectern/tiff';
import type { Sharp } from 'sharp';
import { applyColor, isNeutral } from '../image/model/color.ts';
import { ImageError } from '../image/model/errors.ts';
import { outputFormats } from '../image/model/formats.ts';
import type { Size } from '../image/model/geometry.ts';
import type { SampleScale } from '../image/model/stored-samples.ts';
import type { Redaction, Render } from '../image/plan/plan-types.ts';
import { blacken, blackenTurned } from './covers/blacken.ts';
import { drawMark } from './covers/draw-mark.ts';
import { fileError, renderError } from './render-error.ts';
import { resample } from './resample/resample.ts';
import { type EightBits, openEightBits, sampleScale } from './sources/eight-bits.ts';
import { fromLibvips, fromPixels, type Profile, readColors, readPixels } from './sources/libvips-source.ts';
import { openRegion, readProfile } from './sources/open-region.ts';
import { type OpenedRender, withOpenedFile } from './sources/opened-file.ts';
import { cachedOverview } from './sources/overviews.ts';
import { requireWholeFile } from './sources/whole-files.ts';
import { readDecoded } from './tiles/decoded-tiles.ts';

/** The finished bytes, in the format that the plan names. */
export interface Derivative {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
  /** How the samples are scaled, where the plan had the level to measure that on. */
  readonly scale?: SampleScale | 'none';
}

const white = { r: 255, g: 255, b: 255 };
const black = { r: 0, g: 0, b: 0, alpha: 1 };
const transparent = { r: 0, g: 0, b: 0, alpha: 0 };

function readSettled(pipeline: Sharp, { samples }: Render, space: 'srgb' | 'b-w'): Promise<Pixels> {
  return readPixels(pipeline, { space, depth: 'uchar', alpha: samples.alpha });
}

/** Runs a pipeline and starts a new one with its pixels, where sharp would reorder the operations, or with what `draw` changes of these. */
async function settle(
  pipeline: Sharp,
  plan: Render,
  embeddedProfile: Profile | undefined,
  draw?: (pixels: Pixels) => void | Promise<void>,
): Promise<Sharp> {
  const pixels = await readSettled(pipeline, plan, embeddedProfile && isGray(plan) ? 'b-w' : 'srgb');
  await draw?.(pixels);
  return fromPixels(pixels, embeddedProfile);
}

/** What a plan reads: a pipeline of libvips, or pixels in memory. */
type Source = { readonly image: Sharp } | { readonly decoded: Pixels };

/** What a plan reads. */
async function open(plan: OpenedRender): Promise<Source> {
  const decoded = await readDecoded(plan);
  return decoded ? { decoded } : { image: await openRegion(plan, plan.read) };
}

const pipelineOf = (source: Source, embeddedProfile?: Profile): Sharp =>
  'image' in source ? source.image : fromPixels(source.decoded, embeddedProfile);

const resized = (image: Sharp, { width, height }: Size, { kernel, shrink }: Render): Sharp =>
  image.resize(width, height, { fit: 'fill', kernel, fastShrinkOnLoad: shrink !== 'less' });

/** The samples of 8 bits that a part is resampled from. */
async function readForResampling(
  source: Source,
  plan: OpenedRender,
  profile?: Profile,
  eightBits?: EightBits,
): Promise<Pixels> {
  const { before, isOverview } = plan.resample ?? {};
  if ('decoded' in source && !before && !eightBits) return source.decoded;
  const image = pipelineOf(source);
  const sized = before ? resized(image, before, plan) : image;
  const isOneSample = isGray(plan) && (profile !== undefined || !plan.samples.alpha);
  const space = isOneSample ? 'b-w' : 'srgb';
  const converted = eightBits ? await eightBits.convert(sized) : sized;
  const decode = () => readSettled(converted, plan, space);
  return before && isOverview ? cachedOverview(plan, before, space, decode) : decode();
}

/** Computes the pixels of a part that begins or ends within those that were read: libvips cuts whole ones only. */
async function resampled(
  source: Source,
  plan: OpenedRender,
  profile?: Profile,
  eightBits?: EightBits,
): Promise<Source> {
  if (plan.resample === undefined) return source;
  const read = await readForResampling(source, plan, profile, eightBits);
  const data = resample(read, plan.resample, plan.kernel);
  return { decoded: { ...plan.resample.to, channels: read.channels, data } };
}

/** The pixels that are read, in 8 bits and with redactions black, before any kernel could spread what is below these. */
async function redact(
  source: Source,
  { before, read }: Redaction,
  plan: Render,
  profile?: Profile,
  eightBits?: EightBits,
): Promise<Source> {
  const averaged = (image: Sharp): Sharp => (before ? resized(image, before, { ...plan, kernel: 'linear' }) : image);
  const image = pipelineOf(source, profile);
  const early = eightBits?.beforeScaling ? await eightBits.convert(image) : image;
  const late = eightBits && !eightBits.beforeScaling ? await eightBits.convert(averaged(early)) : averaged(early);
  return { image: await settle(late, plan, profile, (pixels) => blacken(pixels, read)) };
}

/** Scales, then mirrors and turns by quarters: the order in which sharp does these. */
function scaleAndTurn(image: Sharp, plan: Render): Sharp {
  const { scaled, turn, keep } = plan;
  const sized = resized(image, scaled, plan);
  const mirrored = turn.flop ? sized.flop() : sized;
  const turned = turn.turns === 0 ? mirrored : mirrored.rotate(turn.turns * 90);
  return keep ? turned.extract({ left: keep.x, top: keep.y, width: keep.width, height: keep.height }) : turned;
}

/** Scales pixels that are as many as may be seen. */
async function rescale(image: Sharp, plan: Render, embeddedProfile?: Profile): Promise<Sharp> {
  if (plan.rescaled === undefined) return image;
  return resized(await settle(image, plan, embeddedProfile), plan.rescaled, plan);
}

const keepsAlpha = (plan: Render): boolean => outputFormats[plan.format].holds.alpha;

/** Rotates by an odd angle; the new corners are transparent, or of the plan’s color in formats without alpha. */
async function rotate(image: Sharp, plan: Render, embeddedProfile?: Profile): Promise<Sharp> {
  if (plan.rotation === 0) return image;
  const settled = await settle(image, plan, embeddedProfile);
  const corners = plan.corners === 'white' ? white : black;
  return settled.rotate(plan.rotation, { background: keepsAlpha(plan) ? transparent : corners });
}

/** Changes colors on the finished pixels, since sharp's order of color operations differs from digilib's. */
async function color(image: Sharp, bits: 8 | 16, plan: Render, embeddedProfile?: Profile): Promise<Sharp> {
  if (isNeutral(plan.color)) return image;
  const { samples, ...size } = await readColors(image, bits);
  const { buffer } = applyColor(samples, size.channels === 4 ? 4 : 3, plan.color);
  return fromPixels({ ...size, data: Buffer.from(buffer) }, embeddedProfile);
}

/** A mark can have colors, but none beside the profile of gray samples. */
const isGray = ({ sourceColor, color: steps, covers, samples }: Render): boolean =>
  (sourceColor === 'gray' || sourceColor === 'bilevel') &&
  isNeutral(steps) &&
  (covers?.mark === undefined || samples.profile === 'keep');

function encode(image: Sharp, plan: Render): Sharp {
  const colored = image.toColourspace(isGray(plan) && plan.rotation === 0 ? 'b-w' : 'srgb');
  return colored.toFormat(plan.format, outputFormats[plan.format].encoder);
}

/** The pixels that are scaled, converted to 8 bits where this has to come first. */
async function readToScale(plan: OpenedRender, profile?: Profile, eightBits?: EightBits) {
  const source = await open(plan);
  const redaction = plan.covers?.redaction;
  if (redaction) return resampled(await redact(source, redaction, plan, profile, eightBits), plan, profile);
  if (!eightBits?.beforeScaling) return resampled(source, plan, profile, eightBits);
  return resampled({ image: await eightBits.convert(pipelineOf(source)) }, plan, profile);
}

/**
 * Whether sharp (0.35) would write a profile that it keeps from memory that it has freed: where it turns 16-bit samples. Of samples of 8 bits it
 * writes the right one.
 */
const isDeepAndTurned = ({ samples, turn }: Render): boolean => samples.bits === 16 && (turn.flop || turn.turns !== 0);

/** Scales and turns pixels, and converts them to 8 bits where libvips alone would do so wrongly. */
async function scale(source: Source, plan: Render, embeddedProfile?: Profile, eightBits?: EightBits): Promise<Sharp> {
  const image = pipelineOf(source, embeddedProfile);
  const mayLoseProfile = 'image' in source && embeddedProfile && !eightBits && isDeepAndTurned(plan);
  const turnable = mayLoseProfile ? await settle(resized(image, plan.scaled, plan), plan, embeddedProfile) : image;
  const scaled = scaleAndTurn(turnable, plan);
  return eightBits && !eightBits.beforeScaling && !plan.resample ? eightBits.convert(scaled) : scaled;
}

/** Draws the watermark before colors are changed and before the picture is turned by an odd angle, so that it goes with the picture. */
async function mark(image: Sharp, plan: Render, embeddedProfile?: Profile): Promise<Sharp> {
  const found = plan.covers?.mark;
  return found ? settle(image, plan, embeddedProfile, (pixels) => drawMark(pixels, found)) : image;
}

/** Makes redactions black after colors were changed, so that they are black whatever these do. */
async function cover(image: Sharp, plan: Render, embeddedProfile?: Profile): Promise<Sharp> {
  const { covers, rotation } = plan;
  const redaction = covers?.redaction;
  if (redaction === undefined || redaction.shown.length === 0) return image;
  const { shown, picture } = redaction;
  const hasAlpha = plan.samples.alpha || (rotation !== 0 && keepsAlpha(plan));
  return settle(image, { ...plan, samples: { ...plan.samples, alpha: hasAlpha } }, embeddedProfile, (pixels) =>
    rotation === 0 ? blacken(pixels, shown) : blackenTurned(pixels, shown, picture, rotation),
  );
}

/** The depth in which colors are changed: more contrast in deep shadows needs all 16 bits. */
function depthOf(plan: Render, profile: Profile | undefined, eightBits: EightBits | undefined): 8 | 16 {
  const { sourceColor, samples, rotation, rescaled, covers } = plan;
  const isPlain = sourceColor === 'rgb' || sourceColor === 'gray';
  const isSettled =
    eightBits !== undefined ||
    plan.resample !== undefined ||
    rotation !== 0 ||
    rescaled !== undefined ||
    covers !== undefined;
  return samples.bits === 16 && isPlain && !profile && !isSettled ? 16 : 8;
}

async function render(plan: OpenedRender): Promise<Derivative> {
  const profile = await readProfile(plan);
  const embeddedProfile = profile?.use === 'keep' ? profile : undefined;
  const eightBits = await openEightBits(plan, profile);
  const source = await readToScale(plan, embeddedProfile, eightBits);
  const scaled = await scale(source, plan, embeddedProfile, plan.covers?.redaction ? undefined : eightBits);
  const rescaled = await rescale(scaled, plan, embeddedProfile);
  const marked = await mark(rescaled, plan, embeddedProfile);
  const turned = await rotate(marked, plan, embeddedProfile);
  const colored = await color(turned, depthOf(plan, profile, eightBits), plan, embeddedProfile);
  const covered = await cover(colored, plan, embeddedProfile);
  const finished = encode(keepsAlpha(plan) ? covered : covered.flatten({ background: white }), plan);
  const { data, info } = await fromLibvips(finished.toBuffer({ resolveWithObject: true }));
  const { range, bits } = plan.samples;
  const measured = range && plan.measured && ((await sampleScale(plan, range, bits)) ?? 'none');
  return { bytes: data, width: info.width, height: info.height, ...(measured && { scale: measured }) };
}

/**
 * Renders a plan. Throws ImageError `damaged` where the source's pixels can't be decoded or
 * have another checksum, `changed` where its file is another one or gone, and `failed` for everything else.
 */
export async function execute(plan: Render): Promise<Derivative> {
  try {
    return await withOpenedFile(plan, async (opened) => {
      try {
        const work = () => render(opened);
        return await requireWholeFile(opened, work);
      } catch (error) {
        throw await renderError(error, opened);
      }
    });
  } catch (error) {
    throw error instanceof ImageError ? error : fileError(error);
  }
}
