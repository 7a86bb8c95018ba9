/** Cuts the code-blocks that a region needs out of a tile, as a code-stream of its own. */
import type { BlockArray, CodeBlock } from './code-blocks.ts';
import type { CodeStreamBytes } from './code-stream-bytes.ts';
import type { ComponentCoding } from './coding-parameters.ts';
import { requireSound } from './damage.ts';
import {
  type Box,
  blockGrid,
  ceilDiv,
  intersectBoxes,
  isEmpty,
  precinctBand,
  type Resolution,
  resolutionsOf,
} from './tile-geometry.ts';
import type { TilePackets } from './tile-packets.ts';
import { type WrittenComponent, writeCodeStream } from './write-code-stream.ts';

/**
 * How many coefficients on each side a sample depends on, of both filters: the 9-7 filter reads three low and four high ones
 * (section F.3.8).
 */
const margin = 3;

/** What of a smaller resolution, or of a subband beside it, the samples of a box depend on. */
const halve = ({ left, top, right, bottom }: Box): Box => ({
  left: Math.floor(left / 2) - margin,
  top: Math.floor(top / 2) - margin,
  right: ceilDiv(right, 2) + margin,
  bottom: ceilDiv(bottom, 2) + margin,
});

/** What each resolution has to yield for a region of the largest of them: the smallest first. */
function neededBoxes(region: Box, levels: number): readonly Box[] {
  const boxes = [region];
  for (let level = 0; level < levels; level++) boxes.unshift(halve(boxes[0] ?? region));
  return boxes;
}

/** The coding of the largest `levels` + 1 resolutions; precincts are joined where that leaves the code-blocks as they are. */
function reducedCoding(coding: ComponentCoding, levels: number): ComponentCoding {
  const precincts = coding.precincts.slice(0, levels + 1);
  const isFine = precincts.some(
    ({ width, height }, resolution) =>
      width - Math.min(resolution, 1) < coding.blockWidth || height - Math.min(resolution, 1) < coding.blockHeight,
  );
  return { ...coding, levels, precincts: isFine ? precincts : precincts.map(() => ({ width: 15, height: 15 })) };
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

/** Where a span is first divided by multiples of 2^exponent, from its start; its length where it is not. */
function firstEdge(start: number, end: number, exponent: number): number {
  const size = 2 ** exponent;
  return Math.min((Math.floor(start / size) + 1) * size, end) - start;
}

/** Whether two places of a box have the same subbands, precincts and code-blocks. */
function haveSameLayout(one: Box, other: Box, coding: ComponentCoding): boolean {
  const others = resolutionsOf(other, coding);
  return resolutionsOf(one, coding).every((resolution, index) => {
    const moved = others[index];
    if (moved === undefined || moved.columns !== resolution.columns || moved.rows !== resolution.rows) return false;
    const { precinctWidth, precinctHeight, blockWidth, blockHeight } = resolution;
    return (
      isSameSpan(resolution.box, moved.box, precinctWidth, precinctHeight) &&
      resolution.bands.every(({ box }, band) =>
        isSameSpan(box, moved.bands[band]?.box ?? other, blockWidth, blockHeight),
      )
    );
  });
}

const isSameSpan = (one: Box, other: Box, width: number, height: number): boolean =>
  one.right - one.left === other.right - other.left &&
  one.bottom - one.top === other.bottom - other.top &&
  firstEdge(one.left, one.right, width) === firstEdge(other.left, other.right, width) &&
  firstEdge(one.top, one.bottom, height) === firstEdge(other.top, other.bottom, height);

/** The box moved as near to the origin as its subbands, precincts and code-blocks stay the same. */
function moveToOrigin(box: Box, codings: readonly ComponentCoding[]): Box {
  const moved = { ...box };
  // A multiple of this keeps which samples of each resolution are low and which are high frequencies.
  const levels = Math.max(...codings.map((coding) => coding.levels));
  for (const [start, end] of [
    ['left', 'right'],
    ['top', 'bottom'],
  ] as const) {
    for (let exponent = levels; exponent < 31; exponent++) {
      const by = alignDown(box[start], exponent);
      const candidate = { ...box, [start]: box[start] - by, [end]: box[end] - by };
      if (!codings.every((coding) => haveSameLayout(box, candidate, coding))) continue;
      moved[start] = box[start] - by;
      moved[end] = box[end] - by;
      break;
    }
  }
  return moved;
}

/** A code-stream of a part of a tile. */
export interface CutCodeStream {
  readonly bytes: Uint8Array;
  /** What it decodes to, in samples of the reduced component. */
  readonly box: Box;
  /** Where it is on its own reference grid: of the same size. */
  readonly placed: Box;
  /** Whether its components are transformed together, and so have to be decoded together. */
  readonly componentTransform: boolean;
  /** Bits of its components; samples are unsigned. */
  readonly bits: readonly number[];
}

export interface Cut {
  /** Indices of the components: one, or the three that are transformed together. */
  readonly components: readonly number[];
  /** How often the components are halved. */
  readonly reduction: number;
  /** In samples of the reduced component; it has to share samples with the tile. */
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

/** Exponent of the side of parts where units are smaller. */
const partSide = 11;

/**
 * Cuts a region into parts of which each is decoded in memory of at most two units or 4096 samples on each side: a part crosses the edge of a
 * unit in its middle, and the filters do not reach beyond the next one. In samples of the reduced component.
 */
export function splitRegion(
  packets: TilePackets,
  { components, reduction, region }: Omit<Cut, 'lenient'>,
): readonly Box[] {
  const [component = 0] = components;
  const coding = packets.stream.coding.components[component];
  requireSound(coding !== undefined && coding.levels >= reduction, 'a tile has too few resolutions');
  const unit = unitOf(reducedCoding(coding, coding.levels - reduction));
  const parts: Box[] = [];
  for (const [top, bottom] of splitSpan(region.top, region.bottom, 2 ** Math.max(unit.height, partSide)))
    for (const [left, right] of splitSpan(region.left, region.right, 2 ** Math.max(unit.width, partSide)))
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
  const wanted = resolutions.slice(0, coding.levels + 1).flatMap((resolution, level) =>
    Array.from({ length: resolution.columns * resolution.rows }, (_, precinct) => precinct)
      .filter((precinct) =>
        resolution.bands.some(
          (band) => !isEmpty(intersectBoxes(precinctBand(resolution, precinct, band), bandNeed(needed, level))),
        ),
      )
      .map((precinct) => ({ component: index, resolution: level, index: precinct })),
  );
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

/** What is needed of the subbands of a resolution: those above the smallest are half as large as what they yield. */
function bandNeed(needed: readonly Box[], level: number): Box {
  const box = needed[Math.max(0, level - 1)];
  if (box === undefined) throw new TypeError('a resolution that is not needed');
  return box;
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

/** Cuts a region out of a tile. `bitsOf` says how many bits a component has. Throws CodeStreamDamage. */
export function cutCodeStream(
  bytes: CodeStreamBytes,
  packets: TilePackets,
  { components, reduction, region, lenient }: Cut,
  { bitsOf, capabilities }: { bitsOf: (component: number) => number; capabilities: Uint8Array | undefined },
): CutCodeStream {
  const chosen = components.map((index) => chooseComponent(packets, bitsOf(index), index, reduction));
  const [first] = chosen;
  const tile = first?.resolutions[first.coding.levels]?.box;
  if (first === undefined || tile === undefined) throw new TypeError('a cut without components');
  const codings = chosen.map(({ coding }) => coding);
  const box = cropBox(tile, intersectBoxes(region, tile), codings);
  const placed = moveToOrigin(box, codings);
  const blocks = chosen.map((component) =>
    collectBlocks(bytes, packets, component, { region: intersectBoxes(region, tile), lenient }),
  );
  const offsets = chosen.map(({ coding }) => blockOffsets(box, placed, coding));
  const componentTransform = components.length === 3 && packets.stream.coding.componentTransform;
  const written = writeCodeStream(
    { box: placed, components: [first, ...chosen.slice(1)], componentTransform, capabilities },
    ({ component, resolution, band, column, row }) => {
      const offset = offsets[component]?.[resolution]?.[band];
      if (offset === undefined) return undefined;
      return blocks[component]?.get(`${resolution} ${band} ${column + offset.columns} ${row + offset.rows}`);
    },
    (start, length) => bytes.slice(start, length),
  );
  return { bytes: written, box, placed, componentTransform, bits: chosen.map(({ bits }) => bits) };
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
