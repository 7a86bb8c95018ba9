/** Decodes regions natively from the packets of the tiles that they touch, as these are in the file: OpenJPEG finds what of them it needs. */
import { type OpenedStream, writtenComponents } from './copy-tiles.ts';
import { Jpeg2000Error } from './error.ts';
import { bytesIn } from './file-parts.ts';
import {
  areaOf,
  type Box,
  type Cells,
  divideBox,
  firstCell,
  growBox,
  intersectBoxes,
  tileBox,
  tilesIn,
  touchedCells,
  uniteBoxes,
} from './geometry.ts';
import { minPartSide } from './model.ts';
import { decode, edgeOf, isPartExact, type NativeDecoder, samplesIn } from './native.ts';
import type { SpacedSamples } from './openjpeg.ts';
import { readTileStream, type StreamIndex } from './tile-parts.ts';
import { joinTiles } from './write.ts';

interface TilesRead {
  readonly reduction: number;
  /** For each component, in samples of the reduced one. */
  readonly boxes: ReadonlyMap<number, Box>;
  /** Bytes that the decoder may have. */
  readonly maxBytes: number;
}

/** Tiles of more bytes are not read for a region: the code-blocks that it needs are cut out of them. */
const maxTileBytes = 16 * 2 ** 20;

/** An image that is one tile of more pixels is not either: OpenJPEG would read all packet headers of it for each region. */
const maxOnlyTile = 1024 ** 2;

/** OpenJPEG takes some 10 kB for each tile, whatever its size: more tiles are decoded in groups. */
const maxTiles = 2 ** 10;

/** Whether a region is decoded at once, which takes some 10 bytes for each of its samples. */
export const isSmall = (region: Box): boolean => areaOf(region) <= minPartSide ** 2;

/** How all components are coded; undefined where they differ, or their samples are not the points of the reference grid. */
function commonCoding({ facts, coding }: StreamIndex) {
  const [first] = coding.components;
  const areAlike = coding.components.every((component) => component === first);
  const areFull = facts.components.every(({ dx, dy }) => dx === 1 && dy === 1);
  return areAlike && areFull && coding.changes.length === 0 ? first : undefined;
}

/** Whether tiles can be given to OpenJPEG as they are: it joins their tile-parts, and does not notice where a packet reaches into the next one. */
function areWhole({ tileParts, isWhole, packed }: StreamIndex, tiles: readonly number[]): boolean {
  const parts = tiles.flatMap((tile) => tileParts.get(tile) ?? []);
  return isWhole && !packed && parts.length === tiles.length && bytesIn(parts) <= maxTileBytes;
}

/** The packets of each tile; undefined where some are not as the main header says. Throws Jpeg2000Error. */
function packetsOf({ bytes, index }: OpenedStream, tiles: readonly number[]): readonly Uint8Array[][] | undefined {
  const streams = tiles.map((tile) => readTileStream(bytes, index, tile));
  if (streams.some(({ coding, packedHeaders }) => coding !== index.coding || packedHeaders)) return undefined;
  return streams.map(({ packets }) => packets.map(({ start, end }) => bytes.slice(start, end - start)));
}

/** The code-stream of some tiles, and what of the image it is, in pixels of the reference grid; undefined where it can't be written. */
function streamOf(opened: OpenedStream, cells: Cells) {
  const { facts, coding: packets, capabilities } = opened.index;
  if (areaOf(cells) > maxTiles) return undefined;
  const tiles = tilesIn(facts, cells);
  const box = uniteBoxes(tiles.map((tile) => tileBox(facts, tile)));
  if (opened.index.tileParts.size === 1 && areaOf(box) > maxOnlyTile) return undefined;
  const coding = commonCoding(opened.index);
  const components = coding && writtenComponents(opened.index, coding);
  if (!components || !isPartExact([coding]) || !areWhole(opened.index, tiles)) return undefined;
  const found = packetsOf(opened, tiles);
  if (found === undefined) return undefined;
  const { componentTransform } = packets;
  const header = { box, cell: firstCell(facts, cells), components, packets, componentTransform, capabilities };
  return { bytes: joinTiles(header, found), box, coding };
}

/** The pixels of the reference grid that samples of a reduced image stand for. */
const enlarge = ({ left, top, right, bottom }: Box, factor: number): Box => ({
  left: left * factor,
  top: top * factor,
  right: right * factor,
  bottom: bottom * factor,
});

/**
 * Decodes a region, all components of it at least what is asked of any; undefined where OpenJPEG can't be given the tiles as they are, or
 * finds something wrong.
 */
export function decodeTiles(
  native: NativeDecoder,
  opened: OpenedStream,
  { reduction, boxes, maxBytes }: TilesRead,
): readonly SpacedSamples[] | undefined {
  const { facts } = opened.index;
  const region = uniteBoxes([...boxes.values()]);
  if (boxes.size < facts.components.length || !isSmall(region)) return undefined;
  try {
    const stream = streamOf(opened, touchedCells(facts, boxes, reduction));
    if (stream === undefined) return undefined;
    const { bytes, box, coding } = stream;
    const edge = edgeOf({ ...coding, levels: coding.levels - reduction });
    const area = intersectBoxes(enlarge(growBox(region, edge), 2 ** reduction), box);
    const components = decode(native, { bytes, area, reduction, maxBytes });
    return samplesIn(components, facts.components.length, divideBox(area, 2 ** reduction));
  } catch (error) {
    if (error instanceof Jpeg2000Error) return undefined;
    throw error;
  }
}
