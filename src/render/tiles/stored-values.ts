/** Reads what a TIFF file lists for all its tiles, a piece at a time, and remembers the pieces. */
import type { FileHandle } from 'node:fs/promises';
import type { StoredNumbers } from '../../image/model/stored-tiles.ts';

/** How many numbers are read at once: those of the tiles around are asked for next. */
const pieceCount = 1024;

/** The most pieces that are remembered of a file: 512 KiB. */
const maxPieces = 64;

/** Pieces by their offset in the file. */
export type Pieces = Map<number, Buffer>;

/** All of `length` bytes from `at` on; undefined where the file ends before. */
export async function readBytes(handle: FileHandle, at: number, length: number): Promise<Buffer | undefined> {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await handle.read(buffer, 0, length, at);
  return bytesRead === length ? buffer : undefined;
}

function decode(piece: Buffer, at: number, { bytesEach, littleEndian }: StoredNumbers): number {
  switch (bytesEach) {
    case 2:
      return littleEndian ? piece.readUInt16LE(at) : piece.readUInt16BE(at);
    case 4:
      return littleEndian ? piece.readUInt32LE(at) : piece.readUInt32BE(at);
    case 8:
      return Number(littleEndian ? piece.readBigUInt64LE(at) : piece.readBigUInt64BE(at));
  }
}

/** One of the numbers, by its index from 0; undefined where the file ends before it. */
export async function readNumber(
  handle: FileHandle,
  pieces: Pieces,
  numbers: StoredNumbers,
  index: number,
): Promise<number | undefined> {
  const first = index - (index % pieceCount);
  const at = numbers.at + first * numbers.bytesEach;
  const length = Math.min(pieceCount, numbers.count - first) * numbers.bytesEach;
  const known = pieces.get(at);
  // The lists of a hostile file can overlap.
  const piece = known?.length === length ? known : await readBytes(handle, at, length);
  if (piece === undefined) return undefined;
  if (known === undefined) {
    const [oldest] = pieces.keys();
    if (pieces.size >= maxPieces && oldest !== undefined) pieces.delete(oldest);
    pieces.set(at, piece);
  }
  return decode(piece, (index - first) * numbers.bytesEach, numbers);
}
