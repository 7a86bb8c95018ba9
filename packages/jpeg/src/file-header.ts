/** The segments of a whole JPEG file, as far as they say how its image is coded (ITU-T T.81, section B.2). */

import { isFrame, type Segment, type Segments, segmentsOf } from './segments.ts';

export const marker = {
  start: 0xff,
  tables: 0xc4,
  image: 0xd8,
  end: 0xd9,
  scan: 0xda,
  sequential: [0xc0, 0xc1],
  progressive: [0xc2, 0xca],
  arithmetic: [0xc9, 0xca],
} as const;

/** Stands in no coded data, where a 0 follows each 255. */
export const endOfImage = Buffer.of(marker.start, marker.end);

/** More than the headers of a file have before the scan. */
const maxSegments = 200;

export const isOneOf = (codes: readonly number[], { marker: code }: Segment): boolean => codes.includes(code);

/** Number of components, in the header of a frame (section B.2.2). */
export const countOf = ({ content }: Segment): number => content[5] ?? 0;

export interface FileHeader extends Segments {
  readonly frame: Segment;
}

/** Undefined where it is damaged, longer than the stream, or of more segments than any file has. */
export function fileHeaderOf(stream: Buffer): FileHeader | undefined {
  const segments = segmentsOf(stream, maxSegments);
  const frame = segments?.beforeScan.find(({ marker: code }) => isFrame(code));
  return segments && frame && { ...segments, frame };
}

/** Whether one scan has all of the image. */
export const isOneScan = ({ frame, scan }: FileHeader): boolean =>
  !isOneOf(marker.progressive, frame) && scan.content[0] === countOf(frame);

/** Whether no length follows a marker: a stuffed byte, a fill byte, TEM, a restart, the start of an image. */
const hasNoLength = (code: number): boolean =>
  code <= 1 || code === marker.start || (code >= 0xd0 && code <= marker.image);

/** All segments up to the end marker, also those between scans. */
export function* allSegments(stream: Buffer): Generator<Segment> {
  let at = stream.indexOf(marker.start, 2);
  while (at !== -1 && at + 4 <= stream.length) {
    const code = stream[at + 1] ?? 0;
    if (code === marker.end) return;
    const isBare = hasNoLength(code);
    const end = isBare ? at + (code === marker.start ? 1 : 2) : at + 2 + stream.readUInt16BE(at + 2);
    if (!isBare) yield { marker: code, at: at + 4, content: stream.subarray(at + 4, end) };
    at = stream.indexOf(marker.start, end);
  }
}
