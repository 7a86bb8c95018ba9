/** Carries out a rendering plan: plain data in, the derivative's bytes out. All pixels pass through here, by libvips. */
import { readFile } from 'node:fs/promises';
import sharp, { type OutputInfo, type Sharp, type SharpOptions } from 'sharp';
import { isNeutral } from '../image/color.ts';
import { ImageError } from '../image/errors.ts';
import { outputFormats } from '../image/formats.ts';
import type { Render } from '../image/plan.ts';
import { applyColor } from './color.ts';

/** The finished bytes, in the format that the plan names. */
export interface Derivative {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

// Requests run beside each other, so each takes one thread; what libvips would cache is cached as derivatives.
sharp.cache(false);
sharp.concurrency(1);

const white = { r: 255, g: 255, b: 255 };
const black = { r: 0, g: 0, b: 0, alpha: 1 };
const transparent = { r: 0, g: 0, b: 0, alpha: 0 };

/** The loader's options; a truncated file is an error, lesser faults are not. */
function sourceOptions({ place }: Render): SharpOptions {
  const options: SharpOptions = { failOn: 'truncated', limitInputPixels: false, sequentialRead: true };
  if (place.kind === 'only') return options;
  return {
    ...options,
    page: place.page,
    ...(place.kind === 'subifd' ? { tiff: { subifd: place.subifd } } : {}),
  };
}

/** libvips reads brackets in a file name as options, so such a file is read here and handed over as bytes. */
async function openSource(plan: Render): Promise<Sharp> {
  const { path } = plan.file;
  return sharp(/[[\]]/.test(path) ? await readFile(path) : path, sourceOptions(plan));
}

/** 8-bit RGB or RGBA samples, also of gray sources. */
const toPixels = (pipeline: Sharp): Promise<{ data: Buffer; info: OutputInfo }> =>
  pipeline.toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });

const fromPixels = (data: Buffer, { width, height, channels }: OutputInfo): Sharp =>
  sharp(data, { raw: { width, height, channels }, limitInputPixels: false });

/** Continues with the pixels that a pipeline yields: where libvips' own order of operations would be another one. */
async function settle(pipeline: Sharp): Promise<Sharp> {
  const { data, info } = await toPixels(pipeline);
  return fromPixels(data, info);
}

/** The pixels that the plan reads, grown where the tiling reaches beyond the stored level. */
async function read(plan: Render): Promise<Sharp> {
  const source = await openSource(plan);
  const { left, top, right, bottom } = plan.extend;
  const part = plan.read
    ? source.extract({ left: plan.read.x, top: plan.read.y, width: plan.read.width, height: plan.read.height })
    : source;
  if (left + top + right + bottom === 0) return part;
  const settled = await settle(part);
  return settle(settled.extend({ left, top, right, bottom, extendWith: 'copy' }));
}

/** Scales, then mirrors and turns by quarters: the order in which sharp does these. */
function scaleAndTurn(image: Sharp, plan: Render): Sharp {
  const { scaled, turn } = plan;
  const sized = image.resize(scaled.width, scaled.height, { fit: 'fill', kernel: plan.kernel });
  const mirrored = turn.flop ? sized.flop() : sized;
  return turn.turns === 0 ? mirrored : mirrored.rotate(turn.turns * 90);
}

const keepsAlpha = (plan: Render): boolean => outputFormats[plan.format].alpha;

/** Turns by an odd angle; the new corners are transparent, or black where the format can't say that. */
async function rotate(image: Sharp, plan: Render): Promise<Sharp> {
  if (plan.rotation === 0) return image;
  const settled = await settle(image);
  return settled.rotate(plan.rotation, { background: keepsAlpha(plan) ? transparent : black });
}

/** Changes colors on the finished pixels: sharp orders color operations its own way, digilib has another. */
async function color(image: Sharp, plan: Render): Promise<Sharp> {
  if (isNeutral(plan.color)) return image;
  const { data, info } = await toPixels(image);
  applyColor(data, info.channels === 4 ? 4 : 3, plan.color);
  return fromPixels(data, info);
}

const isGray = ({ sourceColor, color: steps }: Render): boolean =>
  (sourceColor === 'gray' || sourceColor === 'bilevel') && isNeutral(steps);

function encode(image: Sharp, plan: Render): Sharp {
  const colored = image.toColourspace(isGray(plan) && plan.rotation === 0 ? 'b-w' : 'srgb');
  switch (plan.format) {
    case 'jpeg':
      return colored.jpeg({ quality: 85, optimiseCoding: false });
    case 'png':
      return colored.png({ compressionLevel: 3 });
    case 'webp':
      return colored.webp({ quality: 80, effort: 2 });
  }
}

/** Renders a plan. Throws ImageError `not-found` where the source's pixels can't be decoded. */
export async function execute(plan: Render): Promise<Derivative> {
  try {
    const scaled = scaleAndTurn(await read(plan), plan);
    const opaque = keepsAlpha(plan) ? scaled : scaled.flatten({ background: white });
    const turned = await rotate(opaque, plan);
    const finished = encode(await color(turned, plan), plan);
    const { data, info } = await finished.toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height };
  } catch (cause) {
    throw new ImageError('not-found', 'The image’s file is damaged: its pixels can’t be decoded.', { cause });
  }
}
