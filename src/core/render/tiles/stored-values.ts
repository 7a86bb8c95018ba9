/** Reads the offsets and lengths of a TIFF file's tiles in chunks, which are cached. */

import { LRUCache } from 'lru-cache';
import type { StoredNumbers } from '../../image/model/stored-tiles.ts';
import type { ReadHandle } from '../../storage/read-steps.ts';
import { type ReadSteps, readInTurns } from '../../storage/read-steps.ts';

/** Number of values in a chunk: those of the neighboring tiles are requested next. */
const chunkCount = 1024;

/** Chunks by their offsets in the file. */
export type Chunks = LRUCache<number, Buffer>;

/** A cache for one file: 512 KiB at most. */
export const createChunks = (): Chunks => new LRUCache({ max: 64 });

function decode(chunk: Buffer, at: number, { bytesEach, littleEndian }: StoredNumbers): number {
  switch (bytesEach) {
    case 2:
      return littleEndian ? chunk.readUInt16LE(at) : chunk.readUInt16BE(at);
    case 4:
      return littleEndian ? chunk.readUInt32LE(at) : chunk.readUInt32BE(at);
    case 8:
      return Number(littleEndian ? chunk.readBigUInt64LE(at) : chunk.readBigUInt64BE(at));
  }
}

/** The steps to one of the numbers, by its index from 0; undefined where the file ends before it. */
export function* numberSteps(chunks: Chunks, numbers: StoredNumbers, index: number): ReadSteps<number | undefined> {
  const first = index - (index % chunkCount);
  const at = numbers.at + first * numbers.bytesEach;
  const bytes = Math.min(chunkCount, numbers.count - first) * numbers.bytesEach;
  const cached = chunks.get(at);
  // The lists of a malicious file can overlap.
  const chunk = cached?.length === bytes ? cached : yield { at, bytes };
  if (chunk === undefined) return undefined;
  if (chunk !== cached) chunks.set(at, chunk);
  return decode(chunk, (index - first) * numbers.bytesEach, numbers);
}

/** One of the numbers, by its index from 0; undefined where the file ends before it. */
export const readNumber = (
  handle: ReadHandle,
  chunks: Chunks,
  numbers: StoredNumbers,
  index: number,
): Promise<number | undefined> => readInTurns(handle, numberSteps(chunks, numbers, index));
