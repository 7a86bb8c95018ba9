/** Makes the pixels of a mark, once for each scale. */
import { LRUCache } from 'lru-cache';
import type { Mark } from '../../image/model/covers.ts';
import { renderingFailed } from '../../image/model/errors.ts';
import type { Size } from '../../image/model/geometry.ts';
import { dropWhenIdle } from '../../storage/drop-when-idle.ts';
import { isOutOfMemory, outOfMemory } from '../process/render-fault.ts';
import { libvips, withWarnings } from '../sources/libvips.ts';
import { LibvipsError, readPixels } from '../sources/libvips-source.ts';

/** The pixels of a mark in red, green, blue and alpha, the colors multiplied by alpha. */
export interface MadeMark extends Size {
  readonly data: Buffer;
}

/** Memory for made marks, in bytes: at least four of the largest (src/core/image/plan/covers/watermark.ts). */
const maxBytes = 32 * 1024 * 1024;

const marks = new LRUCache<string, Promise<MadeMark>>({ maxSize: maxBytes });
const noteUse = dropWhenIdle(() => marks.clear());

/** Pixels an inch at which an SVG has its own size. */
const ownDensity = 72;

/** The least and most that sharp allows. */
const densities = { least: 1, most: 100_000 } as const;

function multiplyByAlpha(data: Buffer): void {
  for (let at = 0; at < data.length; at += 4) {
    const alpha = (data[at + 3] ?? 0) / 255;
    for (let channel = 0; channel < 3; channel++) data[at + channel] = Math.round((data[at + channel] ?? 0) * alpha);
  }
}

async function make({ bytes, ...own }: Mark, { width, height }: Size): Promise<MadeMark> {
  // Drawn at its size, an SVG is as sharp as it can be.
  const density = ownDensity * Math.max(width / own.width, height / own.height);
  const image = libvips()(bytes, { density: Math.max(densities.least, Math.min(densities.most, density)) });
  const sized = withWarnings(image).resize(width, height, { fit: 'fill' }).ensureAlpha();
  const { data } = await readPixels(sized, { space: 'srgb', depth: 'uchar', alpha: false });
  multiplyByAlpha(data);
  return { data, width, height };
}

/** That a mark can't be made is no fault of the image on which it lies. */
const orFailed = (error: unknown): never => {
  const isMemory = error instanceof LibvipsError && isOutOfMemory(error.message);
  throw isMemory ? outOfMemory(error.cause) : renderingFailed(error);
};

/** A mark at a size. Throws ImageError `failed` where its bytes can’t be decoded. */
export function makeMark(mark: Mark, size: Size): Promise<MadeMark> {
  noteUse();
  const key = `${size.width} ${size.height} ${mark.hash}`;
  const known = marks.get(key);
  if (known) return known;
  const made = make(mark, size).catch(orFailed);
  marks.set(key, made, { size: size.width * size.height * 4 });
  made.catch(() => marks.delete(key));
  return made;
}
