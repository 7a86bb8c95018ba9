/** Decodes a JPEG at an eighth of its size, as libjpeg does: most of its coefficients are skipped. */

import { toFour, toOne, toTwoAlike, type UnitSamples } from './coded-scan.ts';
import type { JpegHeader } from './crop.ts';
import { quantizationOf } from './quantization.ts';
import { blocksOfUnit, type Component, type Scan, unitsOf } from './scan.ts';
import { startOf } from './scan-reader.ts';
import { rowSteps, type Slices } from './scan-rows.ts';
import { type Segment, segmentsOf } from './segments.ts';

/** Samples of 8 bits, gray or RGB. */
export interface EighthPixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
}

const [adobe, jfif] = [0xee, 0xe0];

const maxSegments = 200;

/** The size of an eighth: libvips leaves out the last pixels where a side is no multiple of 8. */
const eighth = (side: number): number => Math.floor(side / 8);

/** Whether three components are YCbCr, as libjpeg tells it. */
function isYCbCr(segments: readonly Segment[], components: readonly Component[]): boolean {
  const begins = (marker: number, text: string): Segment | undefined =>
    segments.find((each) => each.marker === marker && each.content.toString('latin1', 0, text.length) === text);
  if (begins(jfif, 'JFIF\0') !== undefined) return true;
  const ofAdobe = begins(adobe, 'Adobe');
  if (ofAdobe !== undefined) return ofAdobe.content[11] === 1;
  return components.every(({ id }, index) => id === index + 1);
}

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
  const { width, height } = scan.unit;
  const blocks = blocksOfUnit(scan).map(({ component, column, row }) => ({
    way: ways[component] ?? toOne,
    column,
    row,
  }));
  const planes = tables.map((quantization) => ({ across: width / 8, down: height / 8, quantization }));
  return { planes, blocks, chroma: tables.length === 1 ? 'none' : 'whole' };
}

/**
 * The steps to the pixels of a file whose header this is; undefined where they are left to libvips: other samplings and colors, damaged data.
 */
export function* eighthSteps({ bytes: header, scan }: JpegHeader, fileBytes: number): Slices<EighthPixels | undefined> {
  const segments = segmentsOf(header, maxSegments)?.beforeScan ?? [];
  const ways = waysOf(scan);
  if (ways === undefined || (scan.components.length === 3 && !isYCbCr(segments, scan.components))) return undefined;
  const tables = quantizationOf(segments, scan.components);
  if (tables === undefined) return undefined;
  const [width, height] = [eighth(scan.size.width), eighth(scan.size.height)];
  const channels = scan.components.length === 1 ? 1 : 3;
  const data = Buffer.allocUnsafe(width * height * channels);
  const samples = samplesOf(scan, ways, tables);
  const units = unitsOf(scan);
  const { height: down } = scan.unit;
  const end = yield* rowSteps({ scan, fileBytes }, startOf(scan), units.height, (reader, row) => {
    const top = (row * down) / 8;
    const part = { x: 0, y: 0, width, height: Math.min(down / 8, height - top) };
    const bytes = data.subarray(top * width * channels, (top + part.height) * width * channels);
    reader.decode(samples, { x: 0, width: units.width, height: 1 }, part, bytes);
  });
  return end === units.height ? { data, width, height, channels } : undefined;
}
