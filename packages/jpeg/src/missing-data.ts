/** Tells whether a JPEG file lacks data that libjpeg does not miss: whole scans, and the end of arithmetic coding. */

import {
  allSegments,
  countOf,
  endOfImage,
  type FileHeader,
  fileHeaderOf,
  isOneOf,
  isOneScan,
  marker,
} from './file-header.ts';

/**
 * Whether a file has no scan of a component, or of some bits of the coefficients of a progressive JPEG, as where it was cut between two scans.
 * The specification lets encoders leave out scans with bits of coefficients (section G.1.1.1); none is known that does. False where the
 * header can't be read.
 */
export function lacksScans(stream: Buffer): boolean {
  const header = fileHeaderOf(stream);
  if (header === undefined) return false;
  const { frame } = header;
  const isProgressive = isOneOf(marker.progressive, frame);
  const ids = Array.from({ length: countOf(frame) }, (_, index) => frame.content[6 + 3 * index] ?? 0);
  /** By component: for each coefficient, how many of its bits no scan had; 1 before its first scan. */
  const missing = new Map(ids.map((id) => [id, new Uint8Array(64).fill(1)]));
  for (const { marker: code, content } of allSegments(stream)) {
    if (code !== marker.scan) continue;
    const count = content[0] ?? 0;
    const [first = 0, last = 63, bits = 0] = isProgressive ? content.subarray(1 + 2 * count) : [];
    for (let index = 0; index < count; index++)
      missing.get(content[1 + 2 * index] ?? 0)?.fill(bits & 15, first, last + 1);
  }
  return [...missing.values()].some((bits) => bits.some((count) => count > 0));
}

/** The stream up to its first scan, with a component more, of which no scan has anything. */
function withComponent(stream: Buffer, { frame: { content, at }, scan }: FileHeader): readonly Buffer[] {
  const count = countOf({ content, at, marker: 0 });
  const frame = Buffer.from([...content, unusedId, 0x11, 0]);
  frame[5] = count + 1;
  const length = Buffer.alloc(2);
  length.writeUInt16BE(frame.length + 2);
  return [stream.subarray(0, at - 2), length, frame, stream.subarray(at + content.length, scan.at)];
}

const unusedId = 255;

/** A stream with zeros before its end marker. */
export interface ZerosBehind {
  readonly stream: Buffer;
  /** The number of bytes before the end marker that a whole image leaves: the zeros, with what was there before. */
  readonly least: number;
  readonly most: number;
}

/** Bytes that may stand before the end marker anyway. */
const mostBefore = 1024;

/**
 * Encoders leave out zeros at the end (section D.1.8). A picture that is plain below needs some fifteen of them, and one more for every
 * 3 megapixels: a plain block takes little more than a 30,000th of a bit.
 */
const neededByWhole = (pixels: number): number => 64 + Math.ceil(pixels / 1e6);

/**
 * A stream with arithmetic coding, with zeros before its end marker; undefined for Huffman codes. Arithmetic decoders take zeros for what is
 * missing (section D.2.6), without a word. libjpeg says how many bytes come between a scan and the next marker, where
 * the scan is not the only one: those zeros that the image did not need.
 */
export function withZerosBehind(stream: Buffer, zerosBehind: number): ZerosBehind | undefined {
  const header = fileHeaderOf(stream);
  if (header === undefined || !isOneOf(marker.arithmetic, header.frame)) return undefined;
  const { frame, scan } = header;
  const start = isOneScan(header) ? withComponent(stream, header) : [stream.subarray(0, scan.at)];
  const found = stream.indexOf(endOfImage, scan.at);
  const end = found === -1 ? stream.length : found;
  const pixels = frame.content.readUInt16BE(1) * frame.content.readUInt16BE(3);
  return {
    stream: Buffer.concat([...start, stream.subarray(scan.at, end), Buffer.alloc(zerosBehind), endOfImage]),
    least: zerosBehind - neededByWhole(pixels),
    most: zerosBehind + mostBefore,
  };
}
