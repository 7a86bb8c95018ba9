/** Reads stored tiles as whole JPEG files, without decoding them: a head, the tile's bytes behind their own start, no padding. */
import type { FileHandle } from 'node:fs/promises';
import type { Size } from '../../image/model/geometry.ts';
import type { StoredBytes } from '../../image/model/stored-tiles.ts';
import { isCut } from '../../image/plan/plan-facts.ts';
import type { SendTile } from '../../image/plan/plan-types.ts';
import { cutJpeg } from './jpeg-cut.ts';
import { jpegHead } from './jpeg-head.ts';
import { faultOf } from './jpeg-tile.ts';
import { type OpenFile, OpenFiles, type OpenFilesOptions } from './open-files.ts';
import { type Pieces, readBytes, readNumber } from './stored-values.ts';

/** A tile as a JPEG file, or why there is none, as the end of a sentence. */
export type ReadTile =
  | { readonly kind: 'tile'; readonly bytes: Buffer }
  /** The file lacks the tile, or it is damaged or of another kind than the file says. */
  | { readonly kind: 'unusable'; readonly reason: string }
  /** The tile would be sent if it were whole, but its padding can't be cut off without decoding it. */
  | { readonly kind: 'uncut'; readonly reason: string };

/** Reads tiles. */
export interface Tiles {
  /** The tile that the plan names. Throws ImageError `changed` where the file is no longer the planned one. */
  read(plan: SendTile): Promise<ReadTile>;
  /** How many files are kept open. */
  openFiles(): number;
  /** Closes the files that were kept open. */
  close(): void;
}

/** What is remembered of an open file. */
interface Notes {
  readonly pieces: Pieces;
  /** Heads by what they were made from. */
  readonly heads: Map<string, Buffer>;
}

/** A tile has at most so many bytes in all, and beside some tables so many for each pixel; beyond that is damage. */
const maxTileBytes = 64 * 1024 * 1024;
const maxTableBytes = 64 * 1024;
const maxPixelBytes = 6;

const mostBytes = ({ width, height }: Size): number =>
  Math.min(maxTileBytes, maxTableBytes + width * height * maxPixelBytes);

/** Heads that are remembered of a file, and the largest of them in bytes: a file has one for each level at most. */
const maxHeads = 16;
const maxHeadBytes = 64 * 1024;

const unusable = (reason: string): ReadTile => ({ kind: 'unusable', reason });

const readPart = async (handle: FileHandle, part: StoredBytes | undefined): Promise<Buffer | undefined> =>
  part && readBytes(handle, part.at, part.bytes);

async function headFor({ handle, notes }: OpenFile<Notes>, { tiles, profile }: SendTile): Promise<Buffer | undefined> {
  const profilePart = profile === 'keep' ? tiles.profile : undefined;
  const key = `${tiles.samples} ${tiles.tables?.at} ${tiles.tables?.bytes} ${profilePart?.at} ${profilePart?.bytes}`;
  const known = notes.heads.get(key);
  if (known !== undefined) return known;
  const [tables, icc] = await Promise.all([readPart(handle, tiles.tables), readPart(handle, profilePart)]);
  if (tiles.tables && !tables) return undefined;
  if (profilePart && !icc) return undefined;
  const head = jpegHead(tiles.samples, tables, icc);
  if (head.length <= maxHeadBytes && notes.heads.size < maxHeads) notes.heads.set(key, head);
  return head;
}

/** Where the tile lies in the file, or why it is not there. */
async function placeOf({ handle, notes }: OpenFile<Notes>, plan: SendTile): Promise<StoredBytes | string> {
  const { tiles, column, row, file } = plan;
  const index = row * tiles.columns + column;
  const at = await readNumber(handle, notes.pieces, tiles.offsets, index);
  const bytes = await readNumber(handle, notes.pieces, tiles.lengths, index);
  if (at === undefined || bytes === undefined) return 'the file is cut short';
  if (at === 0 || bytes === 0) return 'the tile is not stored: the file leaves it empty';
  if (bytes > mostBytes(plan.tile)) return `the file says that the tile has ${bytes} bytes, more than a tile can have`;
  return Number.isSafeInteger(at) && at + bytes <= file.bytes ? { at, bytes } : 'the tile lies outside the file';
}

async function readTile(opened: OpenFile<Notes>, plan: SendTile): Promise<ReadTile> {
  const place = await placeOf(opened, plan);
  if (typeof place === 'string') return unusable(place);
  const head = await headFor(opened, plan);
  if (head === undefined) return unusable('the file is cut short');
  // The tile's first two bytes come where the head's last two go, so that nothing is copied but the head.
  const start = head.length - 2;
  const bytes = Buffer.allocUnsafe(start + place.bytes);
  const { bytesRead } = await opened.handle.read(bytes, start, place.bytes, place.at);
  if (bytesRead !== place.bytes) return unusable('the file is cut short');
  const fault = faultOf(bytes.subarray(start), plan.tile, plan.tiles.samples);
  if (fault !== undefined) return unusable(fault);
  head.copy(bytes);
  if (!isCut(plan)) return { kind: 'tile', bytes };
  const cut = cutJpeg(bytes, plan.size);
  return typeof cut === 'string' ? { kind: 'uncut', reason: cut } : { kind: 'tile', bytes: cut };
}

export function createTiles(options: OpenFilesOptions): Tiles {
  const files = new OpenFiles<Notes>(options, () => ({ pieces: new Map(), heads: new Map() }));
  return {
    read: (plan) => files.read(plan.file, (opened) => readTile(opened, plan)),
    openFiles: () => files.size,
    close: () => files.close(),
  };
}
