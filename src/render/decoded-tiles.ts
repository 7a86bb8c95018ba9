/** Keeps tiles of TIFF levels as pixels: who looks at a part of a scan looks at the parts around it next. */
import { LRUCache } from 'lru-cache';
import { intersect, type Rect, type Size } from '../image/model/geometry.ts';
import type { Render } from '../image/plan/plan-types.ts';
import { LibvipsError, openLevel, type Pixels, readPixels } from './source.ts';

/** A plan whose pixels can be put together from tiles. */
interface Tiled {
  readonly plan: Render;
  /** In pixels of the level. */
  readonly read: Rect;
  /** What is kept in one piece: a stored tile, or the whole of a small level. */
  readonly tile: Size;
  readonly channels: 1 | 3;
  /** Tells this level of this state of this file from all others. */
  readonly key: string;
}

/** Cells of a level's grid: columns and rows from 0. */
type Cells = Rect;

/** One rendering may take this part of the room; a larger one would leave nothing of what others need. */
const largestPart = 1 / 4;

/** Tiles are kept where this part of those that a rendering reads was read by others before. */
const knownPart = 1 / 2;

const entryOverheadBytes = 200;

/** Below so many bytes a level is small. */
const smallBytes = 6 * 1024 * 1024;

/** The plan with its tiles; undefined where libvips does more than decode them: other depths, alpha, profiles to convert. */
function tiledOf(plan: Render, smallLevelBytes: number): Tiled | undefined {
  const { tile, samples, sourceColor, level, file, location } = plan;
  const isPlain = samples.bits === 8 && !samples.alpha && samples.range === undefined;
  if (tile === undefined || !isPlain || (samples.profile !== 'none' && samples.profile !== 'ignore')) return undefined;
  if (sourceColor !== 'rgb' && sourceColor !== 'gray') return undefined;
  const read = plan.read ?? { x: 0, y: 0, width: level.width, height: level.height };
  const key = `${JSON.stringify(location)} ${file.fingerprint} ${file.path}`;
  const channels = sourceColor === 'rgb' ? 3 : 1;
  const isSmall = level.width * level.height * channels <= smallLevelBytes;
  return { plan, read, tile: isSmall ? level : tile, channels, key };
}

/** The cells in which a rectangle of the level lies. */
function cellsOf({ read, tile }: Tiled): Cells {
  const [x, y] = [Math.floor(read.x / tile.width), Math.floor(read.y / tile.height)];
  const width = Math.ceil((read.x + read.width) / tile.width) - x;
  return { x, y, width, height: Math.ceil((read.y + read.height) / tile.height) - y };
}

/** The pixels of cells, which the level's edge cuts off. */
function pixelsOf({ tile, plan: { level } }: Tiled, { x, y, width, height }: Cells): Rect {
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

/** Copies what two rectangles share from the samples of one to those of the other. */
function copyShared(from: Buffer, fromRect: Rect, to: Buffer, toRect: Rect, channels: number): void {
  const left = Math.max(fromRect.x, toRect.x);
  const right = Math.min(fromRect.x + fromRect.width, toRect.x + toRect.width);
  const bottom = Math.min(fromRect.y + fromRect.height, toRect.y + toRect.height);
  if (fromRect.x === toRect.x && fromRect.width === toRect.width) {
    const rowBytes = fromRect.width * channels;
    const top = Math.max(fromRect.y, toRect.y);
    from.copy(to, (top - toRect.y) * rowBytes, (top - fromRect.y) * rowBytes, (bottom - fromRect.y) * rowBytes);
    return;
  }
  for (let y = Math.max(fromRect.y, toRect.y); y < bottom; y++) {
    const start = ((y - fromRect.y) * fromRect.width + left - fromRect.x) * channels;
    const target = ((y - toRect.y) * toRect.width + left - toRect.x) * channels;
    from.copy(to, target, start, start + (right - left) * channels);
  }
}

/** The key of a cell's tile. */
const keyOf = ({ x, y }: Cells, { key }: Tiled): string => `${x} ${y} ${key}`;

export class DecodedTiles {
  readonly #maxBytes: number;
  readonly #smallLevelBytes: number;
  readonly #tiles: LRUCache<string, Buffer> | undefined;
  /** The bytes of tiles that were read of late: as many as could be kept. */
  readonly #seen: LRUCache<string, number> | undefined;

  /**
   * The bound in bytes; 0: nothing is kept. A level of at most `smallLevelBytes` is kept in one piece, whatever its tiles:
   * then nothing has to be put together.
   */
  constructor(maxBytes: number, smallLevelBytes = smallBytes) {
    this.#maxBytes = maxBytes;
    this.#smallLevelBytes = smallLevelBytes;
    if (maxBytes === 0) return;
    const sizeCalculation = (bytes: Buffer): number => bytes.length + entryOverheadBytes;
    this.#tiles = new LRUCache({ maxSize: maxBytes, sizeCalculation });
    this.#seen = new LRUCache({ maxSize: maxBytes, sizeCalculation: (bytes: number) => bytes + entryOverheadBytes });
  }

  /**
   * The 8-bit samples that the plan reads, gray or RGB; undefined where libvips is to read them, as it does when most of
   * them are asked for the first time: most thumbnails are, and never again. Rejects as libvips does.
   */
  async read(plan: Render): Promise<Pixels | undefined> {
    const tiled = this.#tiles && tiledOf(plan, this.#smallLevelBytes);
    if (tiled === undefined || !this.#isWorthIt(tiled)) return undefined;
    const { read, channels } = tiled;
    const tiles = await this.#tilesOf(tiled, cellsOf(tiled));
    const info = { width: read.width, height: read.height, channels };
    const [only] = tiles;
    if (tiles.length === 1 && only?.data.length === read.width * read.height * channels) return { ...only, info };
    const data = Buffer.allocUnsafe(read.width * read.height * channels);
    for (const tile of tiles) copyShared(tile.data, tile.rect, data, read, channels);
    return { data, info };
  }

  #isWorthIt(tiled: Tiled): boolean {
    const cells = cellsOf(tiled);
    const tileBytes = tiled.tile.width * tiled.tile.height * tiled.channels;
    if (cells.width * cells.height * tileBytes > this.#maxBytes * largestPart) return false;
    let known = 0;
    for (const cell of eachOf(cells)) {
      const key = keyOf(cell, tiled);
      if (this.#tiles?.has(key) || this.#seen?.has(key)) known++;
      this.#seen?.set(key, tileBytes);
    }
    return known >= cells.width * cells.height * knownPart;
  }

  async #tilesOf(tiled: Tiled, cells: Cells): Promise<readonly { readonly data: Buffer; readonly rect: Rect }[]> {
    const found = new Map<string, Buffer>();
    for (const cell of eachOf(cells)) {
      const data = this.#tiles?.get(keyOf(cell, tiled));
      if (data !== undefined) found.set(keyOf(cell, tiled), data);
    }
    const isMissing = (cell: Cells): boolean => !found.has(keyOf(cell, tiled));
    for (const cell of eachOf(cells)) {
      if (!isMissing(cell)) continue;
      for (const [each, data] of await decode(tiled, blockAt(cell, cells, isMissing))) {
        found.set(keyOf(each, tiled), data);
        this.#tiles?.set(keyOf(each, tiled), data);
      }
    }
    return [...eachOf(cells)].map((cell) => {
      const data = found.get(keyOf(cell, tiled));
      if (data === undefined) throw new TypeError('a tile was left out');
      return { data, rect: pixelsOf(tiled, cell) };
    });
  }
}

/** The widest, then highest block of cells from this one on of which all are wanted: each block is one call of libvips. */
function blockAt({ x, y }: Cells, within: Cells, isWanted: (cell: Cells) => boolean): Cells {
  const isWantedAt = (column: number, row: number): boolean => isWanted({ x: column, y: row, width: 1, height: 1 });
  let width = 1;
  while (x + width < within.x + within.width && isWantedAt(x + width, y)) width++;
  const isRowWanted = (row: number): boolean => Array.from({ length: width }).every((_, i) => isWantedAt(x + i, row));
  let height = 1;
  while (y + height < within.y + within.height && isRowWanted(y + height)) height++;
  return { x, y, width, height };
}

/** Each cell of a block with its samples. */
async function decode(tiled: Tiled, block: Cells): Promise<readonly (readonly [Cells, Buffer])[]> {
  const { plan, channels } = tiled;
  const rect = pixelsOf(tiled, block);
  const source = await openLevel(plan.file, plan.location, plan.samples.profile === 'ignore');
  const part = source.extract({ left: rect.x, top: rect.y, width: rect.width, height: rect.height });
  const { data } = await readPixels(part, { space: channels === 1 ? 'b-w' : 'srgb', depth: 'uchar', alpha: false });
  if (data.length !== rect.width * rect.height * channels)
    throw new LibvipsError('the level has other pixels than its header says');
  return [...eachOf(block)].map((cell) => {
    const own = pixelsOf(tiled, cell);
    // A part of the block would keep the whole of it in memory.
    const samples = Buffer.allocUnsafeSlow(own.width * own.height * channels);
    copyShared(data, rect, samples, own, channels);
    return [cell, samples] as const;
  });
}
