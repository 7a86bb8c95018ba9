/** Caches decoded tiles of TIFF levels: a viewer of a part of a scan requests the neighboring parts next. */

import { decodeJpegPart, jpegHeader, whyUnusable } from '@lectern/jpeg';
import { LRUCache } from 'lru-cache';
import { intersect, type Rect, type Size } from '../../image/model/geometry.ts';
import type { DeflateTiles, JpegTiles } from '../../image/model/image-set.ts';
import { arePlain } from '../../image/model/stored-samples.ts';
import { dropWhenIdle } from '../process/drop-when-idle.ts';
import { LibvipsError, readPixels } from '../sources/libvips-source.ts';
import { openRegion } from '../sources/open-region.ts';
import type { OpenedRender } from '../sources/opened-file.ts';
import { readStored, type StoredRegion } from '../sources/tiled-source.ts';
import { copyShared, type DecodedPixels, type DecodedTile, pixelsIn } from './decoded-pixels.ts';
import { inflateTile } from './inflate-tile.ts';
import { type TileRect, tilesAround } from './read-tiles.ts';

/** A larger region is left to libvips, which has only some rows of it in memory at a time. */
const maxPixels = 4_000_000;

/** Whether libvips alone decodes tiles: those of RGB in JPEG, and Deflate tiles that are too large to be in memory as a whole. */
const areOfLibvips = (tiles: JpegTiles | DeflateTiles, tile: Size): boolean =>
  tiles.kind === 'jpeg' ? tiles.samples === 'rgb' : tile.width * tile.height > maxPixels;

/** Returns a function that decodes a part of a stored tile; it returns undefined for one that is damaged or coded in an unusual way. */
function decoderOf(tiles: JpegTiles | DeflateTiles, { tile, tables }: StoredRegion) {
  if (tiles.kind === 'deflate') return (bytes: Buffer, part: Rect) => inflateTile(bytes, tile, part, tiles);
  const header = jpegHeader(tiles.samples, tables);
  return (bytes: Buffer, part: Rect) => {
    if (whyUnusable(bytes, tile, tiles.samples) !== undefined) return undefined;
    // The tile's own start marker is left out.
    return decodeJpegPart(Buffer.concat([header, bytes.subarray(2)]), part);
  };
}

/**
 * The parts of tiles, row by row; undefined where libvips has to decode them: the level has neither JPEG tiles of gray or YCbCr nor Deflate tiles,
 * or one of them is damaged or coded in an unusual way. Throws ImageError `damaged` where the file has checksums, and what is read of it has
 * others.
 */
export async function decodeStored(plan: OpenedRender, region: Rect): Promise<readonly DecodedTile[] | undefined> {
  const { tiles, tile } = plan;
  if (!tiles || !tile || areOfLibvips(tiles, tile) || region.width * region.height > maxPixels) return undefined;
  const stored = await readStored(plan, region);
  if (stored === undefined) return undefined;
  const { around, parts } = stored;
  const decodePart = decoderOf(tiles, stored);
  const decoded: DecodedTile[] = [];
  for (const [index, bytes] of parts.entries()) {
    const left = (around.x + (index % around.width)) * tile.width;
    const top = (around.y + Math.floor(index / around.width)) * tile.height;
    const part = intersect({ ...region, x: region.x - left, y: region.y - top }, tile);
    const data = part && decodePart(bytes, part);
    if (part === undefined || data === undefined) return undefined;
    decoded.push({ data, rect: { ...part, x: left + part.x, y: top + part.y } });
  }
  return decoded;
}

export interface DecodedTilesOptions {
  /** Maximum size of a level that is cached as a whole, decoded, in bytes. */
  readonly smallLevelBytes?: number;
  /** Time without a reading of cached tiles after which they are dropped, in ms. */
  readonly idleMs?: number;
}

/** What a plan reads, where its pixels can be assembled from tiles. */
interface TiledRead {
  readonly plan: OpenedRender;
  /** In pixels of the level. */
  readonly read: Rect;
  /** The unit of caching: a stored tile, or the whole of a small level. */
  readonly tile: Size;
  readonly channels: 1 | 3;
  /** Unique for this level of this version of the file. */
  readonly key: string;
}

/** A rectangle of cells of a level's grid, in columns and rows from 0. */
type Cells = TileRect;

/** The share of the cache that one rendering may use; a larger one would evict the tiles of all others. */
const maxShare = 1 / 4;

/** Tiles are cached where at least this share of those that a rendering reads was read before. */
const minSeenShare = 1 / 2;

const entryOverheadBytes = 200;

/** Maximum size of a small level, decoded, in bytes. */
const smallBytes = 6 * 1024 * 1024;

/** What the plan reads; undefined where libvips does more than decode: other depths, alpha, profiles to convert. */
function tiledReadOf(plan: OpenedRender, smallLevelBytes: number): TiledRead | undefined {
  const { tile, samples, sourceColor, level, file, location } = plan;
  if (tile === undefined || !arePlain(sourceColor, samples)) return undefined;
  const read = plan.read ?? { x: 0, y: 0, width: level.width, height: level.height };
  const key = `${JSON.stringify(location)} ${file.fingerprint} ${file.path}`;
  const channels = sourceColor === 'rgb' ? 3 : 1;
  const isSmall = level.width * level.height * channels <= smallLevelBytes;
  // The rest of a level is quickly decoded, but not of JPEG 2000.
  const isMostlyRead = 2 * read.width * read.height >= level.width * level.height;
  return { plan, read, tile: isSmall && (!plan.jpeg2000 || isMostlyRead) ? level : tile, channels, key };
}

const cellsOf = ({ read, tile }: TiledRead): Cells => tilesAround(read, tile);

/** The pixels of cells, cut at the level's edge. */
function pixelsOf({ tile, plan: { level } }: TiledRead, { x, y, width, height }: Cells): Rect {
  const whole = { x: x * tile.width, y: y * tile.height, width: width * tile.width, height: height * tile.height };
  const inside = intersect(whole, level);
  if (inside === undefined) throw new TypeError('a tile outside its level');
  return inside;
}

function* eachOf({ x, y, width, height }: Cells): Generator<Cells> {
  for (let row = y; row < y + height; row++) {
    for (let column = x; column < x + width; column++) yield { x: column, y: row, width: 1, height: 1 };
  }
}

const isSame = (a: Rect, b: Rect): boolean =>
  a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

const keyOf = ({ x, y }: Cells, { key }: TiledRead): string => `${x} ${y} ${key}`;

export class DecodedTiles {
  readonly #maxBytes: number;
  readonly #smallLevelBytes: number;
  readonly #tiles: LRUCache<string, Buffer> | undefined;
  /** The sizes of tiles that were read recently: as many as the cache could hold. */
  readonly #recent: LRUCache<string, number> | undefined;
  readonly #noteUse: () => void;

  /**
   * `maxBytes` bounds the cache; 0 disables it. A level of at most `smallLevelBytes` is cached as a whole, so that nothing
   * has to be assembled. All tiles are dropped when none was read for `idleMs`.
   */
  constructor(maxBytes: number, { smallLevelBytes = smallBytes, idleMs }: DecodedTilesOptions = {}) {
    this.#maxBytes = maxBytes;
    this.#smallLevelBytes = smallLevelBytes;
    this.#noteUse = dropWhenIdle(() => this.#tiles?.clear(), idleMs);
    if (maxBytes === 0) return;
    const sizeCalculation = (bytes: Buffer): number => bytes.length + entryOverheadBytes;
    this.#tiles = new LRUCache({ maxSize: maxBytes, sizeCalculation });
    this.#recent = new LRUCache({ maxSize: maxBytes, sizeCalculation: (bytes: number) => bytes + entryOverheadBytes });
  }

  /**
   * The pixels that the plan reads, gray or RGB of 8 bits; undefined where libvips has to read them. Where most are requested for the first
   * time, no more than these are decoded: most thumbnails are requested only once. Rejects with LibvipsError.
   */
  async read(plan: OpenedRender): Promise<DecodedPixels | undefined> {
    const tiled = tiledReadOf(plan, this.#smallLevelBytes);
    if (tiled === undefined) return undefined;
    // Of parts there is nothing but what the plan itself reads.
    const isCached = this.#tiles !== undefined && !plan.parts && !plan.excerpt && this.#isWorthCaching(tiled);
    if (isCached) this.#noteUse();
    const tiles = isCached ? await this.#tilesOf(tiled, cellsOf(tiled)) : await decodeStored(plan, tiled.read);
    return tiles && pixelsIn(tiles, tiled.read, tiled.channels);
  }

  #isWorthCaching(tiled: TiledRead): boolean {
    const cells = cellsOf(tiled);
    const tileBytes = tiled.tile.width * tiled.tile.height * tiled.channels;
    if (cells.width * cells.height * tileBytes > this.#maxBytes * maxShare) return false;
    let seenBefore = 0;
    for (const cell of eachOf(cells)) {
      const key = keyOf(cell, tiled);
      if (this.#tiles?.has(key) || this.#recent?.has(key)) seenBefore++;
      this.#recent?.set(key, tileBytes);
    }
    return seenBefore >= cells.width * cells.height * minSeenShare;
  }

  async #tilesOf(tiled: TiledRead, cells: Cells): Promise<readonly DecodedTile[]> {
    const found = new Map([...eachOf(cells)].map((cell) => [keyOf(cell, tiled), this.#tiles?.get(keyOf(cell, tiled))]));
    const isMissing = (cell: Cells): boolean => found.get(keyOf(cell, tiled)) === undefined;
    for (const cell of eachOf(cells)) {
      if (!isMissing(cell)) continue;
      for (const [each, data] of await decode(tiled, blockAt(cell, cells, isMissing))) {
        found.set(keyOf(each, tiled), data);
        this.#tiles?.set(keyOf(each, tiled), data);
      }
    }
    return [...eachOf(cells)].map((cell) => {
      const data = found.get(keyOf(cell, tiled));
      if (data === undefined) throw new TypeError('a tile is missing');
      return { data, rect: pixelsOf(tiled, cell) };
    });
  }
}

/** The widest, then highest block of cells from this one on in which all are wanted: each block is one call of libvips. */
function blockAt({ x, y }: Cells, within: Cells, isWanted: (cell: Cells) => boolean): Cells {
  const isWantedAt = (column: number, row: number): boolean => isWanted({ x: column, y: row, width: 1, height: 1 });
  let width = 1;
  while (x + width < within.x + within.width && isWantedAt(x + width, y)) width++;
  const isRowWanted = (row: number): boolean => Array.from({ length: width }).every((_, i) => isWantedAt(x + i, row));
  let height = 1;
  while (y + height < within.y + within.height && isRowWanted(y + height)) height++;
  return { x, y, width, height };
}

/** Decodes a block; each of its cells with its samples. */
async function decode(tiled: TiledRead, block: Cells): Promise<readonly (readonly [Cells, Buffer])[]> {
  const { plan, channels } = tiled;
  const rect = pixelsOf(tiled, block);
  const tiles = (await decodeStored(plan, rect)) ?? [{ data: await decodeByLibvips(tiled, rect), rect }];
  return [...eachOf(block)].map((cell) => {
    const own = pixelsOf(tiled, cell);
    const same = tiles.find((tile) => isSame(tile.rect, own));
    if (same) return [cell, same.data] as const;
    // A part of the block would keep the whole of it in memory.
    const samples = Buffer.allocUnsafeSlow(own.width * own.height * channels);
    for (const tile of tiles) copyShared(tile.data, tile.rect, samples, own, channels);
    return [cell, samples] as const;
  });
}

async function decodeByLibvips({ plan, channels }: TiledRead, rect: Rect): Promise<Buffer> {
  const part = await openRegion(plan, rect);
  const { data } = await readPixels(part, { space: channels === 1 ? 'b-w' : 'srgb', depth: 'uchar', alpha: false });
  if (data.length === rect.width * rect.height * channels) return data;
  throw new LibvipsError('the level has other pixels than its header says');
}
