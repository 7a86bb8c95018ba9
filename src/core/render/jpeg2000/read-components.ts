/** Reads components of a region from the tiles that it touches. */
import { LRUCache } from 'lru-cache';
import { type CodeStream, reducedRect } from '../../image/model/jpeg2000.ts';
import { dropWhenIdle } from '../drop-when-idle.ts';
import { readStreamIndex, readTileStream, type StreamIndex } from './code-stream.ts';
import { CodeStreamBytes } from './code-stream-bytes.ts';
import { copyTiles, type OpenedStream } from './copy-tiles.ts';
import { type Cut, type CutCodeStream, type CutTiles, cutCodeStream, splitRegion } from './cut-code-stream.ts';
import { copyToPlane, createPlane, decodePlanes, type Plane, type SpacedSamples } from './planes.ts';
import { type Box, boxOf, contains, divideBox, intersectBoxes, isEmpty, tileBox, uniteBoxes } from './tile-geometry.ts';
import { type Cells, firstCell, groupCells, tilesIn, touchedCells } from './tile-grid.ts';
import { TilePackets, unneededResolutions } from './tile-packets.ts';

/** A code-stream in an open file. */
export interface StreamFile {
  readonly descriptor: number;
  /** Length of the file in bytes. */
  readonly fileBytes: number;
  /** Unique for this version of the file. */
  readonly key: string;
  readonly codeStream: CodeStream;
}

/** Where the tile-parts of some files are: viewers ask for one region after the other. */
const indexes = new LRUCache<string, StreamIndex>({
  max: 16,
  maxSize: 2 ** 20,
  sizeCalculation: ({ tileParts }) => 1 + [...tileParts.values()].reduce((sum, parts) => sum + parts.length, 0),
});

function openStream({ descriptor, fileBytes, key, codeStream }: StreamFile): OpenedStream {
  const bytes = new CodeStreamBytes(descriptor, Math.min(codeStream.at + codeStream.bytes, fileBytes));
  const known = indexes.get(key);
  const index = known ?? readStreamIndex(bytes, codeStream);
  if (known === undefined) indexes.set(key, index);
  return { bytes, index };
}

/** Tiles of more than this many code-blocks take longer to find them than to decode a region of them. */
const largeTileBlocks = 2000;

/** Number of code-blocks whose places are cached, a few hundred bytes each: those of three scans of 80 MP. */
const cachedBlocks = 2 ** 18;

/** Where the code-blocks of some large tiles are. */
const largeTiles = new LRUCache<string, TilePackets>({
  maxSize: cachedBlocks,
  // One tile is cached, however large it is.
  sizeCalculation: ({ blockCount }) => Math.min(blockCount, cachedBlocks),
});

const noteUse = dropWhenIdle(() => {
  indexes.clear();
  largeTiles.clear();
});

/** The packets of a tile, as many as are needed of an image that is halved so often. */
function openTile({ bytes, index }: OpenedStream, tile: number, key: string, reduction: number): TilePackets {
  const known = largeTiles.get(`${tile} ${reduction} ${key}`) ?? largeTiles.get(`${tile} 0 ${key}`);
  if (known) return known;
  const stream = readTileStream(bytes, index, tile);
  const leftOut = unneededResolutions(stream.coding, reduction);
  const packets = new TilePackets(index.facts, stream, tileBox(index.facts, tile), leftOut);
  if (packets.blockCount > largeTileBlocks) largeTiles.set(`${tile} ${leftOut} ${key}`, packets);
  return packets;
}

export interface ComponentsRead {
  readonly reduction: number;
  /** For each component to read, its index and the box in samples of the reduced component. */
  readonly boxes: ReadonlyMap<number, Box>;
  /** Whether a file that ends early yields what it has; what it lacks is zero. */
  readonly lenient: boolean;
  /** Bytes that the decoder may have. */
  readonly maxBytes: number;
}

/** Whether the first three components have their samples at the same places: others can't be transformed together. */
function haveSamePlaces({ components }: CodeStream): boolean {
  const [first, ...others] = components.slice(0, 3);
  return others.length === 2 && others.every(({ dx, dy }) => dx === first?.dx && dy === first.dy);
}

/** Components that are decoded together: the first three, where they are transformed together. */
function componentGroups(
  facts: CodeStream,
  packets: TilePackets,
  wanted: readonly number[],
): readonly (readonly number[])[] {
  const isTransformed = packets.stream.coding.componentTransform && haveSamePlaces(facts);
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

async function* decodeParts(file: StreamFile, read: ComponentsRead): AsyncGenerator<DecodedPart> {
  const opened = openStream(file);
  const { facts } = opened.index;
  for (const cells of groupCells(facts, touchedCells(facts, read.boxes, read.reduction), read.reduction)) {
    for (const { stream, components, region } of streamsOf(opened, cells, file.key, read)) {
      for (const [index, samples] of (await decodePlanes(stream, read.maxBytes)).entries())
        yield { component: components[index] ?? 0, samples, region };
    }
  }
}

/** A code-stream to decode. */
interface StreamPart {
  readonly stream: CutCodeStream;
  /** Its components by their indices in the file. */
  readonly components: readonly number[];
  /** What of its samples is right. */
  readonly region: Box;
}

/** The code-streams in which the cells of a group are decoded: one with copies of all tiles, or parts that are cut out. */
function* streamsOf(opened: OpenedStream, cells: Cells, key: string, read: ComponentsRead): Generator<StreamPart> {
  const { facts, capabilities } = opened.index;
  const stream = copyTiles(opened, { ...read, cells });
  if (stream) {
    yield { stream, components: [...facts.components.keys()], region: stream.box };
    return;
  }
  const bitsOf = (component: number): number => bitsIn(facts, component);
  for (const group of tileGroups(opened, cells, key, read)) {
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
function* tileGroups(opened: OpenedStream, cells: Cells, key: string, read: ComponentsRead): Generator<TileGroup> {
  const { facts, tileParts, coding } = opened.index;
  const all = tilesIn(facts, cells);
  const present = all.filter((tile) => !read.lenient || tileParts.has(tile));
  const [first, ...others] = present.map((tile) => openTile(opened, tile, key, read.reduction));
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
 * CodeStreamDamage and DecoderMemoryError.
 */
export async function readComponents(file: StreamFile, read: ComponentsRead): Promise<ReadonlyMap<number, Plane>> {
  noteUse();
  const planes = new Map<number, Plane>();
  const whole = new Set<number>();
  for await (const { component, samples, region } of decodeParts(file, read)) {
    const box = read.boxes.get(component);
    if (box === undefined || whole.has(component)) continue;
    const bits = bitsIn(file.codeStream, component);
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
    if (!planes.has(component)) planes.set(component, createPlane(box, bitsIn(file.codeStream, component)));
  return planes;
}

/** The parts in which a region’s share of some tiles is decoded. */
function cutsOf(facts: CodeStream, { tiles, box, cell }: TileGroup, read: ComponentsRead): readonly Cut[] {
  const { boxes, reduction, lenient } = read;
  const [packets] = tiles;
  return componentGroups(facts, packets, [...boxes.keys()]).flatMap((components) => {
    const { dx, dy } = facts.components[components[0] ?? 0] ?? { dx: 1, dy: 1 };
    const reduce = (whole: Box): Box => divideBox(divideBox(whole, dx, dy), 2 ** reduction);
    const region = intersectBoxes(reduce(box), regionOf(components, boxes));
    if (isEmpty(region)) return [];
    const cut = { tiles, components, reduction, lenient };
    if (cell) return [{ ...cut, region, cell: reduce(cell) }];
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
