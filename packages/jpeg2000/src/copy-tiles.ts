/** Copies whole tiles into a code-stream of their smallest resolutions: their packets stay as they are. */

import type { CodeStreamBytes } from './bytes.ts';
import type { ComponentCoding, TileCoding } from './coding.ts';
import type { CutCodeStream } from './cut.ts';
import { damaged, isDamage } from './error.ts';
import type { Range } from './file-parts.ts';
import {
  areaOf,
  type Box,
  type Cells,
  divideBox,
  firstCell,
  growBox,
  intersectBoxes,
  isEmpty,
  type Resolution,
  resolutionsOf,
  tileBox,
  tilesIn,
  uniteBoxes,
} from './geometry.ts';
import { type CodeStream, type Component, minPartSide } from './model.ts';
import { createBlockArrays, type OpenBlockArray, readPacket } from './packet.ts';
import { moveBox, shiftToOrigin } from './shift-to-origin.ts';
import { countBlocks, isByResolution, maxBlocks, maxPrecincts } from './tile-packets.ts';
import { readTileStream, type StreamIndex } from './tile-parts.ts';
import { joinTiles, type WrittenComponent } from './write.ts';

/** A code-stream whose headers were read. */
export interface OpenedStream {
  readonly bytes: CodeStreamBytes;
  readonly index: StreamIndex;
}

export interface TilesCopy {
  readonly cells: Cells;
  /** How often the components are halved. */
  readonly reduction: number;
  /** What is needed of the components, in samples of the reduced ones. */
  readonly boxes: ReadonlyMap<number, Box>;
}

/** Whether components have their samples at the same places. */
export function haveSamePlaces(components: readonly Component[]): boolean {
  const [first] = components;
  return components.every(({ dx, dy }) => dx === first?.dx && dy === first.dy);
}

/** Whether components are decoded all together or not at all, by the interface of the decoder. */
const areDecodedTogether = ({ components }: CodeStream, coding: TileCoding): boolean =>
  components.length === 1 || (components.length === 3 && coding.componentTransform);

/**
 * How all components are coded in their smallest resolutions; undefined where these are not the first in a tile, or where
 * components differ.
 */
function sharedCoding({ facts, coding, packed }: StreamIndex, reduction: number): ComponentCoding | undefined {
  const [first] = coding.components;
  const areAlike = coding.components.every((component) => component === first) && haveSamePlaces(facts.components);
  if (first === undefined || first.levels < reduction || packed || !areAlike) return undefined;
  if (!areDecodedTogether(facts, coding) || !isByResolution(coding)) return undefined;
  const levels = first.levels - reduction;
  return { ...first, levels, precincts: first.precincts.slice(0, levels + 1) };
}

type Visit = (component: number, precinct: number, layer: number) => void;

/** Calls `visit` for the packets of a resolution in their order (section B.12.1). */
function visitPackets({ progression, layers, components }: TileCoding, precincts: number, visit: Visit): void {
  if (progression === 'RPCL') {
    for (let precinct = 0; precinct < precincts; precinct++)
      for (let component = 0; component < components.length; component++)
        for (let layer = 0; layer < layers; layer++) visit(component, precinct, layer);
    return;
  }
  for (let layer = 0; layer < layers; layer++)
    for (let component = 0; component < components.length; component++)
      for (let precinct = 0; precinct < precincts; precinct++) visit(component, precinct, layer);
}

/** Where the packets of some resolutions are, which are the first of a tile. Throws Jpeg2000Error. */
function findPackets(
  bytes: CodeStreamBytes,
  ranges: readonly Range[],
  coding: TileCoding,
  resolutions: readonly Resolution[],
): readonly Range[] {
  let current = 0;
  let position = ranges[0]?.start ?? 0;
  const blockStyle = coding.components[0]?.blockStyle ?? 0;
  for (const resolution of resolutions) {
    const precincts = resolution.columns * resolution.rows;
    // Made when they are needed: headers can speak of many more precincts than a file has bytes.
    const arrays = coding.components.map((): (readonly OpenBlockArray[])[] => []);
    visitPackets(coding, precincts, (component, precinct, layer) => {
      while (position >= (ranges[current]?.end ?? Number.POSITIVE_INFINITY)) position = ranges[++current]?.start ?? 0;
      const range = ranges[current];
      const ofComponent = arrays[component];
      if (range === undefined || ofComponent === undefined) throw damaged('the file ends before its packets');
      ofComponent[precinct] ??= createBlockArrays(resolution, precinct);
      const blocks = ofComponent[precinct];
      position = readPacket(bytes, { position, range, packed: undefined }, blocks, layer, blockStyle).end;
    });
  }
  return ranges
    .slice(0, current + 1)
    .map(({ start, end }, index) => ({ start, end: index < current ? end : position }));
}

interface CopiedTile {
  /** In samples of the reduced components. */
  readonly box: Box;
  readonly packets: readonly Uint8Array[];
}

const isTooFine = (resolutions: readonly Resolution[], components: number): boolean =>
  resolutions.reduce((sum, { columns, rows }) => sum + columns * rows, 0) * components > maxPrecincts ||
  resolutions.reduce((sum, resolution) => sum + countBlocks(resolution), 0) * components > maxBlocks;

function copyTile({ bytes, index }: OpenedStream, tile: number, coding: ComponentCoding): CopiedTile | undefined {
  const { facts } = index;
  const [{ dx, dy }] = facts.components;
  const full = index.coding.components[0] ?? coding;
  const resolutions = resolutionsOf(divideBox(tileBox(facts, tile), dx, dy), full, coding.levels + 1);
  const box = resolutions[coding.levels]?.box;
  if (box === undefined || isEmpty(box) || isTooFine(resolutions, facts.components.length)) return undefined;
  const stream = readTileStream(bytes, index, tile);
  if (stream.coding !== index.coding || stream.packedHeaders || stream.isCut) return undefined;
  const ranges = findPackets(bytes, stream.packets, stream.coding, resolutions);
  return { box, packets: ranges.map(({ start, end }) => bytes.slice(start, end - start)) };
}

function copyAll(
  opened: OpenedStream,
  cells: Cells,
  coding: ComponentCoding,
): readonly [CopiedTile, ...CopiedTile[]] | undefined {
  const tiles: CopiedTile[] = [];
  try {
    for (const tile of tilesIn(opened.index.facts, cells)) {
      const copied = copyTile(opened, tile, coding);
      if (copied === undefined) return undefined;
      tiles.push(copied);
    }
  } catch (error) {
    // What of a damaged tile can be shown is found out when it is cut.
    if (isDamage(error)) return undefined;
    throw error;
  }
  const [first, ...others] = tiles;
  return first && [first, ...others];
}

/** The components in a code-stream of tiles, of which each is coded by `coding`. */
export function writtenComponents({ facts, coding: tile }: StreamIndex, coding: ComponentCoding) {
  const [first, ...others] = facts.components.map(
    ({ bits }, index): WrittenComponent => ({
      bits,
      coding,
      quantization: tile.quantization[index] ?? new Uint8Array(),
      roiShift: tile.roiShifts[index] ?? 0,
    }),
  );
  return first && ([first, ...others] as const);
}

/** To decode the rest of the tiles, up to this share of them, takes less time than to find the code-blocks that are needed. */
const maxUnneeded = 0.2;

/** Whether nearly all code-blocks of a box are needed: those at the edges of what is needed are so as a whole. */
function isMostlyNeeded(box: Box, needed: Box, { blockWidth, blockHeight }: ComponentCoding) {
  const grown = growBox(needed, 2 ** blockWidth, 2 ** blockHeight);
  return areaOf(intersectBoxes(box, grown)) >= areaOf(box) * (1 - maxUnneeded);
}

/** How tiles are copied that are needed as a whole, or nearly so, and what they are in samples of the reduced components. */
function planCopy({ index }: OpenedStream, { cells, reduction, boxes }: TilesCopy) {
  const { facts } = index;
  const coding = sharedCoding(index, reduction);
  const components = coding && writtenComponents(index, coding);
  if (coding === undefined || components === undefined) return undefined;
  const [{ dx, dy }] = facts.components;
  const reduce = (whole: Box): Box => divideBox(divideBox(whole, dx, dy), 2 ** reduction);
  const box = reduce(uniteBoxes(tilesIn(facts, cells).map((each) => tileBox(facts, each))));
  const isNeeded = [...boxes.values()].some((needed) => isMostlyNeeded(box, needed, coding));
  if (!isNeeded || box.right - box.left > minPartSide || box.bottom - box.top > minPartSide) return undefined;
  return { coding, components, box, reduce };
}

/** Whether tiles are copied, if all is as the main header says. */
export const areCopied = (opened: OpenedStream, copy: TilesCopy): boolean => planCopy(opened, copy) !== undefined;

/**
 * The code-stream of tiles that are needed as a whole, or nearly so; undefined where they are not, or where the packets of
 * these resolutions are not the first in each tile. The cells have to be such as can be decoded together. Throws
 * CodeStreamDamage.
 */
export function copyTiles(opened: OpenedStream, copy: TilesCopy): CutCodeStream | undefined {
  const { facts, coding: tile, capabilities } = opened.index;
  const plan = planCopy(opened, copy);
  const tiles = plan && copyAll(opened, copy.cells, plan.coding);
  if (plan === undefined || tiles === undefined) return undefined;
  const { coding, components, box, reduce } = plan;
  const cell = tiles.length > 1 ? reduce(firstCell(facts, copy.cells)) : box;
  const shift = shiftToOrigin(
    cell,
    tiles.map((each) => each.box),
    [coding],
  );
  const placed = moveBox(box, shift);
  const header = {
    box: placed,
    cell: moveBox(cell, shift),
    components,
    packets: tile,
    componentTransform: tile.componentTransform,
    capabilities,
  };
  const bytes = joinTiles(
    header,
    tiles.map(({ packets }) => packets),
  );
  return { bytes, box, placed, codings: [coding], bits: facts.components.map(({ bits }) => bits) };
}
