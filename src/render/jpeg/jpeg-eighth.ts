/** Decodes a JPEG at an eighth of its size, as libjpeg does: most of its coefficients are skipped. */
import type { ReadSteps } from '../tiles/read-steps.ts';
import type { UnitSamples } from './coded-scan.ts';
import type { JpegHeader } from './jpeg-crop.ts';
import { type Component, type Scan, unitsOf } from './jpeg-scan.ts';
import { type Segment, segmentsOf } from './jpeg-segments.ts';
import { startOf } from './scan-reader.ts';
import { rowSteps } from './scan-rows.ts';

/** Samples of 8 bits, gray or RGB. */
export interface EighthPixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
}

const [adobe, jfif, quantizationTables] = [0xee, 0xe0, 0xdb];

const maxSegments = 200;

/** The size of an eighth: libvips leaves out the last pixels where a side is no multiple of 8. */
const eighth = (side: number): number => Math.floor(side / 8);

/** Adds the tables of a segment (section B.2.4.1), each with 64 numbers in zigzag order. */
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

/** Whether three components are YCbCr, as libjpeg tells it. */
function isYCbCr(segments: readonly Segment[], components: readonly Component[]): boolean {
  const begins = (marker: number, text: string): Segment | undefined =>
    segments.find((each) => each.marker === marker && each.content.toString('latin1', 0, text.length) === text);
  if (begins(jfif, 'JFIF\0') !== undefined) return true;
  const ofAdobe = begins(adobe, 'Adobe');
  if (ofAdobe !== undefined) return ofAdobe.content[11] === 1;
  return components.every(({ id }, index) => id === index + 1);
}

/** Ways of reducing: to one sample, to 2 x 2, or to one that stands for two in a row. */
const [toOne, toFour, toTwoAlike] = [0, 1, 2];

/**
 * How blocks become samples at an eighth of the size, by the numbers of blocks of a unit across and down; undefined for samplings that are
 * left to libvips. Chroma that is stored at half of both sides is decoded at a quarter, as libjpeg does.
 */
function waysOf({ components }: Scan): readonly number[] | undefined {
  const [first, ...others] = components.map(({ across, down }) => `${across}x${down}`);
  if (others.length === 0) return [toOne];
  if (others.some((each) => each !== '1x1')) return undefined;
  if (first === '1x1') return [toOne, toOne, toOne];
  if (first === '2x2') return [toOne, toFour, toFour];
  return first === '2x1' ? [toOne, toTwoAlike, toTwoAlike] : undefined;
}

/** The samples of a unit: one for each block, in the order of the scan. */
function samplesOf(scan: Scan, ways: readonly number[], tables: readonly Int32Array[]): UnitSamples {
  // With a single component each block is a unit (section A.2.2).
  const components = scan.components.length === 1 ? [{ across: 1, down: 1 }] : scan.components;
  const blocks = components.flatMap(({ across, down }, index) =>
    Array.from({ length: across * down }, (_, at) => ({
      way: ways[index] ?? toOne,
      column: at % across,
      row: Math.floor(at / across),
    })),
  );
  return { across: scan.unit.width / 8, down: scan.unit.height / 8, blocks, quantization: tables };
}

/**
 * The steps to the pixels of a file whose header this is; undefined where they are left to libvips: other samplings and colors, damaged data.
 */
export function* eighthSteps(
  { bytes: header, scan }: JpegHeader,
  fileBytes: number,
): ReadSteps<EighthPixels | undefined> {
  const segments = segmentsOf(header, maxSegments)?.beforeScan ?? [];
  const ways = waysOf(scan);
  if (ways === undefined || (scan.components.length === 3 && !isYCbCr(segments, scan.components))) return undefined;
  const quantization = new Map<number, Int32Array>();
  for (const { marker, content } of segments) if (marker === quantizationTables) addQuantization(content, quantization);
  const tables = scan.components.flatMap(({ quantization: id }) => quantization.get(id) ?? []);
  if (tables.length < scan.components.length) return undefined;
  const [width, height] = [eighth(scan.size.width), eighth(scan.size.height)];
  const channels = scan.components.length === 1 ? 1 : 3;
  const data = Buffer.allocUnsafe(width * height * channels);
  const samples = samplesOf(scan, ways, tables);
  const rows = unitsOf(scan).height;
  const end = yield* rowSteps({ scan, fileBytes }, startOf(scan), rows, (reader, row) => {
    const top = row * samples.down;
    const part = data.subarray(top * width * channels);
    reader.reduceRow(samples, { width, height: Math.min(samples.down, height - top) }, part);
  });
  return end === rows ? { data, width, height, channels } : undefined;
}
