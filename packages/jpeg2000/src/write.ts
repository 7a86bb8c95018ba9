/** Writes a code-stream from code-blocks that are already coded (ISO 15444-1, annexes A and B), and JP2 files around it (annex I). */
import { BitWriter, TagTree } from './bits.ts';
import { type ComponentCoding, marker, progressions, type TileCoding } from './coding.ts';
import { requireSound } from './error.ts';
import { type Band, type Box, blockGrid, precinctBand, type Resolution, resolutionsOf } from './geometry.ts';
import { type CodeBlock, floorLog2 } from './packet.ts';

export interface WrittenComponent {
  readonly bits: number;
  readonly coding: ComponentCoding;
  /** The body of QCD, for at least as many subbands as the coding has. */
  readonly quantization: Uint8Array;
  readonly roiShift: number;
}

/** A code-block with its bytes, or undefined for one that is left out: its coefficients are then zero. */
export type BlockSource = (place: {
  readonly component: number;
  readonly resolution: number;
  /** Index among the subbands of the resolution. */
  readonly band: number;
  /** Counted from the subband’s origin. */
  readonly column: number;
  readonly row: number;
}) => CodeBlock | undefined;

export interface WrittenTile {
  /** On the reference grid, whose points are the samples of all components. */
  readonly box: Box;
  /** Finds its code-blocks; called when the tile is written, so that the file is read from one tile to the next. */
  readonly findBlocks: () => BlockSource;
}

/** What the main header says. */
export interface WrittenHeader {
  /** The image on the reference grid. */
  readonly box: Box;
  /** The first cell of the tile grid. */
  readonly cell: Box;
  readonly components: readonly [WrittenComponent, ...WrittenComponent[]];
  /** How the packets follow each other. */
  readonly packets: Pick<TileCoding, 'layers' | 'progression' | 'packetMarkers'>;
  readonly componentTransform: boolean;
  /** The body of CAP. */
  readonly capabilities: Uint8Array | undefined;
}

export interface WrittenStream extends Omit<WrittenHeader, 'packets'> {
  /** Row by row. */
  readonly tiles: readonly WrittenTile[];
}

const uint16 = (value: number): number[] => [value >> 8, value & 255];
const uint32 = (value: number): number[] => [...uint16(Math.floor(value / 65536)), ...uint16(value % 65536)];

const segment = (code: number, body: readonly number[]): number[] => [
  ...uint16(code),
  ...uint16(body.length + 2),
  ...body,
];

/** Rsiz: no profile, or that of HTJ2K. */
const capabilityBits = { none: 0, highThroughput: 0x4000 } as const;

function sizeSegment({ box, cell, components, capabilities }: WrittenHeader): number[] {
  const { left, top, right, bottom } = box;
  const tile = [cell.right - cell.left, cell.bottom - cell.top, cell.left, cell.top];
  return segment(marker.siz, [
    ...uint16(capabilities ? capabilityBits.highThroughput : capabilityBits.none),
    ...[right, bottom, left, top, ...tile].flatMap(uint32),
    ...uint16(components.length),
    // Samples are written as unsigned, whatever they were: the decoder then adds half of the range to signed ones.
    ...components.flatMap(({ bits }) => [bits - 1, 1, 1]),
  ]);
}

const isWhole = ({ precincts }: ComponentCoding): boolean =>
  precincts.every(({ width, height }) => width === 15 && height === 15);

const codingBody = (coding: ComponentCoding): number[] => [
  coding.levels,
  coding.blockWidth - 2,
  coding.blockHeight - 2,
  coding.blockStyle,
  coding.transform,
  ...(isWhole(coding) ? [] : coding.precincts.map(({ width, height }) => (height << 4) | width)),
];

/** As much of a QCD segment as `levels` need: derived step sizes are one for all subbands (table A.28). */
function quantizationBody({ quantization, coding }: WrittenComponent): readonly number[] {
  const subbands = 3 * coding.levels + 1;
  const style = (quantization[0] ?? 0) & 31;
  requireSound(style <= 2, 'an unknown quantization style');
  const bytes = 1 + (style === 0 ? subbands : style === 1 ? 2 : 2 * subbands);
  requireSound(quantization.length >= bytes, 'step sizes are missing');
  return [...quantization.subarray(0, bytes)];
}

function mainHeader(header: WrittenHeader): number[] {
  const { components, packets, componentTransform, capabilities } = header;
  const [first, ...others] = components;
  const { layers, progression, packetMarkers } = packets;
  const style = [progressions.indexOf(progression), ...uint16(layers), componentTransform ? 1 : 0];
  const coding = (isWhole(first.coding) ? 0 : 1) | packetMarkers;
  return [
    ...uint16(marker.soc),
    ...sizeSegment(header),
    ...(capabilities ? segment(marker.cap, [...capabilities]) : []),
    ...segment(marker.cod, [coding, ...style, ...codingBody(first.coding)]),
    ...segment(marker.qcd, quantizationBody(first)),
    ...others.flatMap((component, index) => [
      ...segment(marker.coc, [index + 1, isWhole(component.coding) ? 0 : 1, ...codingBody(component.coding)]),
      ...segment(marker.qcc, [index + 1, ...quantizationBody(component)]),
    ]),
    ...components.flatMap(({ roiShift }, index) => (roiShift ? segment(marker.rgn, [index, 0, roiShift]) : [])),
  ];
}

/** Writes the number of coding passes (table B.4). */
function writePasses(bits: BitWriter, passes: number): void {
  requireSound(passes <= 164, 'a code-block has too many passes');
  if (passes === 1) bits.bit(0);
  else if (passes === 2) bits.bits(0b10, 2);
  else if (passes <= 5) bits.bits(0b1100 | (passes - 3), 4);
  else if (passes <= 36) bits.bits(0b111100000 | (passes - 6), 9);
  else bits.bits(0b1111111110000000 | (passes - 37), 16);
}

function writeBlock(bits: BitWriter, { segments }: CodeBlock): void {
  writePasses(
    bits,
    segments.reduce((sum, { passes }) => sum + passes, 0),
  );
  const needed = segments.map(({ bytes, passes }) => (bytes > 0 ? floorLog2(bytes) + 1 : 0) - floorLog2(passes));
  const lengthBits = Math.max(3, ...needed);
  for (let count = 3; count < lengthBits; count++) bits.bit(1);
  bits.bit(0);
  for (const { bytes, passes } of segments) bits.bits(bytes, lengthBits + floorLog2(passes));
}

type Lookup = (band: number, column: number, row: number) => CodeBlock | undefined;

/** The header of a precinct’s packet, and the code-blocks of which the body consists. */
function writePacket(resolution: Resolution, index: number, lookup: Lookup) {
  const parts = resolution.bands.map((band, bandIndex) => blocksOf(resolution, index, band, bandIndex, lookup));
  const included = parts.flatMap(({ blocks }) => blocks.filter((block) => block !== undefined));
  if (included.length === 0) return { header: [0], blocks: included };
  const bits = new BitWriter();
  bits.bit(1);
  for (const { blocks, width, height } of parts) {
    const inclusion = new TagTree(width, height);
    const zeroBitPlanes = new TagTree(width, height);
    blocks.forEach((block, leaf) => {
      if (block) inclusion.set(leaf, 0);
      if (block) zeroBitPlanes.set(leaf, block.zeroBitPlanes);
    });
    blocks.forEach((block, leaf) => {
      inclusion.writeLess(bits, leaf, 1);
      if (block === undefined) return;
      zeroBitPlanes.writeLess(bits, leaf, block.zeroBitPlanes + 1);
      writeBlock(bits, block);
    });
  }
  return { header: bits.end(), blocks: included };
}

function blocksOf(resolution: Resolution, index: number, band: Band, bandIndex: number, lookup: Lookup) {
  const grid = blockGrid(precinctBand(resolution, index, band), resolution);
  const [width, height] = [grid.right - grid.left, grid.bottom - grid.top];
  const blocks = Array.from({ length: width * height }, (_, leaf) =>
    lookup(bandIndex, grid.left + (leaf % width), grid.top + Math.floor(leaf / width)),
  );
  return { blocks, width, height };
}

/** The packets in the order of resolution, component and position: the header of each, and the pieces of its body. */
function writePackets(
  components: readonly (readonly Resolution[])[],
  blockAt: BlockSource,
  read: ReadBytes,
): readonly Uint8Array[] {
  const packets: Uint8Array[] = [];
  const writeResolution = (resolution: Resolution, level: number, component: number): void => {
    for (let index = 0; index < resolution.columns * resolution.rows; index++) {
      const { header, blocks } = writePacket(resolution, index, (band, column, row) =>
        blockAt({ component, resolution: level, band, column, row }),
      );
      packets.push(Uint8Array.from(header));
      const pieces = blocks.flatMap(({ segments }) => segments.flatMap((segment) => segment.pieces));
      for (const { start, end } of pieces) packets.push(read(start, end - start));
    }
  };
  const count = Math.max(...components.map((resolutions) => resolutions.length));
  for (let level = 0; level < count; level++) {
    for (const [component, resolutions] of components.entries()) {
      const resolution = resolutions[level];
      if (resolution) writeResolution(resolution, level, component);
    }
  }
  return packets;
}

type ReadBytes = (start: number, bytes: number) => Uint8Array;

/** The packets of a tile as its only tile-part (section A.4.2). */
function tilePart(packets: readonly Uint8Array[], index: number): readonly Uint8Array[] {
  const bytes = packets.reduce((sum, packet) => sum + packet.length, 0);
  const place = [...uint16(10), ...uint16(index), ...uint32(bytes + 14), 0, 1];
  return [Uint8Array.from([...uint16(marker.sot), ...place, ...uint16(marker.sod)]), ...packets];
}

/** The code-stream of tiles whose packets are already written, row by row. */
export const joinTiles = (header: WrittenHeader, tiles: readonly (readonly Uint8Array[])[]): Uint8Array =>
  Buffer.concat([Uint8Array.from(mainHeader(header)), ...tiles.flatMap(tilePart), Uint8Array.from(uint16(marker.eoc))]);

/** Packets of one layer, by resolution. */
const singleLayer = { layers: 1, progression: 'LRCP', packetMarkers: 0 } as const;

/** Writes the code-stream; `read` yields the bytes of a part of the file. Throws Jpeg2000Error. */
export function writeCodeStream({ tiles, ...header }: WrittenStream, read: ReadBytes): Uint8Array {
  const codings = header.components.map(({ coding }) => coding);
  const packets = tiles.map(({ box, findBlocks }) => {
    const components = codings.map((coding) => resolutionsOf(box, coding));
    return writePackets(components, findBlocks(), read);
  });
  return joinTiles({ ...header, packets: singleLayer }, packets);
}

function jp2Box(type: string, body: readonly number[]): number[] {
  return [...uint32(8 + body.length), ...Buffer.from(type, 'latin1'), ...body];
}

/**
 * The file. A palette is what selects components: its only channel uses one of them as it is (table I.14). `components` is how
 * many the code-stream has; `width` and `height` are those of its reference grid.
 */
export function wrapComponent(
  stream: Uint8Array,
  {
    component,
    components,
    bits,
    width,
    height,
  }: Record<'component' | 'components' | 'bits' | 'width' | 'height', number>,
): Uint8Array {
  const header = jp2Box('jp2h', [
    ...jp2Box('ihdr', [...uint32(height), ...uint32(width), ...uint16(components), bits - 1, 7, 0, 0]),
    ...jp2Box('colr', [1, 0, 0, ...uint32(17)]),
    // One entry of one column, which is not used, in as many bytes as the samples have.
    ...jp2Box('pclr', [...uint16(1), 1, bits - 1, ...(bits > 8 ? uint16(0) : [0])]),
    ...jp2Box('cmap', [...uint16(component), 0, 0]),
  ]);
  const head = [
    ...jp2Box('jP  ', [0x0d, 0x0a, 0x87, 0x0a]),
    ...jp2Box('ftyp', [...Buffer.from('jp2 ', 'latin1'), ...uint32(0), ...Buffer.from('jp2 ', 'latin1')]),
    ...header,
    ...uint32(8 + stream.length),
    ...Buffer.from('jp2c', 'latin1'),
  ];
  return Buffer.concat([Uint8Array.from(head), stream]);
}
