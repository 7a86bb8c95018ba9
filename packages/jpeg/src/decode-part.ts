/** Decodes a part of a JPEG in memory to the samples that libjpeg decodes: units (MCUs) beside it are skipped. */

import type { UnitSamples } from './coded-scan.ts';
import { unitsAround } from './crop.ts';
import { blocksOfUnit, type Component, type Rect, type Scan, scanOf, unitsOf } from './scan.ts';
import { ScanReader } from './scan-reader.ts';
import { type Segment, segmentsOf } from './segments.ts';

const quantizationTables = 0xdb;

/** Adds the tables of quantization of a segment (ITU-T T.81, section B.2.4.1), each with 64 numbers in zigzag order. */
function addQuantization(content: Buffer, tables: Map<number, Int32Array>): void {
  for (let at = 0; at < content.length; ) {
    const kind = content[at] ?? 0;
    const bytes = kind >> 4 === 0 ? 1 : 2;
    if (content.length < at + 1 + 64 * bytes) return;
    const numberAt = (index: number): number => content.readUIntBE(at + 1 + index * bytes, bytes);
    tables.set(
      kind & 15,
      Int32Array.from({ length: 64 }, (_, index) => numberAt(index)),
    );
    at += 1 + 64 * bytes;
  }
}

/** The table of each component, 64 numbers in zigzag order; undefined where one is missing. */
function quantizationOf(
  segments: readonly Segment[],
  components: readonly Component[],
): readonly Int32Array[] | undefined {
  const tables = new Map<number, Int32Array>();
  for (const { marker, content } of segments) if (marker === quantizationTables) addQuantization(content, tables);
  const found = components.flatMap(({ quantization }) => tables.get(quantization) ?? []);
  return found.length === components.length ? found : undefined;
}

/** What all parts of pictures with the same header need. */
interface Decoder {
  /** The header, up to the coded data. */
  readonly header: Buffer;
  readonly scan: Scan;
  readonly samples: UnitSamples;
}

const maxSegments = 200;

/** How chroma is stored, by the numbers of blocks of a unit across and down; undefined for samplings that are left to libvips. */
function chromaOf({ components }: Scan): UnitSamples['chroma'] | undefined {
  const [first, ...others] = components.map(({ across, down }) => `${across}x${down}`);
  if (others.length === 0) return 'none';
  if (others.some((each) => each !== '1x1')) return undefined;
  if (first === '1x1') return 'whole';
  if (first === '2x1') return 'halfColumns';
  return first === '2x2' ? 'halfBoth' : undefined;
}

/** A decoder for pictures of gray or YCbCr with this header; undefined where they are left to libvips. */
function decoderOf(stream: Buffer): Decoder | undefined {
  const scan = scanOf(stream);
  const segments = segmentsOf(stream, maxSegments)?.beforeScan;
  if (typeof scan === 'string' || segments === undefined) return undefined;
  const { size, unit, components } = scan;
  const chroma = chromaOf(scan);
  const tables = quantizationOf(segments, components);
  // Chroma is smoothed up to the picture's edge, which is no edge of a unit.
  if (chroma === undefined || tables === undefined || size.width % unit.width > 0 || size.height % unit.height > 0) {
    return undefined;
  }
  const planes = tables.map((quantization, index) => {
    const { across = 1, down = 1 } = tables.length === 1 ? {} : (components[index] ?? {});
    return { across: 8 * across, down: 8 * down, quantization };
  });
  const blocks = blocksOfUnit(scan).map(({ column, row }) => ({ column: 8 * column, row: 8 * row }));
  return { header: Buffer.from(stream.subarray(0, scan.dataAt)), scan, samples: { planes, blocks, chroma } };
}

/** Tiles of a level have the same header. */
let last: Decoder | undefined;

function decoderFor(stream: Buffer): Decoder | undefined {
  if (last !== undefined && stream.subarray(0, last.header.length).equals(last.header)) return last;
  const decoder = decoderOf(stream);
  if (decoder !== undefined) last = decoder;
  return decoder;
}

/**
 * The pixels of a part of a JPEG that is gray or YCbCr, interleaved samples of 8 bits, gray or RGB; undefined where libvips has to decode it: it
 * is coded in another way, its sides are no multiples of a unit's, or its data are damaged.
 */
export function decodeJpegPart(stream: Buffer, part: Rect): Buffer | undefined {
  const decoder = decoderFor(stream);
  if (decoder === undefined) return undefined;
  const { scan, samples } = decoder;
  const { unit, size } = scan;
  if (part.x + part.width > size.width || part.y + part.height > size.height) return undefined;
  const all = unitsOf(scan);
  const units = unitsAround(scan, part);
  const reader = new ScanReader(scan, { bytes: stream, at: 0 });
  reader.skipUnits(units.y * all.width);
  const pixels = Buffer.allocUnsafeSlow(part.width * part.height * (samples.planes.length === 1 ? 1 : 3));
  const inUnits = { ...part, x: part.x - units.x * unit.width, y: part.y - units.y * unit.height };
  reader.decode(samples, units, inUnits, pixels);
  const isLast = units.x + units.width === all.width && units.y + units.height === all.height;
  // libvips refuses a tile with more data than its pixels need.
  return reader.fault === undefined && (!isLast || reader.isAtEnd()) ? pixels : undefined;
}
