/** Reads stored tiles as whole JPEG files without decoding them: a header, the tile's bytes after their own start, no padding; several become one. */
import { cutJpeg, isWholeJpeg, joinJpegs, jpegHeader, noEnd, whyUnusable } from '@lectern/jpeg';
import { LRUCache } from 'lru-cache';
import type { Size } from '../../image/model/geometry.ts';
import type { StoredBytes } from '../../image/model/image-set.ts';
import { isCut, tilesOf } from '../../image/plan/cost.ts';
import type { SendTile, WhyNot } from '../../image/plan/plan-types.ts';
import type { ReadSteps } from '../../storage/read-steps.ts';
import type { FileVersion, SourceHandle } from '../../storage/storage.ts';
import { bytesOf, type PlacedTile, partsOfRun, runsOf } from './read-tiles.ts';
import { type Chunks, createChunks, intactSteps, numberSteps, otherPartsSteps } from './tile-checksums.ts';

/** A tile as a JPEG file, or why there is none. */
export type ReadTile =
  | { readonly kind: 'tile'; readonly bytes: Buffer }
  /** The file lacks the tile, or the tile is damaged or of another kind than the file's header says. */
  | ({
      readonly kind: 'unusable' /** Whether the file ends before the tile, or the tile before its pixels. */;
      readonly isCutShort: boolean;
    } & WhyNot)
  /** The tiles are sound, but can't be joined, or their padding can't be cut off, without decoding them. */
  | ({ readonly kind: 'uncut' } & WhyNot);

export interface TileReader {
  /** The tile of the plan. Throws ImageError `changed` where the file is no longer that of the plan. */
  read(plan: SendTile): Promise<ReadTile>;
  /**
   * The same without waiting; undefined where that is not possible: the file is not open yet, is not on a local disk or has
   * changed, the disk was slow just now, or fails.
   */
  readAtOnce(plan: SendTile): ReadTile | undefined;
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

/** The steps to bytes of a file that may be absent. */
function* partSteps(part: StoredBytes | undefined): ReadSteps<Buffer | undefined> {
  return part && (yield part);
}

function* headerSteps({ headers }: FileCache, { tiles, profile }: SendTile): ReadSteps<Buffer | undefined> {
  const profilePart = profile === 'keep' ? tiles.profile : undefined;
  const key = `${tiles.samples} ${tiles.tables?.at} ${tiles.tables?.bytes} ${profilePart?.at} ${profilePart?.bytes}`;
  const cached = headers.get(key);
  if (cached !== undefined) return cached;
  const tables = yield* partSteps(tiles.tables);
  const icc = yield* partSteps(profilePart);
  if (tiles.tables && !tables) return undefined;
  if (profilePart && !icc) return undefined;
  if (tiles.checksums && !(yield* otherPartsSteps(tiles.checksums))) return undefined;
  const header = jpegHeader(tiles.samples, tables, icc);
  if (header.length <= maxHeaderBytes && headers.size < maxHeaders) headers.set(key, header);
  return header;
}

const outside = 'the tile lies outside the file';

/** The steps to the position of the tile in the file, or to why it has none. */
function* positionSteps({ chunks }: FileCache, plan: SendTile, index: number): ReadSteps<StoredBytes | string> {
  const { tiles, file } = plan;
  const at = yield* numberSteps(chunks, tiles.offsets, index);
  const bytes = yield* numberSteps(chunks, tiles.lengths, index);
  if (at === undefined || bytes === undefined) return 'the file is cut short';
  if (at === 0 || bytes === 0) return 'the tile is not stored: the file leaves it empty';
  if (bytes > mostBytes(plan.tile)) return `the file says that the tile has ${bytes} bytes, more than a tile can have`;
  return Number.isSafeInteger(at) && at + bytes <= file.bytes ? { at, bytes } : outside;
}

/** The steps to the bytes of tiles beside each other, by index, where they are one run in the file: in a store each read is a request. */
function* runSteps(
  cache: FileCache,
  plan: SendTile,
  first: number,
  count: number,
): ReadSteps<ReadonlyMap<number, Buffer> | undefined> {
  const places: PlacedTile[] = [];
  for (let index = first; count > 1 && index < first + count; index++) {
    const place = yield* positionSteps(cache, plan, index);
    if (typeof place === 'string') return undefined;
    places.push({ index, ...place });
  }
  const [run, ...others] = runsOf(places);
  if (run === undefined || others.length > 0) return undefined;
  const all = yield { at: run[0]?.at ?? 0, bytes: bytesOf(run), arePixels: true };
  return all && new Map(partsOfRun(run, all));
}

/** The steps to one of the plan's tiles as a whole JPEG file, padding included; `known` are its bytes in the file, where they were read before. */
function* storedSteps(cache: FileCache, plan: SendTile, index: number, known?: Buffer): ReadSteps<ReadTile> {
  const position = yield* positionSteps(cache, plan, index);
  if (typeof position === 'string') return unusable(position, position === outside);
  const header = yield* headerSteps(cache, plan);
  if (header === undefined) return unusable('the file is cut short or damaged');
  // The header's last two bytes overwrite the tile's first two, so that only the header is copied.
  const room = header.length - 2;
  const bytes = known ? Buffer.concat([header.subarray(0, room), known]) : yield { ...position, room, arePixels: true };
  if (bytes === undefined) return unusable('the file is cut short', true);
  const stored = bytes.subarray(room);
  const tile = { tiles: plan.tiles, index, bytes: stored };
  if (!(yield* intactSteps(cache.chunks, tile))) return unusable('the tile’s bytes have another checksum');
  const fault = whyUnusable(stored, plan.tile, plan.tiles.samples);
  if (fault !== undefined && fault !== noEnd) return unusable(fault);
  header.copy(bytes);
  // Some writers leave out the end marker alone.
  if (fault !== undefined) return unusable(fault, isWholeJpeg(bytes) !== true);
  return { kind: 'tile', bytes };
}

/** The steps to what a plan sends. */
function* tileSteps(cache: FileCache, plan: SendTile): ReadSteps<ReadTile> {
  const { tiles, size } = plan;
  const { x, y, width, height } = tilesOf(plan);
  const streams: Buffer[] = [];
  for (let row = y; row < y + height; row++) {
    const first = row * tiles.columns + x;
    const run = yield* runSteps(cache, plan, first, width);
    for (let column = 0; column < width; column++) {
      const read = yield* storedSteps(cache, plan, first + column, run?.get(first + column));
      if (read.kind !== 'tile') return read;
      streams.push(read.bytes);
    }
  }
  const [only] = streams;
  if (only && streams.length === 1 && !isCut(plan)) return { kind: 'tile', bytes: only };
  const made = only && streams.length === 1 ? cutJpeg(only, size) : joinJpegs(streams, width, size);
  return typeof made === 'string' ? { kind: 'uncut', reason: made } : { kind: 'tile', bytes: made };
}

/** The files of which positions and headers are cached until they are not read for this time, in ms. */
const maxFiles = 500;
const idleMs = 10_000;

/** `handleOf` is a file at its storage. */
export function createTileReader(handleOf: (file: FileVersion) => SourceHandle): TileReader {
  const caches = new LRUCache<string, FileCache>({ max: maxFiles, ttl: idleMs, updateAgeOnGet: true });

  /** By the version of the file: of a path alone, another one could have the headers of the last. */
  function cacheOf({ path, fingerprint }: FileVersion): FileCache {
    const key = `${fingerprint} ${path}`;
    const cache = caches.get(key) ?? { chunks: createChunks(), headers: new Map() };
    caches.set(key, cache);
    return cache;
  }

  return {
    read: (plan) => handleOf(plan.file).readSteps(() => tileSteps(cacheOf(plan.file), plan)),
    readAtOnce: (plan) => handleOf(plan.file).readStepsAtOnce(() => tileSteps(cacheOf(plan.file), plan)),
  };
}
