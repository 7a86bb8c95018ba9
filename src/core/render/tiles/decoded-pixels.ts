/** Samples of a region in the parts of tiles that they were decoded in. */
import type { Rect } from '../../image/model/geometry.ts';
import type { PixelStrip, PixelStrips } from '../resample/vector-rows.ts';

/** Copies the intersection of two rectangles from the samples of one to those of the other. */
export function copyShared(from: Buffer, fromRect: Rect, to: Buffer, toRect: Rect, channels: number): void {
  const left = Math.max(fromRect.x, toRect.x);
  const right = Math.min(fromRect.x + fromRect.width, toRect.x + toRect.width);
  const top = Math.max(fromRect.y, toRect.y);
  const bottom = Math.min(fromRect.y + fromRect.height, toRect.y + toRect.height);
  if (fromRect.x === toRect.x && fromRect.width === toRect.width) {
    const rowBytes = fromRect.width * channels;
    from.copy(to, (top - toRect.y) * rowBytes, (top - fromRect.y) * rowBytes, (bottom - fromRect.y) * rowBytes);
    return;
  }
  for (let y = top; y < bottom; y++) {
    const start = ((y - fromRect.y) * fromRect.width + left - fromRect.x) * channels;
    const target = ((y - toRect.y) * toRect.width + left - toRect.x) * channels;
    from.copy(to, target, start, start + (right - left) * channels);
  }
}

/** The samples of the part of a tile that is read, and its pixels of the level. */
export interface DecodedPart {
  readonly data: Buffer;
  readonly rect: Rect;
}

/** Pixels of 8 bits in memory, in the parts of tiles that they were decoded in. */
export interface DecodedPixels extends PixelStrips {
  /** The samples of the whole, interleaved. */
  samples(): Buffer;
}

/** Parts below each other, from top to bottom. */
function stripOf(parts: readonly DecodedPart[], read: Rect, channels: number): PixelStrip {
  const width = parts[0]?.rect.width ?? 0;
  const rowBytes = width * channels;
  return {
    width,
    copyRows(first, last, to) {
      for (const { data, rect } of parts) {
        const top = Math.max(read.y + first, rect.y);
        const bottom = Math.min(read.y + last, rect.y + rect.height);
        if (bottom <= top) continue;
        const rows = data.subarray((top - rect.y) * rowBytes, (bottom - rect.y) * rowBytes);
        to.set(rows, (top - read.y - first) * rowBytes);
      }
    },
  };
}

/** What is read, in the parts of it, row by row. */
export function pixelsIn(parts: readonly DecodedPart[], read: Rect, channels: 1 | 3): DecodedPixels {
  const columns = parts.filter(({ rect }) => rect.y === read.y).length;
  const { width, height } = read;
  const strips = Array.from({ length: columns }, (_, column) =>
    stripOf(
      parts.filter((_part, at) => at % columns === column),
      read,
      channels,
    ),
  );
  const samples = (): Buffer => {
    const [only] = parts;
    if (only && parts.length === 1) return only.data;
    const data = Buffer.allocUnsafe(width * height * channels);
    for (const part of parts) copyShared(part.data, part.rect, data, read, channels);
    return data;
  };
  return { width, height, channels, strips, samples };
}
