/** Cuts the code-blocks that a region needs out of one or several tiles, as a code-stream of its own. */

import type { CodeStreamBytes } from './bytes.ts';
import type { ComponentCoding } from './coding.ts';
import { requireSound } from './error.ts';
import {
  type Box,
  blockGrid,
  ceilDiv,
  intersectBoxes,
  type Resolution,
  resolutionsOf,
  uniteBoxes,
} from './geometry.ts';
import { minPartSide } from './model.ts';
import { bandNeed, neededBoxes, precinctsOf } from './needed.ts';
import type { BlockArray, CodeBlock } from './packet.ts';
import { moveBox, shiftToOrigin } from './shift-to-origin.ts';
import type { TilePackets } from './tile-packets.ts';
import { type BlockSource, type WrittenComponent, writeCodeStream } from './write.ts';

/**
 * The coding of the largest `levels` + 1 resolutions. Precincts are joined where that leaves the code-blocks as they are; where some
 * have to stay, the others get the size of a code-block, so that areas between edges of all of them are not larger than without.
 */
function reducedCoding(coding: ComponentCoding, levels: number): ComponentCoding {
  const { blockWidth, blockHeight } = coding;
  const smallest = coding.precincts.slice(0, levels + 1).map(({ width, height }, resolution) => ({
    width: Math.min(width, blockWidth + Math.min(resolution, 1)),
    height: Math.min(height, blockHeight + Math.min(resolution, 1)),
  }));
  const isFine = smallest.some(
    ({ width, height }, resolution) =>
      width - Math.min(resolution, 1) < blockWidth || height - Math.min(resolution, 1) < blockHeight,
  );
  return { ...coding, levels, precincts: isFine ? smallest : smallest.map(() => ({ width: 15, height: 15 })) };
}

/** Exponents of the sides of areas whose edges are edges of code-blocks in all subbands. */
function unitOf(coding: ComponentCoding): { readonly width: number; readonly height: number } {
  const { levels, precincts } = coding;
  const isWhole = precincts.every(({ width, height }) => width === 15 && height === 15);
  if (isWhole) return { width: coding.blockWidth + levels, height: coding.blockHeight + levels };
  return {
    width: Math.max(...precincts.map(({ width }, resolution) => width + levels - resolution)),
    height: Math.max(...precincts.map(({ height }, resolution) => height + levels - resolution)),
  };
}

const alignDown = (value: number, exponent: number): number => Math.floor(value / 2 ** exponent) * 2 ** exponent;
const alignUp = (value: number, exponent: number): number => ceilDiv(value, 2 ** exponent) * 2 ** exponent;

/** The part of a tile that is cut out, with all that a region depends on, up to edges of code-blocks in all subbands. */
function cropBox(tile: Box, region: Box, codings: readonly ComponentCoding[]): Box {
  let { left, top, right, bottom } = region;
  for (const coding of codings) {
    const unit = unitOf(coding);
    const [smallest = region] = neededBoxes(region, coding.levels);
    const factor = 2 ** coding.levels;
    left = Math.min(left, alignDown(smallest.left * factor, unit.width));
    top = Math.min(top, alignDown(smallest.top * factor, unit.height));
    right = Math.max(right, alignUp(smallest.right * factor, unit.width));
    bottom = Math.max(bottom, alignUp(smallest.bottom * factor, unit.height));
  }
  return intersectBoxes({ left, top, right, bottom }, tile);
}

/** A code-stream of a part of a tile, or of several tiles. */
export interface CutCodeStream {
  readonly bytes: Uint8Array;
  /** What it decodes to, in samples of the reduced component. */
  readonly box: Box;
  /** Where it is on its own reference grid: of the same size. */
  readonly placed: Box;
  /** Bits of its components; samples are unsigned. */
  readonly bits: readonly number[];
  readonly codings: readonly ComponentCoding[];
}

/** One tile, or several that fill a rectangle, row by row. */
export interface CutTiles {
  readonly tiles: readonly [TilePackets, ...TilePackets[]];
  /**
   * The first tile's cell of the tile grid, in samples of the reduced component, where there are several tiles. All cells are then of this
   * size, and all tiles are coded alike.
   */
  readonly cell?: Box;
}

export interface Cut extends CutTiles {
  /** Indices of the components: one, or the three that are transformed together. */
  readonly components: readonly number[];
  /** How often the components are halved. */
  readonly reduction: number;
  /** In samples of the reduced component; it has to share samples with each tile. */
  readonly region: Box;
  /** Whether code-blocks that the file lacks are left out. */
  readonly lenient: boolean;
}

interface ChosenComponent extends WrittenComponent {
  readonly index: number;
  readonly resolutions: readonly Resolution[];
}

function chooseComponent(packets: TilePackets, bits: number, index: number, reduction: number): ChosenComponent {
  const { coding } = packets.stream;
  const component = coding.components[index];
  const quantization = coding.quantization[index];
  const resolutions = packets.components[index];
  requireSound(
    component !== undefined && quantization !== undefined && resolutions !== undefined,
    'a component is missing',
  );
  const levels = component.levels - reduction;
  requireSound(levels >= 0, 'a tile has fewer resolutions than the main header says');
  const roiShift = coding.roiShifts[index] ?? 0;
  return { bits, coding: reducedCoding(component, levels), quantization, roiShift, index, resolutions };
}

/**
 * Cuts a region into parts of which each is decoded in memory of at most two units or 4096 samples on each side: a part crosses the edge of a
 * unit in its middle, and the filters do not reach beyond the next one. In samples of the reduced component.
 */
export function splitRegion(
  packets: TilePackets,
  { components, reduction, region }: Pick<Cut, 'components' | 'reduction' | 'region'>,
): readonly Box[] {
  const [component = 0] = components;
  const coding = packets.stream.coding.components[component];
  requireSound(coding !== undefined && coding.levels >= reduction, 'a tile has too few resolutions');
  const unit = unitOf(reducedCoding(coding, coding.levels - reduction));
  const parts: Box[] = [];
  for (const [top, bottom] of splitSpan(region.top, region.bottom, Math.max(2 ** unit.height, minPartSide)))
    for (const [left, right] of splitSpan(region.left, region.right, Math.max(2 ** unit.width, minPartSide)))
      parts.push({ left, top, right, bottom });
  return parts;
}

function splitSpan(start: number, end: number, unit: number): readonly (readonly [number, number])[] {
  const parts: (readonly [number, number])[] = [];
  for (let at = start; at < end; ) {
    const next = Math.min((Math.floor(at / unit + 0.5) + 0.5) * unit, end);
    parts.push([at, next]);
    at = next;
  }
  return parts;
}

/** The code-blocks of a component that a region depends on, by resolution, subband and place. */
function collectBlocks(
  bytes: CodeStreamBytes,
  packets: TilePackets,
  component: ChosenComponent,
  { region, lenient }: Pick<Cut, 'region' | 'lenient'>,
) {
  const { coding, resolutions, index } = component;
  const needed = neededBoxes(region, coding.levels);
  const wanted = precinctsOf(index, resolutions.slice(0, coding.levels + 1), region);
  const found = new Map<string, CodeBlock>();
  packets.read(bytes, wanted, lenient).forEach((arrays, at) => {
    const place = wanted[at];
    const resolution = place && resolutions[place.resolution];
    if (place === undefined || resolution === undefined) return;
    arrays.forEach((array, band) => {
      addBlocks(array, blockGrid(bandNeed(needed, place.resolution), resolution), (block, column, row) =>
        found.set(`${place.resolution} ${band} ${column} ${row}`, block),
      );
    });
  });
  return found;
}

function addBlocks(array: BlockArray, wanted: Box, add: (block: CodeBlock, column: number, row: number) => void): void {
  const { grid, blocks } = array;
  const shared = intersectBoxes(grid, wanted);
  for (let row = shared.top; row < shared.bottom; row++) {
    for (let column = shared.left; column < shared.right; column++) {
      const block = blocks[(row - grid.top) * (grid.right - grid.left) + column - grid.left];
      if (block) add(block, column, row);
    }
  }
}

interface ChosenTile {
  /** All of it, in samples of the reduced component. */
  readonly box: Box;
  readonly packets: TilePackets;
  readonly components: readonly [ChosenComponent, ...ChosenComponent[]];
}

type BitsOf = (component: number) => number;

function chooseTile(packets: TilePackets, { components, reduction }: Cut, bitsOf: BitsOf): ChosenTile {
  const [first, ...others] = components.map((index) => chooseComponent(packets, bitsOf(index), index, reduction));
  const box = first?.resolutions[first.coding.levels]?.box;
  if (first === undefined || box === undefined) throw new TypeError('a cut without components');
  return { box, packets, components: [first, ...others] };
}

const codingsOf = ({ components }: ChosenTile): readonly ComponentCoding[] => components.map(({ coding }) => coding);

/** The code-blocks of a tile that a region depends on, by their places after `box` of the tile was moved to `placed`. */
function blockSource(bytes: CodeStreamBytes, tile: ChosenTile, { box, placed }: MovedBox, cut: Cut): BlockSource {
  const region = intersectBoxes(cut.region, tile.box);
  const blocks = tile.components.map((component) =>
    collectBlocks(bytes, tile.packets, component, { region, lenient: cut.lenient }),
  );
  const offsets = codingsOf(tile).map((coding) => blockOffsets(box, placed, coding));
  return ({ component, resolution, band, column, row }) => {
    const offset = offsets[component]?.[resolution]?.[band];
    if (offset === undefined) return undefined;
    return blocks[component]?.get(`${resolution} ${band} ${column + offset.columns} ${row + offset.rows}`);
  };
}

/** A part of a tile, and where it is written. */
type MovedBox = Pick<CutCodeStream, 'box' | 'placed'>;

/** Cuts a region out of tiles. `bitsOf` says how many bits a component has. Throws Jpeg2000Error. */
export function cutCodeStream(
  bytes: CodeStreamBytes,
  cut: Cut,
  { bitsOf, capabilities }: { readonly bitsOf: BitsOf; readonly capabilities: Uint8Array | undefined },
): CutCodeStream {
  const [first, ...others] = cut.tiles.map((packets) => chooseTile(packets, cut, bitsOf));
  if (first === undefined) throw new TypeError('a cut without tiles');
  const codings = codingsOf(first);
  const crop = (): Box => cropBox(first.box, intersectBoxes(cut.region, first.box), codings);
  const boxes = cut.cell ? [first, ...others].map((tile) => tile.box) : [crop()];
  const box = uniteBoxes(boxes);
  const shift = shiftToOrigin(cut.cell ?? box, boxes, codings);
  const componentTransform = codings.length === 3 && first.packets.stream.coding.componentTransform;
  const tiles = [first, ...others].map((tile, index) => {
    const own = boxes[index] ?? box;
    const placed = moveBox(own, shift);
    return { box: placed, findBlocks: () => blockSource(bytes, tile, { box: own, placed }, cut) };
  });
  const placed = moveBox(box, shift);
  const cell = moveBox(cut.cell ?? box, shift);
  const written = writeCodeStream(
    { box: placed, cell, tiles, components: first.components, componentTransform, capabilities },
    (start, length) => bytes.slice(start, length),
  );
  return { bytes: written, box, placed, codings, bits: first.components.map(({ bits }) => bits) };
}

/** By how many code-blocks each subband was moved. */
function blockOffsets(box: Box, placed: Box, coding: ComponentCoding) {
  const moved = resolutionsOf(placed, coding);
  return resolutionsOf(box, coding).map((resolution, level) =>
    resolution.bands.map((band, index) => {
      const before = blockGrid(band.box, resolution);
      const after = blockGrid(moved[level]?.bands[index]?.box ?? band.box, resolution);
      return { columns: before.left - after.left, rows: before.top - after.top };
    }),
  );
}
