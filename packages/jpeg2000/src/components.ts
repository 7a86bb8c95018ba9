/** Reads components of a region from the tiles that it touches. */
import { LRUCache } from 'lru-cache';
import { CodeStreamBytes, type ReadAt } from './bytes.ts';
import { copyTiles, haveSamePlaces, type OpenedStream } from './copy-tiles.ts';
import { type Cut, type CutCodeStream, type CutTiles, cutCodeStream, splitRegion } from './cut.ts';
import { requireSound } from './error.ts';
import {
  type Box,
  boxOf,
  type Cells,
  contains,
  divideBox,
  firstCell,
  groupCells,
  intersectBoxes,
  isEmpty,
  tileBox,
  tilesIn,
  touchedCells,
  uniteBoxes,
} from './geometry.ts';
import { type CodeStream, reducedRect } from './model.ts';
import { decodeNatively, type NativeDecoder } from './native.ts';
import { decodeTiles, isSmall } from './native-tiles.ts';
import { decodePlanes, type SpacedSamples } from './openjpeg.ts';
import { type TileLimits, TilePackets, unneededResolutions } from './tile-packets.ts';
import { readStreamIndex, readTileStream, type StreamIndex } from './tile-parts.ts';

/** The samples of a component in a box; unsigned, with as many bits as the component has. */
export interface Plane extends SpacedSamples {
  readonly bits: number;
}

/** A plane of zeros, without other samples among them. */
export function createPlane(box: Box, bits: number): Plane {
  const count = (box.right - box.left) * (box.bottom - box.top);
  return { box, bits, samples: bits > 8 ? new Uint16Array(count) : new Uint8Array(count), first: 0, step: 1 };
}

/** Copies the samples of a region that a plane, which has no others among its own, shares with others. */
export function copyToPlane({ box: source, samples, first, step }: SpacedSamples, region: Box, plane: Plane): void {
  const shared = intersectBoxes(intersectBoxes(source, region), plane.box);
  const sourceWidth = source.right - source.left;
  const planeWidth = plane.box.right - plane.box.left;
  const count = shared.right - shared.left;
  for (let y = shared.top; y < shared.bottom; y++) {
    let from = ((y - source.top) * sourceWidth + shared.left - source.left) * step + first;
    let to = (y - plane.box.top) * planeWidth + shared.left - plane.box.left;
    for (const end = to + count; to < end; to++, from += step) plane.samples[to] = samples[from] ?? 0;
  }
}

/** A code-stream in a file. */
export interface StreamFile {
  readonly readAt: ReadAt;
  /** Length of the file in bytes. */
  readonly bytes: number;
  /** Unique for this version of the file. */
  readonly key: string;
  readonly codeStream: CodeStream;
  /** Whether the reader has parts of the file only, and throws where it is asked for other bytes. */
  readonly isPartial?: boolean;
}

/** Tiles of more than this many code-blocks take longer to find them than to decode a region of them. */
const largeTileBlocks = 2000;

/** Number of code-blocks whose places are cached, a few hundred bytes each: those of three scans of 80 MP. */
const cachedBlocks = 2 ** 18;

/** What is cached of the last files: viewers ask for one region after the other. */
export class StreamCache {
  readonly #limits: TileLimits | undefined;

  /** Where the tile-parts of some files are. */
  readonly #indexes = new LRUCache<string, StreamIndex>({
    max: 16,
    maxSize: 2 ** 20,
    sizeCalculation: ({ tileParts }) => 1 + [...tileParts.values()].reduce((sum, parts) => sum + parts.length, 0),
  });

  /** Where the code-blocks of some large tiles are; one tile is cached, however large it is. */
  readonly #largeTiles = new LRUCache<string, TilePackets>({
    maxSize: cachedBlocks,
    sizeCalculation: ({ blockCount }) => Math.min(blockCount, cachedBlocks),
  });

  /** By default tiles have the limits of the format. */
  constructor(limits?: TileLimits) {
    this.#limits = limits;
  }

  clear(): void {
    this.#indexes.clear();
    this.#largeTiles.clear();
  }

  open({ readAt, bytes: fileBytes, key, codeStream, isPartial = false }: StreamFile): OpenedStream {
    const bytes = new CodeStreamBytes(readAt, Math.min(codeStream.at + codeStream.bytes, fileBytes));
    const index = this.#indexes.get(key) ?? readStreamIndex(bytes, codeStream, isPartial);
    this.#indexes.set(key, index);
    return { bytes, index };
  }

  /** The packets of a tile, as many as are needed of an image that is halved so often. */
  openTile({ bytes, index }: OpenedStream, tile: number, key: string, reduction: number): TilePackets {
    const tiles = this.#largeTiles;
    const known = tiles.get(`${tile} ${reduction} ${key}`) ?? tiles.get(`${tile} 0 ${key}`);
    if (known) return known;
    const stream = readTileStream(bytes, index, tile);
    const leftOut = unneededResolutions(stream.coding, reduction);
    const packets = new TilePackets(index.facts, stream, tileBox(index.facts, tile), leftOut, this.#limits);
    if (packets.blockCount > largeTileBlocks) tiles.set(`${tile} ${leftOut} ${key}`, packets);
    return packets;
  }
}

export interface ComponentsRead {
  readonly reduction: number;
  /** For each component to read, its index and the box in samples of the reduced component. */
  readonly boxes: ReadonlyMap<number, Box>;
  /** Whether a file that ends early yields what it has; what it lacks is zero. */
  readonly lenient: boolean;
  /** Bytes that the decoder may have. */
  readonly maxBytes: number;
  /** Decodes in place of WebAssembly. */
  readonly native?: NativeDecoder | undefined;
}

/** Components that are decoded together: the first three, where they are transformed together. */
function componentGroups(
  facts: CodeStream,
  packets: TilePackets,
  wanted: readonly number[],
): readonly (readonly number[])[] {
  const three = facts.components.slice(0, 3);
  const isTransformed = packets.stream.coding.componentTransform && three.length === 3 && haveSamePlaces(three);
  if (!isTransformed || !wanted.some((component) => component < 3)) return wanted.map((component) => [component]);
  return [[0, 1, 2], ...wanted.filter((component) => component >= 3).map((component) => [component])];
}

/** What was decoded of a component. */
interface DecodedPart {
  readonly component: number;
  readonly samples: SpacedSamples;
  /** The part of the samples that is right; around it, code-blocks were left out. */
  readonly region: Box;
}

async function* decodeParts(
  cache: StreamCache,
  opened: OpenedStream,
  key: string,
  read: ComponentsRead,
): AsyncGenerator<DecodedPart> {
  const { facts, isWhole } = opened.index;
  requireSound(isWhole || read.lenient, 'the file ends before its tiles');
  const openTile = (tile: number): TilePackets => cache.openTile(opened, tile, key, read.reduction);
  for (const cells of groupCells(facts, touchedCells(facts, read.boxes, read.reduction), read.reduction)) {
    for (const { stream, components, region } of streamsOf(opened, cells, openTile, read)) {
      const decoded = read.native
        ? decodeNatively(read.native, stream, region, read.maxBytes)
        : await decodePlanes(stream, read.maxBytes);
      for (const [index, samples] of decoded.entries()) yield { component: components[index] ?? 0, samples, region };
    }
  }
}

type OpenTile = (tile: number) => TilePackets;

/** A code-stream to decode. */
interface StreamPart {
  readonly stream: CutCodeStream;
  /** Its components by their indices in the file. */
  readonly components: readonly number[];
  /** What of its samples is right. */
  readonly region: Box;
}

/** The code-streams in which the cells of a group are decoded: one with copies of all tiles, or parts that are cut out. */
function* streamsOf(
  opened: OpenedStream,
  cells: Cells,
  openTile: OpenTile,
  read: ComponentsRead,
): Generator<StreamPart> {
  const { facts, capabilities } = opened.index;
  const stream = copyTiles(opened, { ...read, cells });
  if (stream) {
    yield { stream, components: [...facts.components.keys()], region: stream.box };
    return;
  }
  const bitsOf = (component: number): number => bitsIn(facts, component);
  for (const group of tileGroups(opened, cells, openTile, read)) {
    for (const cut of cutsOf(facts, group, read)) {
      const { components, region } = cut;
      yield { stream: cutCodeStream(opened.bytes, cut, { bitsOf, capabilities }), components, region };
    }
  }
}

/** Tiles that are decoded together. */
interface TileGroup {
  readonly tiles: CutTiles['tiles'];
  /** All of them, on the reference grid. */
  readonly box: Box;
  /** The first one's cell, where there are several. */
  readonly cell?: Box;
}

/** The tiles of some cells; they are joined where the main header says how all of them are coded. */
export function* tileGroups(
  { index }: OpenedStream,
  cells: Cells,
  openTile: OpenTile,
  { lenient }: ComponentsRead,
): Generator<TileGroup> {
  const { facts, tileParts, coding } = index;
  const all = tilesIn(facts, cells);
  const present = all.filter((tile) => !lenient || tileParts.has(tile));
  const [first, ...others] = present.map(openTile);
  if (first === undefined) return;
  const tiles: CutTiles['tiles'] = [first, ...others];
  const areAlike = tiles.every(({ stream }) => stream.coding === coding);
  if (others.length > 0 && present.length === all.length && areAlike) {
    const box = uniteBoxes(all.map((tile) => tileBox(facts, tile)));
    yield { tiles, box, cell: firstCell(facts, cells) };
  } else for (const [index, tile] of tiles.entries()) yield { tiles: [tile], box: tileBox(facts, present[index] ?? 0) };
}

const bitsIn = ({ components }: CodeStream, component: number): number => components[component]?.bits ?? 0;

/**
 * Reads components of a region; a plane can have more samples around what was asked for, which are of no use. Rejects with
 * Jpeg2000Error `damaged` and `memory`.
 */
export async function readComponents(
  cache: StreamCache,
  file: StreamFile,
  read: ComponentsRead,
): Promise<ReadonlyMap<number, Plane>> {
  const opened = cache.open(file);
  const bitsOf = (component: number): number => bitsIn(file.codeStream, component);
  const decoded = read.native && !file.isPartial && decodeTiles(read.native, opened, read);
  if (decoded)
    return new Map(decoded.map((samples, component) => [component, { ...samples, bits: bitsOf(component) }]));
  const planes = new Map<number, Plane>();
  const whole = new Set<number>();
  for await (const { component, samples, region } of decodeParts(cache, opened, file.key, read)) {
    const box = read.boxes.get(component);
    if (box === undefined || whole.has(component)) continue;
    const bits = bitsOf(component);
    if (contains(region, box)) {
      whole.add(component);
      planes.set(component, { ...samples, bits });
      continue;
    }
    const plane = planes.get(component) ?? createPlane(box, bits);
    planes.set(component, plane);
    copyToPlane(samples, region, plane);
  }
  for (const [component, box] of read.boxes)
    if (!planes.has(component)) planes.set(component, createPlane(box, bitsOf(component)));
  return planes;
}

/** The parts in which a region’s share of some tiles is decoded. */
export function cutsOf(facts: CodeStream, { tiles, box, cell }: TileGroup, read: ComponentsRead): readonly Cut[] {
  const { boxes, reduction, lenient } = read;
  const [packets] = tiles;
  return componentGroups(facts, packets, [...boxes.keys()]).flatMap((components) => {
    const { dx, dy } = facts.components[components[0] ?? 0] ?? { dx: 1, dy: 1 };
    const reduce = (whole: Box): Box => divideBox(divideBox(whole, dx, dy), 2 ** reduction);
    const region = intersectBoxes(reduce(box), regionOf(components, boxes));
    if (isEmpty(region)) return [];
    const cut = { tiles, components, reduction, lenient };
    if (cell) return [{ ...cut, region, cell: reduce(cell) }];
    if (read.native && isSmall(region)) return [{ ...cut, region }];
    return splitRegion(packets, { components, reduction, region }).map((part) => ({ ...cut, region: part }));
  });
}

/** What is read of components that are decoded together: all of them have the same samples, if not the same region. */
function regionOf(components: readonly number[], boxes: ReadonlyMap<number, Box>): Box {
  const wanted = components.map((component) => boxes.get(component)).filter((box) => box !== undefined);
  return {
    left: Math.min(...wanted.map(({ left }) => left)),
    top: Math.min(...wanted.map(({ top }) => top)),
    right: Math.max(...wanted.map(({ right }) => right)),
    bottom: Math.max(...wanted.map(({ bottom }) => bottom)),
  };
}

/** All of a component after some halvings, in its samples. */
export function componentBox({ area, components }: CodeStream, component: number, reduction: number): Box {
  const found = components[component];
  if (found === undefined) throw new TypeError('a component outside of the code-stream');
  return boxOf(reducedRect(area, found, reduction));
}
