/** Finds which bytes of a file a region is decoded from, as far as the parts that were read say. */
import { cutsOf, type StreamCache, type StreamFile, tileGroups } from './components.ts';
import { areCopied, type OpenedStream } from './copy-tiles.ts';
import { bytesIn, type FilePart, MissingBytes, missingIn, type Range, readerOfParts } from './file-parts.ts';
import { type Box, groupCells, intersectBoxes, tileBox, tilesIn, touchedCells } from './geometry.ts';
import { tileCounts } from './model.ts';
import { precinctsOf } from './needed.ts';
import { TilePackets, unneededResolutions, type WantedPrecinct } from './tile-packets.ts';
import { sotBytes, type TilePart } from './tile-part-lengths.ts';

/** What a region is decoded from, as far as it is known. */
export interface Needs {
  readonly needed: readonly Range[];
  /** What of it are headers, which other regions need too. */
  readonly headers: readonly Range[];
  /** What has to be read before more is known, or is needed and was not read yet. */
  readonly missing: readonly Range[];
}

/** What is asked of components, as `readComponents` has it, and how it is read. */
export interface NeedsRead {
  readonly sizes: ReadSizes;
  readonly reduction: number;
  readonly boxes: ReadonlyMap<number, Box>;
}

/** How much is read at once, in bytes. */
export interface ReadSizes {
  /** From the file’s start: boxes, main header, and the header of the first tile-part of most files. */
  readonly first: number;
  /** Tiles of no more are read whole, without their headers first. */
  readonly smallTile: number;
  /** Of the header of a tile-part, at least and at most: the lengths of its packets have some two bytes each. */
  readonly header: readonly [least: number, most: number];
  /** What follows of headers, and of packets whose lengths the file does not say, at least. */
  readonly next: number;
  /** Of the packets of a tile that is halved more than once, at first at most, where the file does not say their lengths. */
  readonly packets: number;
  /** Ranges with no more between them are read together. */
  readonly gap: number;
}

/** More tiles than are read in parts, and than are found one behind the other. */
const [maxTiles, maxWalkedTiles] = [64, 8];

/** Packets of more code-blocks than these are not looked for here, where others wait meanwhile. */
const maxSearchedBlocks = 2 ** 14;

/** The result of `find`; where bytes are missing for it, `onMissing` is called with their position. */
function ifThere<T>(find: () => T, onMissing: (position: number) => void): T | undefined {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof MissingBytes)) throw error;
    onMissing(error.position);
    return undefined;
  }
}

/** So many bytes from a position on, up to the end of the code-stream. */
const rangeAt = (start: number, bytes: number, { end }: { readonly end: number }): Range => ({
  start,
  end: Math.min(end, start + bytes),
});

/** What is read at first of a tile whose packets have no lengths: a halving leaves half of it or less, and a tile is soon read as a whole. */
const shareOf = (tileBytes: number, { reduction, sizes }: NeedsRead): number =>
  reduction < 2 ? tileBytes : Math.min(sizes.packets, tileBytes / 2 ** (reduction - 1));

/** What is read of the tile-parts of a tile at first: all of small ones. */
function startsOf(tileParts: readonly TilePart[], read: NeedsRead, hasLengths: boolean): readonly Range[] {
  const { smallTile, header } = read.sizes;
  const tileBytes = bytesIn(tileParts);
  const [least, most] = header;
  let left = tileBytes <= smallTile ? tileBytes : hasLengths ? 0 : shareOf(tileBytes, read);
  return tileParts.map(({ start, end }) => {
    const headerBytes = Math.min(most, Math.max(least, Math.ceil((end - start) / 64)));
    const range = { start, end: Math.min(end, start + Math.max(headerBytes, Math.ceil(left))) };
    left -= bytesIn([range]);
    return range;
  });
}

/** The markers of tile-parts that are found one behind the other, and what follows the last of them. */
function walkedOf({ bytes, index }: OpenedStream): readonly Range[] {
  if (index.isByLengths) return [];
  const all = [...index.tileParts.values()].flat();
  const last = Math.max(...all.map(({ end }) => end));
  return [...all.map(({ start }) => rangeAt(start, sotBytes, bytes)), rangeAt(last, sotBytes, bytes)];
}

/** Precincts of a tile. */
interface Wanted {
  readonly tile: number;
  readonly packets: TilePackets;
  readonly precincts: readonly WantedPrecinct[];
}

/** How many of a component’s resolutions are decoded, from the smallest on. */
const countOf = ({ stream }: TilePackets, component: number, reduction: number): number =>
  (stream.coding.components[component]?.levels ?? 0) + 1 - reduction;

const allPrecincts = (packets: TilePackets, reduction: number): readonly WantedPrecinct[] =>
  packets.components.flatMap((resolutions, component) =>
    resolutions
      .slice(0, countOf(packets, component, reduction))
      .flatMap(({ columns, rows }, resolution) =>
        Array.from({ length: columns * rows }, (_, index) => ({ component, resolution, index })),
      ),
  );

/** The precincts of all tiles that a region depends on, tile by tile, as `streamsOf` reads them. */
function* wantedOf(
  opened: OpenedStream,
  cells: Iterable<Box>,
  tiles: ReadonlyMap<number, TilePackets>,
  read: NeedsRead,
): Generator<Wanted> {
  const { facts } = opened.index;
  const { reduction } = read;
  const numbers = new Map([...tiles].map(([tile, packets]) => [packets, tile]));
  const openTile = (tile: number): TilePackets => {
    const packets = tiles.get(tile);
    if (packets === undefined) throw new TypeError('a tile that the region does not touch');
    return packets;
  };
  for (const group of cells) {
    if (areCopied(opened, { ...read, cells: group })) {
      for (const tile of tilesIn(facts, group))
        yield { tile, packets: openTile(tile), precincts: allPrecincts(openTile(tile), reduction) };
      continue;
    }
    const asked = { ...read, lenient: false, maxBytes: 0 };
    for (const joined of tileGroups(opened, group, openTile, asked))
      for (const cut of cutsOf(facts, joined, asked))
        for (const packets of cut.tiles) {
          const precincts = cut.components.flatMap((component) => {
            const resolutions = packets.components[component]?.slice(0, countOf(packets, component, reduction)) ?? [];
            const box = resolutions.at(-1)?.box;
            return box ? precinctsOf(component, resolutions, intersectBoxes(cut.region, box)) : [];
          });
          yield { tile: numbers.get(packets) ?? 0, packets, precincts };
        }
  }
}

/** Headers of packets are read one byte beyond their end, or two, in search of EPH. */
const markerBytes = 2;

/** Where precincts are, as far as that is known; calls `onMissing` with what has to be read before more is. */
function placesOf(
  { bytes, index }: OpenedStream,
  { tile, packets, precincts }: Wanted,
  read: NeedsRead,
  onMissing: (range: Range) => void,
): readonly Range[] {
  const { stream } = packets;
  const withMarkers = (places: readonly Range[]): readonly Range[] =>
    places.map(({ start, end }) => rangeAt(start, end - start + markerBytes, bytes));
  const places = packets.placesOf(precincts);
  if (places) return withMarkers(places);
  const tileBytes = bytesIn(stream.packets);
  const leftOut = unneededResolutions(stream.coding, read.reduction);
  if (leftOut < 2 || tileBytes <= read.sizes.smallTile) return stream.packets;
  // They are read here once only to learn where they end; what was read of a packet can’t be read again.
  const searched = new TilePackets(index.facts, stream, tileBox(index.facts, tile), leftOut);
  if (searched.blockCount > maxSearchedBlocks) return stream.packets;
  const first = stream.packets[0]?.start ?? 0;
  const found = ifThere(
    () => searched.read(bytes, precincts, false),
    (position) => {
      const known = position - first;
      onMissing(
        rangeAt(position, Math.ceil(Math.max(read.sizes.next, known, shareOf(tileBytes, read) - known)), bytes),
      );
    },
  );
  return found ? withMarkers(searched.placesRead()) : [];
}

/** The tiles of these numbers, as far as their headers were read; calls `onMissing` with what is to be read for others. */
function openTiles(
  { cache, key, opened, parts, read }: Opened,
  numbers: readonly number[],
  onMissing: (range: Range) => void,
): ReadonlyMap<number, TilePackets> {
  const { sizes } = read;
  const { index } = opened;
  const tiles = new Map<number, TilePackets>();
  for (const tile of numbers) {
    const packets = ifThere(
      () => cache.openTile(opened, tile, key, read.reduction),
      (position) => {
        const unread = missingIn(parts, startsOf(index.tileParts.get(tile) ?? [], read, index.facts.packetLengths));
        for (const range of unread.length > 0 ? unread : [rangeAt(position, sizes.next, opened.bytes)])
          onMissing(range);
      },
    );
    if (packets) tiles.set(tile, packets);
  }
  return tiles;
}

/** The headers of a tile’s tile-parts. */
const headersOf = ({ index }: OpenedStream, tile: number, { stream }: TilePackets): readonly Range[] =>
  (index.tileParts.get(tile) ?? []).map(({ start }, part) => ({ start, end: stream.packets[part]?.start ?? start }));

/** A code-stream of which the tile-parts are known. */
interface Opened {
  readonly cache: StreamCache;
  readonly key: string;
  readonly opened: OpenedStream;
  readonly parts: readonly FilePart[];
  readonly read: NeedsRead;
}

function tilesNeeded(of: Opened, main: readonly Range[]): Needs | undefined {
  const { opened, parts, read } = of;
  const { facts, isWhole, packed } = opened.index;
  const touched = touchedCells(facts, read.boxes, read.reduction);
  const numbers = tilesIn(facts, touched);
  if (!isWhole || packed || numbers.length > maxTiles) return undefined;
  const next: Range[] = [];
  const onMissing = (range: Range): void => void next.push(range);
  const tiles = openTiles(of, numbers, onMissing);
  const starts = [...main, ...walkedOf(opened)];
  if (next.length > 0) return { needed: starts, headers: starts, missing: next };
  const ofTiles = [...tiles].map(([tile, packets]) => headersOf(opened, tile, packets));
  const isLarge = ([tile]: readonly [number, TilePackets]): boolean =>
    bytesIn(opened.index.tileParts.get(tile) ?? []) > read.sizes.smallTile;
  // Small tiles are read whole again, at once, and not in two steps.
  const headers = [
    ...starts,
    ...[...tiles].filter(isLarge).flatMap(([tile, packets]) => headersOf(opened, tile, packets)),
  ];
  const wanted = [...wantedOf(opened, groupCells(facts, touched, read.reduction), tiles, read)];
  const needed = [...starts, ...ofTiles.flat(), ...wanted.flatMap((each) => placesOf(opened, each, read, onMissing))];
  return { needed, headers, missing: [...missingIn(parts, needed), ...next] };
}

/**
 * What a region needs; undefined where it is more than is read in parts. `cache` is of files in parts. Throws Jpeg2000Error where the file
 * contradicts itself.
 */
export function needsOf(
  cache: StreamCache,
  file: Omit<StreamFile, 'readAt'>,
  parts: readonly FilePart[],
  read: NeedsRead,
): Needs | undefined {
  const { codeStream, key } = file;
  const end = Math.min(codeStream.at + codeStream.bytes, file.bytes);
  const main = [rangeAt(codeStream.at, codeStream.headerBytes + sotBytes, { end })];
  const missing = [...missingIn(parts, main)];
  // The first bytes are at hand where the header was just read.
  if (missing.length > 0) missing.push(rangeAt(0, read.sizes.first, { end: file.bytes }));
  const opened =
    missing.length === 0 &&
    ifThere(
      () => cache.open({ ...file, readAt: readerOfParts(parts), isPartial: true }),
      (position) => missing.push(rangeAt(position, read.sizes.header[0], { end })),
    );
  if (opened) return tilesNeeded({ cache, key, opened, parts, read }, main);
  const { columns, rows } = tileCounts(codeStream);
  const isWalked = missingIn(parts, main).length === 0;
  return isWalked && columns * rows > maxWalkedTiles ? undefined : { needed: main, headers: main, missing };
}
