/** Compares a picture that was cropped without decoding with the same region of the decoded image. */
import type { Size } from '../../src/core/image/model/geometry.ts';

/** The last columns and rows may differ: for subsampled chroma the decoder lacks the neighbors there. */
export interface IgnoredEdge {
  readonly right: 0 | 1;
  readonly bottom: 0 | 1;
}

export const noIgnoredEdge: IgnoredEdge = { right: 0, bottom: 0 };
export const chromaEdge: IgnoredEdge = { right: 1, bottom: 1 };

/** Describes the first pixel that differs, without the ignored edge; undefined if all are equal. */
export function firstDifference(
  { right, bottom }: IgnoredEdge,
  one: Buffer,
  other: Buffer,
  { width, height }: Size,
): string | undefined {
  if (one.length !== other.length) return `${one.length} samples instead of ${other.length}`;
  const channels = one.length / (width * height);
  for (let row = 0; row < height - bottom; row++) {
    const [start, end] = [row * width * channels, (row * width + width - right) * channels];
    if (one.subarray(start, end).equals(other.subarray(start, end))) continue;
    const at = one.subarray(start, end).findIndex((sample, index) => sample !== other[start + index]);
    return `column ${Math.floor(at / channels)} of ${width}, row ${row} of ${height}`;
  }
  return undefined;
}
