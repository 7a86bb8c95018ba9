/** Walks along the segments of a JPEG stream up to its first scan (ITU-T T.81, annex B). */

const startOfScan = 0xda;

/** All frames that there are; 0xc4, 0xc8 and 0xcc between them are tables and a reserved one. */
export const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

export interface Segment {
  readonly marker: number;
  /** Where its content begins in the stream. */
  readonly at: number;
  readonly content: Buffer;
}

export interface Segments {
  readonly beforeScan: readonly Segment[];
  /** The header of the first scan. */
  readonly scan: Segment;
}

/** The segments up to the first scan; undefined where they are damaged, or are more than `most`. */
export function segmentsOf(stream: Buffer, most: number): Segments | undefined {
  const beforeScan: Segment[] = [];
  let position = 2;
  while (position + 4 <= stream.length && stream[position] === 0xff && beforeScan.length < most) {
    const marker = stream[position + 1] ?? 0;
    // Any number of these may stand before a marker.
    if (marker === 0xff) {
      position += 1;
      continue;
    }
    const at = position + 4;
    position += 2 + stream.readUInt16BE(position + 2);
    const segment: Segment = { marker, at, content: stream.subarray(at, Math.max(at, position)) };
    if (marker === startOfScan) return { beforeScan, scan: segment };
    beforeScan.push(segment);
  }
  return undefined;
}
