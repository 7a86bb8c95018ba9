/** Makes a JPEG file of the upper rows of a stored tile without decoding it. */

import type { Size } from './geometry.ts';
import { segmentsOf } from './segments.ts';
import { whyUnusable } from './tile-faults.ts';
import type { TileSamples } from './tile-header.ts';
import { jpegHeader } from './tile-header.ts';

export interface StoredTile {
  /** Its bytes in the file. */
  readonly stored: Buffer;
  /** Its size in pixels, padding included. */
  readonly tile: Size;
  readonly samples: TileSamples;
  /** A whole stream with the tables that tiles share. */
  readonly tables?: Buffer | undefined;
  readonly profile?: Buffer | undefined;
}

/** Frames whose rows are coded one after the other: baseline and extended, in one scan of all components. */
const sequentialFrames: ReadonlySet<number> = new Set([0xc0, 0xc1]);

/** Rows of a unit (MCU) at the subsampling that is usual. */
const unitRows = 16;

/** Subsampled chroma of a row is smoothed with that of the next pair of rows. */
const smoothedRows = 2;

const maxSegments = 100;

/**
 * The density in JFIF that libvips takes for a pixel per millimeter, as for a TIFF file without density: 10 per centimeter (unit 2). It ends
 * up in pictures. The bytes stand behind the start marker, the segment's marker and length, `JFIF\0` and the version.
 */
const density = Buffer.from([2, 0, 10, 0, 10]);
const densityAt = 13;

/** The position of the height in a tile whose decoding can end before its last row; undefined elsewhere. */
function heightPosition(stored: Buffer, samples: TileSamples): number | undefined {
  const segments = segmentsOf(stored, maxSegments);
  const frame = segments?.beforeScan.find(({ marker }) => sequentialFrames.has(marker));
  const hasAll = segments?.scan.content[0] === (samples === 'gray' ? 1 : 3);
  return frame && hasAll ? frame.at + 1 : undefined;
}

/**
 * A JPEG file with at least the first `rows` rows of a tile, which decode to the same pixels as in the whole tile: its header says
 * a smaller height, so that the decoder stops there. Undefined where the tile isn't the JPEG stream that the file's header describes, and
 * for RGB, which JFIF doesn't know.
 */
export function upperRowsOf({ stored, tile, samples, tables, profile }: StoredTile, rows: number): Buffer | undefined {
  if (samples === 'rgb' || whyUnusable(stored, tile, samples) !== undefined) return undefined;
  const header = jpegHeader(samples, tables, profile);
  // The tile's own start marker is left out.
  const file = Buffer.concat([header, stored.subarray(2)]);
  density.copy(file, densityAt);
  const needed = Math.ceil((rows + smoothedRows) / unitRows) * unitRows;
  const heightAt = heightPosition(stored, samples);
  if (needed < tile.height && heightAt !== undefined) file.writeUInt16BE(needed, header.length - 2 + heightAt);
  return file;
}
