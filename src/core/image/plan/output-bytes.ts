/** The size of a derivative in bytes, estimated from its plan alone: there has to be room for it before it is made. */
import type { OutputFormat } from '../model/formats.ts';
import type { Render, SendTile } from './plan-types.ts';

/** Bytes for each pixel of scans, on the safe side: grain and text make larger files than smooth areas. */
const bytesPerPixel: Readonly<Record<OutputFormat, number>> = { jpeg: 1, webp: 1, avif: 1, gif: 1, png: 3, tiff: 3 };

export function outputBytesOf(plan: Render | SendTile): number {
  const { width, height } = plan.size;
  return width * height * bytesPerPixel[plan.kind === 'render' ? plan.format : 'jpeg'];
}
