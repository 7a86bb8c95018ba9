/** Reads the structure of a JPEG's scan from its header: the order of its blocks and their Huffman tables. */

import { type DifferenceTable, differenceTable, type StepTable, stepTable } from './huffman-table.ts';
import { isFrame, type Segment, segmentsOf } from './segments.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Rect extends Size {
  readonly x: number;
  readonly y: number;
}

/** A block of 8 x 8 coefficients, in the order of the scan. */
export interface Block {
  /** Index of its component. */
  readonly component: number;
  /** Identifier by which the header names the table for differences. */
  readonly destination: number;
  readonly differences: DifferenceTable;
  readonly steps: StepTable;
}

/** A scan of all components, sequential and with Huffman coding. */
export interface Scan {
  readonly size: Size;
  /** The size in pixels of a unit (MCU). */
  readonly unit: Size;
  readonly components: readonly Component[];
  readonly blocks: readonly Block[];
  /** Number of units between restarts; 0 where there are none. */
  readonly restartInterval: number;
  /** Position in the stream of the height, which the width follows. */
  readonly sizeAt: number;
  /** Positions in the stream of the restart intervals. */
  readonly restartIntervalsAt: readonly number[];
  /** Position in the stream of the scan's header, with its marker. */
  readonly headerAt: number;
  /** Position in the stream of the coded data. */
  readonly dataAt: number;
}

const damaged = 'the tile’s bytes are damaged';
const otherKind = 'the tile’s bytes are of a kind of JPEG that can’t be cut without decoding';
const progressive = 'the tile’s bytes are a progressive JPEG, which can’t be cut without decoding';
const severalScans = 'the tile’s bytes are a JPEG of several scans, which can’t be cut without decoding';

const startOfImage = Buffer.from([0xff, 0xd8]);

const marker = { sequential: [0xc0, 0xc1], progressive: 0xc2, huffmanTables: 0xc4, restartInterval: 0xdd } as const;

/** A marker, and the length that follows it. */
const markerBytes = 4;

/** More than the headers of a file and of a tile have before the scan. */
const maxSegments = 200;

/** Maximum number of blocks in a unit (section B.2.3). */
const maxBlocks = 10;

export interface Component {
  readonly id: number;
  /** How many blocks a unit has across and down. */
  readonly across: number;
  readonly down: number;
  /** Identifier of its table of quantization. */
  readonly quantization: number;
}

interface Frame {
  readonly size: Size;
  readonly components: readonly Component[];
}

const isFactor = (factor: number): boolean => factor >= 1 && factor <= 4;

/** The frame header's content (section B.2.2). */
function frameOf({ marker: kind, content }: Segment): Frame | string {
  if (kind === marker.progressive) return progressive;
  if (!marker.sequential.some((one) => one === kind) || content[0] !== 8) return otherKind;
  const count = content[5] ?? 0;
  if (content.length !== 6 + 3 * count) return damaged;
  if (count !== 1 && count !== 3) return otherKind;
  const components = Array.from({ length: count }, (_, index): Component => {
    const [id = 0, factors = 0, quantization = 0] = content.subarray(6 + 3 * index);
    return { id, across: factors >> 4, down: factors & 15, quantization };
  });
  const size = { height: content.readUInt16BE(1), width: content.readUInt16BE(3) };
  const isSound = components.every(({ across, down }) => isFactor(across) && isFactor(down));
  return isSound && size.width > 0 && size.height > 0 ? { size, components } : damaged;
}

/** Tables by their destination identifiers. */
interface Tables {
  readonly differences: Map<number, DifferenceTable>;
  readonly steps: Map<number, StepTable>;
}

/** Tables of one kind that are kept. */
const maxTables = 64;

/** Makes tables from the bytes that define them, and keeps them: all tiles of a level have the same. */
function cached<T extends object>(create: (counts: Buffer, symbols: Buffer) => T | undefined) {
  const tables = new Map<string, T>();
  return (counts: Buffer, symbols: Buffer): T | undefined => {
    const key = counts.toString('latin1') + symbols.toString('latin1');
    const table = tables.get(key) ?? create(counts, symbols);
    if (table === undefined) return undefined;
    // A map has its keys in the order in which they were set, so that the first one is the one not used for the longest time.
    tables.delete(key);
    tables.set(key, table);
    const [oldest] = tables.keys();
    if (tables.size > maxTables && oldest !== undefined) tables.delete(oldest);
    return table;
  };
}

const cachedDifferenceTable = cached(differenceTable);
const cachedStepTable = cached(stepTable);

function addTable<T>(tables: Map<number, T>, destination: number, table: T | undefined): boolean {
  if (table !== undefined) tables.set(destination, table);
  return table !== undefined;
}

/** Adds the tables of a segment, which can be several (section B.2.4.2); false where one is invalid. */
function addTables(content: Buffer, { differences, steps }: Tables): boolean {
  for (let at = 0; at < content.length; ) {
    const kindAndDestination = content[at] ?? 0;
    const counts = content.subarray(at + 1, at + 17);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const symbols = content.subarray(at + 17, at + 17 + total);
    const [kind, destination] = [kindAndDestination >> 4, kindAndDestination & 15];
    if (kind > 1 || counts.length < 16 || symbols.length < total || total > 256) return false;
    const isValid =
      kind === 0
        ? addTable(differences, destination, cachedDifferenceTable(counts, symbols))
        : addTable(steps, destination, cachedStepTable(counts, symbols));
    if (!isValid) return false;
    at += 17 + total;
  }
  return true;
}

/** The end of the header of a scan that holds all coefficients in full. */
const wholeSpectrum = Buffer.from([0, 63, 0]);

/** The blocks of one unit, from the header of the scan (section B.2.3). */
function blocksOf({ components }: Frame, { content }: Segment, tables: Tables): readonly Block[] | string {
  if (content.length !== 4 + 2 * (content[0] ?? 0)) return damaged;
  if (content[0] !== components.length) return severalScans;
  if (!content.subarray(-3).equals(wholeSpectrum)) return damaged;
  const blocks: Block[] = [];
  for (const [component, { id, across, down }] of components.entries()) {
    const [scanned, destinations = 0] = content.subarray(1 + 2 * component);
    const destination = destinations >> 4;
    const differences = tables.differences.get(destination);
    const steps = tables.steps.get(destinations & 15);
    if (scanned !== id || differences === undefined || steps === undefined) return damaged;
    // With a single component each block is a unit (section A.2.2).
    const count = components.length === 1 ? 1 : across * down;
    for (let index = 0; index < count; index++) blocks.push({ component, destination, differences, steps });
  }
  return blocks.length <= maxBlocks ? blocks : damaged;
}

function unitOf({ components }: Frame): Size {
  if (components.length === 1) return { width: 8, height: 8 };
  const across = Math.max(...components.map((component) => component.across));
  const down = Math.max(...components.map((component) => component.down));
  return { width: 8 * across, height: 8 * down };
}

/** The blocks of a unit in the order of the scan, with the place of each among those of its component. */
export function blocksOfUnit({ components }: Scan): readonly {
  readonly component: number;
  readonly column: number;
  readonly row: number;
}[] {
  // With a single component each block is a unit (section A.2.2).
  if (components.length === 1) return [{ component: 0, column: 0, row: 0 }];
  return components.flatMap(({ across, down }, component) =>
    Array.from({ length: across * down }, (_, at) => ({
      component,
      column: at % across,
      row: Math.floor(at / across),
    })),
  );
}

/** The number of units in a row and in a column. */
export const unitsOf = ({ size, unit }: Scan): Size => ({
  width: Math.ceil(size.width / unit.width),
  height: Math.ceil(size.height / unit.height),
});

/** The scan of a whole stream, or why it can't be read, as the end of a sentence. */
export function scanOf(stream: Buffer): Scan | string {
  const segments = stream.indexOf(startOfImage) === 0 ? segmentsOf(stream, maxSegments) : undefined;
  if (segments === undefined) return damaged;
  const { beforeScan, scan } = segments;
  const [frameSegment, ...more] = beforeScan.filter(({ marker: kind }) => isFrame(kind));
  if (frameSegment === undefined || more.length > 0) return damaged;
  const frame = frameOf(frameSegment);
  if (typeof frame === 'string') return frame;
  const tables: Tables = { differences: new Map(), steps: new Map() };
  const ofTables = beforeScan.filter(({ marker: kind }) => kind === marker.huffmanTables);
  if (!ofTables.every(({ content }) => addTables(content, tables))) return damaged;
  const intervals = beforeScan.filter(({ marker: kind }) => kind === marker.restartInterval);
  if (intervals.some(({ content }) => content.length !== 2)) return damaged;
  const blocks = blocksOf(frame, scan, tables);
  if (typeof blocks === 'string') return blocks;
  return {
    size: frame.size,
    unit: unitOf(frame),
    components: frame.components,
    blocks,
    restartInterval: intervals.at(-1)?.content.readUInt16BE(0) ?? 0,
    sizeAt: frameSegment.at + 1,
    restartIntervalsAt: intervals.map(({ at }) => at),
    headerAt: scan.at - markerBytes,
    dataAt: scan.at + scan.content.length,
  };
}
