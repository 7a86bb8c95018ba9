/** Splits a JPEG stream into its segments up to the first scan (ITU-T T.81, annex B). */

const startOfScan = 0xda;

/** Whether a marker begins a frame; 0xc4, 0xc8 and 0xcc in this range are tables and a reserved marker. */
export const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

export interface Segment {
  readonly marker: number;
  /** Position of its content in the stream. */
  readonly at: number;
  readonly content: Buffer;
}

export interface Segments {
  readonly beforeScan: readonly Segment[];
  /** The header of the first scan. */
  readonly scan: Segment;
}

/** The segments up to the first scan; undefined where they are damaged or more than `maxSegments`. */
export function segmentsOf(stream: Buffer, maxSegments: number): Segments | undefined {
  const beforeScan: Segment[] = [];
  let position = 2;
  while (position + 4 <= stream.length && stream[position] === 0xff && beforeScan.length < maxSegments) {
    const marker = stream[position + 1] ?? 0;
    // Fill bytes may precede a marker.
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
