/** Opens the level that a plan reads, and passes pixels from one libvips pipeline to the next. */
import { readFile } from 'node:fs/promises';
import { type Pixels, wrapPixels } from '@lectern/tiff';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { libvips, withWarnings } from './libvips.ts';
import type { OpenedFile, OpenedRender } from './opened-file.ts';

/** What of a plan says where its pixels are stored, and how. */
export type StoredLevel = Pick<OpenedRender, 'file' | 'excerpt' | 'location' | 'sourceFormat' | 'tile' | 'truncated'>;

/**
 * What makes a loader fail: what its decoder calls an error. For the tiles of a TIFF and for GIF, libvips counts these as
 * warnings. Other warnings are no reason to fail: unknown tags, bytes that are skipped.
 */
function failOn({ sourceFormat, tile, truncated }: StoredLevel): 'none' | 'error' | 'warning' {
  if (truncated) return 'none';
  return (sourceFormat === 'tiff' && tile !== undefined) || sourceFormat === 'gif' ? 'warning' : 'error';
}

/** Where libvips finds a level of a TIFF file. */
function directoryOptions(location: StoredLevel['location']): SharpOptions {
  if (location.kind !== 'page' && location.kind !== 'subifd') return {};
  const { page } = location;
  return location.kind === 'page' ? { page } : { page, tiff: { subifd: location.subifd } };
}

const sourceOptions = (level: StoredLevel): SharpOptions => ({
  failOn: failOn(level),
  limitInputPixels: false,
  sequentialRead: true,
});

/** What libvips opens. It takes brackets in a file name for options, so such a file is passed to it as bytes. */
export const readable = async ({ readPath }: Pick<OpenedFile, 'readPath'>): Promise<string | Buffer> =>
  /[[\]]/.test(readPath) ? await readFile(readPath) : readPath;

/** Opens a level, or the part of it that is here. */
export async function openLevel(level: StoredLevel, ignoreIcc = false): Promise<Sharp> {
  if (level.excerpt) return openBytes(level.excerpt.bytes, level, ignoreIcc);
  const input = await readable(level.file);
  return withWarnings(libvips()(input, { ...sourceOptions(level), ...directoryOptions(level.location), ignoreIcc }));
}

/** Opens the bytes of a file that has nothing but a part of the level. */
export const openBytes = (bytes: Uint8Array, level: StoredLevel, ignoreIcc = false): Sharp =>
  withWarnings(libvips()(bytes, { ...sourceOptions(level), ignoreIcc }));

/** An error of libvips: while it decoded, processed or encoded pixels. */
export class LibvipsError extends Error {
  override readonly name = 'LibvipsError';
}

/** What libvips yields. Rejects with LibvipsError. */
export async function fromLibvips<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (cause) {
    throw new LibvipsError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** What libvips reads of an image's header. Rejects with LibvipsError. */
export const readMetadata = (image: Sharp): Promise<Metadata> => fromLibvips(image.metadata());

export interface PixelForm {
  /** libvips' name of a color space; a pipeline in another one is converted to it. */
  readonly space: string;
  readonly depth: 'uchar' | 'ushort' | 'float';
  /** Whether the pipeline has alpha; required for gray pixels only, from which sharp would drop it. */
  readonly alpha: boolean;
}

/** The interleaved samples that a pipeline yields. Rejects with LibvipsError. */
export async function readPixels(pipeline: Sharp, { space, depth, alpha }: PixelForm): Promise<Pixels> {
  const read = async (image: Sharp): Promise<Pixels> => {
    const { data, info } = await fromLibvips(image.raw({ depth }).toBuffer({ resolveWithObject: true }));
    return { data, width: info.width, height: info.height, channels: info.channels };
  };
  const image = pipeline.toColourspace(space);
  if (space !== 'b-w' || !alpha) return read(image);
  const [gray, clear] = await Promise.all([read(image.clone()), read(image.clone().extractChannel(1))]);
  const { width, height } = gray;
  const data = interleave(gray.data, clear.data, gray.data.length / (width * height));
  return { data, width, height, channels: 2 };
}

function interleave(first: Buffer, second: Buffer, sampleBytes: number): Buffer {
  const data = Buffer.alloc(first.length * 2);
  for (let at = 0; at < first.length; at += sampleBytes) {
    first.copy(data, at * 2, at, at + sampleBytes);
    second.copy(data, at * 2 + sampleBytes, at, at + sampleBytes);
  }
  return data;
}

/** RGB or RGBA samples of 8 or 16 bits, also of gray sources. */
export async function readColors(pipeline: Sharp, bits: 8 | 16) {
  const [space, depth] = bits === 16 ? (['rgb16', 'ushort'] as const) : (['srgb', 'uchar'] as const);
  const { data, ...size } = await readPixels(pipeline, { space, depth, alpha: false });
  return { samples: bits === 16 ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data, ...size };
}

/** The ICC profile of the samples, and whether they are converted to sRGB or encoded with it. */
export interface Profile {
  readonly icc: Buffer;
  readonly use: 'convert' | 'keep';
}

/** A pipeline that starts with pixels; without a profile they are sRGB. */
export function fromPixels(pixels: Pixels, profile?: Profile): Sharp {
  if (profile) {
    const image = withWarnings(libvips()(wrapPixels(pixels, profile.icc), { limitInputPixels: false }));
    return profile.use === 'keep' ? image.keepIccProfile() : image;
  }
  const { data, width, height, channels } = pixels;
  return withWarnings(libvips()(data, { raw: { width, height, channels }, limitInputPixels: false }));
}
