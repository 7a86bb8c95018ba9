/** Decodes the tiles of TIFF levels, and caches them: a viewer of a part of a scan requests the neighboring parts next. */

import { decodeJpegPart, jpegHeader, whyUnusable } from '@lectern/jpeg';
import { LRUCache } from 'lru-cache';
import { intersect, type Rect, type Size } from '../../image/model/geometry.ts';
import type { DeflateTiles, JpegTiles } from '../../image/model/image-set.ts';
import { arePlain } from '../../image/model/stored-samples.ts';
import { defaultIdleMs, dropWhenIdle } from '../process/drop-when-idle.ts';
import type { OpenedRender } from '../sources/opened-file.ts';
import { readStored, type StoredRegion } from '../sources/tiled-source.ts';
import { type DecodedPixels, type DecodedTile, pixelsIn } from './decoded-pixels.ts';
import { inflateTile } from './inflate-tile.ts';
import { tilesAround } from './read-tiles.ts';

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

/** What a plan reads of tiles that are decoded here. */
interface TiledRead {
  readonly plan: OpenedRender;
  /** In pixels of the level. */
  readonly read: Rect;
  readonly tiles: JpegTiles | DeflateTiles;
  readonly tile: Size;
  readonly channels: 1 | 3;
  /** Unique for this level of this version of the file. */
  readonly key: string;
}

/** What a plan reads; undefined where libvips decodes it: other tiles and depths, alpha, profiles to convert, and more pixels. */
function tiledReadOf(plan: OpenedRender): TiledRead | undefined {
  const { tiles, tile, samples, sourceColor, level, file, location } = plan;
  if (!tiles || !tile || areOfLibvips(tiles, tile) || !arePlain(sourceColor, samples)) return undefined;
  const read = plan.read ?? { x: 0, y: 0, width: level.width, height: level.height };
  if (read.width * read.height > maxPixels) return undefined;
  const key = `${JSON.stringify(location)} ${file.fingerprint} ${file.path}`;
  return { plan, read, tiles, tile, channels: sourceColor === 'rgb' ? 3 : 1, key };
}

/**
 * The parts of tiles that have a region, row by row; undefined where a tile is damaged or coded in an unusual way. Throws ImageError
 * `damaged` where the file has checksums, and what is read of it has others.
 */
async function decodeStored(
  { plan, tiles, tile }: TiledRead,
  region: Rect,
): Promise<readonly DecodedTile[] | undefined> {
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

/** The share of the cache that one rendering may use; a larger one would evict the tiles of all others. */
const maxShare = 1 / 4;

/** Tiles are cached where at least this share of those that a rendering reads was read before. */
const minSeenShare = 1 / 2;

const entryOverheadBytes = 200;

/** A tile that a rendering reads, by its key in the cache: its pixels of the level, and the bytes of their samples. */
interface Cell {
  readonly key: string;
  readonly rect: Rect;
  readonly bytes: number;
}

/** The tiles of a read, row by row. */
function cellsOf({ plan: { level }, read, tile, channels, key }: TiledRead): readonly Cell[] {
  const { x, y, width, height } = tilesAround(read, tile);
  return Array.from({ length: width * height }, (_, index) => {
    const [column, row] = [x + (index % width), y + Math.floor(index / width)];
    const rect = intersect({ ...tile, x: column * tile.width, y: row * tile.height }, level);
    if (rect === undefined) throw new TypeError('a tile outside its level');
    return { key: `${column} ${row} ${key}`, rect, bytes: rect.width * rect.height * channels };
  });
}

export class DecodedTiles {
  readonly #maxBytes: number;
  readonly #tiles: LRUCache<string, Buffer> | undefined;
  /** The sizes of tiles that were read recently: as many as the cache could hold. */
  readonly #recent: LRUCache<string, number> | undefined;
  readonly #noteUse: () => void;

  /** `maxBytes` bounds the cache; 0 disables it. Tiles that were not read for `idleMs` are dropped at the next use, and all without one. */
  constructor(maxBytes: number, idleMs = defaultIdleMs) {
    this.#maxBytes = maxBytes;
    this.#noteUse = dropWhenIdle(() => this.#tiles?.clear(), idleMs);
    if (maxBytes === 0) return;
    const sizeCalculation = (bytes: Buffer): number => bytes.length + entryOverheadBytes;
    this.#tiles = new LRUCache({ maxSize: maxBytes, sizeCalculation, ttl: idleMs, updateAgeOnGet: true });
    this.#recent = new LRUCache({ maxSize: maxBytes, sizeCalculation: (bytes: number) => bytes + entryOverheadBytes });
  }

  /**
   * The pixels that the plan reads, gray or RGB of 8 bits; undefined where libvips has to decode them. Where most are requested for the first
   * time, no more than these are decoded: most thumbnails are requested only once.
   */
  async read(plan: OpenedRender): Promise<DecodedPixels | undefined> {
    const tiled = tiledReadOf(plan);
    if (tiled === undefined) return undefined;
    const cells = cellsOf(tiled);
    const { read, channels } = tiled;
    // Of parts there is nothing but what the plan itself reads.
    const isCached = this.#tiles && !plan.parts && !plan.excerpt && this.#isWorthCaching(cells);
    const tiles = isCached ? await this.#tilesOf(tiled, cells) : await decodeStored(tiled, read);
    return tiles && pixelsIn(tiles, read, channels);
  }

  #isWorthCaching(cells: readonly Cell[]): boolean {
    if (cells.reduce((sum, { bytes }) => sum + bytes, 0) > this.#maxBytes * maxShare) return false;
    const seenBefore = cells.filter(({ key }) => this.#tiles?.has(key) || this.#recent?.has(key)).length;
    for (const { key, bytes } of cells) this.#recent?.set(key, bytes);
    return seenBefore >= cells.length * minSeenShare;
  }

  /** Whole tiles, of which those that are not cached are decoded; undefined where one can't be. */
  async #tilesOf(tiled: TiledRead, cells: readonly Cell[]): Promise<readonly DecodedTile[] | undefined> {
    this.#noteUse();
    this.#tiles?.purgeStale();
    const tiles: DecodedTile[] = [];
    for (const { key, rect } of cells) {
      const known = this.#tiles?.get(key);
      const data = known ?? (await decodeStored(tiled, rect))?.[0]?.data;
      if (data === undefined) return undefined;
      if (known === undefined) this.#tiles?.set(key, data);
      tiles.push({ data, rect });
    }
    return tiles;
  }
}
