/** Reads stored tiles as whole JPEG files without decoding them: a header, the tile's bytes after their own start, no padding. */
import type { FileHandle } from 'node:fs/promises';
import type { Size } from '../../image/model/geometry.ts';
import type { StoredBytes } from '../../image/model/stored-tiles.ts';
import { isCut } from '../../image/plan/plan-facts.ts';
import type { SendTile, WhyNot } from '../../image/plan/plan-types.ts';
import { areOtherPartsIntact, isTileIntact } from './checksums.ts';
import { cutJpeg } from './jpeg-cut.ts';
import { jpegHeader } from './jpeg-header.ts';
import { noEnd, whyUnusable } from './jpeg-tile.ts';
import { isWholeJpeg } from './jpeg-whole.ts';
import { type OpenFile, OpenFiles, type OpenFilesOptions } from './open-files.ts';
import { type Chunks, createChunks, readBytes, readNumber } from './stored-values.ts';

/** A tile as a JPEG file, or why there is none. */
export type ReadTile =
  | { readonly kind: 'tile'; readonly bytes: Buffer }
  /** The file lacks the tile, or the tile is damaged or of another kind than the file's header says. */
  | ({
      readonly kind: 'unusable' /** Whether the file ends before the tile, or the tile before its pixels. */;
      readonly isCutShort: boolean;
    } & WhyNot)
  /** The tile is sound, but its padding can't be cut off without decoding it. */
  | ({ readonly kind: 'uncut' } & WhyNot);

export interface TileReader {
  /** The tile of the plan. Throws ImageError `changed` where the file is no longer that of the plan. */
  read(plan: SendTile): Promise<ReadTile>;
  /** Number of open files. */
  openFiles(): number;
  /** Closes the open files. */
  close(): void;
}

interface FileCache {
  readonly chunks: Chunks;
  /** Headers by what they were made from. */
  readonly headers: Map<string, Buffer>;
}

/** The maximum size of a tile: in all, of its tables, and of each pixel; a larger one is damaged. */
const maxTileBytes = 64 * 1024 * 1024;
const maxTableBytes = 64 * 1024;
const maxPixelBytes = 6;

const mostBytes = ({ width, height }: Size): number =>
  Math.min(maxTileBytes, maxTableBytes + width * height * maxPixelBytes);

/** Maximum number of cached headers of a file, which has at most one for each level, and their maximum size. */
const maxHeaders = 16;
const maxHeaderBytes = 64 * 1024;

const unusable = (reason: string, isCutShort = false): ReadTile => ({ kind: 'unusable', reason, isCutShort });

const readPart = async (handle: FileHandle, part: StoredBytes | undefined): Promise<Buffer | undefined> =>
  part && readBytes(handle, part.at, part.bytes);

async function headerFor(
  { handle, cache }: OpenFile<FileCache>,
  { tiles, profile }: SendTile,
): Promise<Buffer | undefined> {
  const profilePart = profile === 'keep' ? tiles.profile : undefined;
  const key = `${tiles.samples} ${tiles.tables?.at} ${tiles.tables?.bytes} ${profilePart?.at} ${profilePart?.bytes}`;
  const cached = cache.headers.get(key);
  if (cached !== undefined) return cached;
  const [tables, icc] = await Promise.all([readPart(handle, tiles.tables), readPart(handle, profilePart)]);
  if (tiles.tables && !tables) return undefined;
  if (profilePart && !icc) return undefined;
  if (tiles.checksums && !(await areOtherPartsIntact(handle, tiles.checksums))) return undefined;
  const header = jpegHeader(tiles.samples, tables, icc);
  if (header.length <= maxHeaderBytes && cache.headers.size < maxHeaders) cache.headers.set(key, header);
  return header;
}

const indexOf = ({ tiles, column, row }: SendTile): number => row * tiles.columns + column;

const outside = 'the tile lies outside the file';

/** The position of the tile in the file, or why it has none. */
async function locate({ handle, cache }: OpenFile<FileCache>, plan: SendTile): Promise<StoredBytes | string> {
  const { tiles, file } = plan;
  const index = indexOf(plan);
  const at = await readNumber(handle, cache.chunks, tiles.offsets, index);
  const bytes = await readNumber(handle, cache.chunks, tiles.lengths, index);
  if (at === undefined || bytes === undefined) return 'the file is cut short';
  if (at === 0 || bytes === 0) return 'the tile is not stored: the file leaves it empty';
  if (bytes > mostBytes(plan.tile)) return `the file says that the tile has ${bytes} bytes, more than a tile can have`;
  return Number.isSafeInteger(at) && at + bytes <= file.bytes ? { at, bytes } : outside;
}

async function readTile(opened: OpenFile<FileCache>, plan: SendTile): Promise<ReadTile> {
  const position = await locate(opened, plan);
  if (typeof position === 'string') return unusable(position, position === outside);
  const header = await headerFor(opened, plan);
  if (header === undefined) return unusable('the file is cut short or damaged');
  // The header's last two bytes overwrite the tile's first two, so that only the header is copied.
  const start = header.length - 2;
  const bytes = Buffer.allocUnsafe(start + position.bytes);
  const { bytesRead } = await opened.handle.read(bytes, start, position.bytes, position.at);
  if (bytesRead !== position.bytes) return unusable('the file is cut short', true);
  const { handle, cache } = opened;
  const tile = { tiles: plan.tiles, index: indexOf(plan), bytes: bytes.subarray(start) };
  if (!(await isTileIntact(handle, cache.chunks, tile))) return unusable('the tile’s bytes have another checksum');
  const fault = whyUnusable(bytes.subarray(start), plan.tile, plan.tiles.samples);
  if (fault !== undefined && fault !== noEnd) return unusable(fault);
  header.copy(bytes);
  // Some writers leave out the end marker alone.
  if (fault !== undefined) return unusable(fault, isWholeJpeg(bytes) !== true);
  if (!isCut(plan)) return { kind: 'tile', bytes };
  const cut = cutJpeg(bytes, plan.size);
  return typeof cut === 'string' ? { kind: 'uncut', reason: cut } : { kind: 'tile', bytes: cut };
}

export function createTileReader(options: OpenFilesOptions): TileReader {
  const files = new OpenFiles<FileCache>(options, () => ({ chunks: createChunks(), headers: new Map() }));
  return {
    read: (plan) => files.read(plan.file, (opened) => readTile(opened, plan)),
    openFiles: () => files.size,
    close: () => files.close(),
  };
}
