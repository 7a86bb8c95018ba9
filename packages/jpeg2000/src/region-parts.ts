/** Reads the parts of a file that a region is decoded from: for files in object stores, of which reading all takes long. */
import { LRUCache } from 'lru-cache';
import { StreamCache } from './components.ts';
import { Jpeg2000Error } from './error.ts';
import { bytesIn, type FilePart, mergeRanges, missingIn, partOf, type Range } from './file-parts.ts';
import { type Jpeg2000File, neededBoxesOf, type RegionPlace } from './region.ts';
import { type Needs, needsOf, type ReadSizes } from './region-needs.ts';

/** A file of which each read takes long, whatever its length. */
export interface RemoteFile extends Omit<Jpeg2000File, 'readAt' | 'isPartial'> {
  /** A part that lies within the file, exactly. */
  read(at: number, bytes: number): Promise<Uint8Array>;
}

/** What is read for one region at most; more is not worth it. */
export interface PartsLimits {
  readonly bytes: number;
  readonly reads: number;
}

const kibibyte = 1024;

/** For stores in which a read takes as long as 100 kB or more. */
const usualSizes: ReadSizes = {
  first: 64 * kibibyte,
  smallTile: 128 * kibibyte,
  header: [8 * kibibyte, 128 * kibibyte],
  next: 64 * kibibyte,
  packets: 512 * kibibyte,
  gap: 64 * kibibyte,
};

/** More reads that wait for each other than any sound file takes. */
const maxRounds = 10;

/** Tiles of more precincts and packets take long where others wait meanwhile. */
const tileLimits = { precincts: 2 ** 15, packets: 2 ** 17 };

/** The memory for headers that other regions need too, in bytes. */
const keptBytes = 16 * 1024 * 1024;

const rangeOf = ({ at, bytes }: { readonly at: number; readonly bytes: number }): Range => ({
  start: at,
  end: at + bytes,
});

/** Gaps are made no smaller than this, in bytes, to read less. */
const smallestGap = 1024;

/**
 * The ranges in which missing bytes are read, with larger or smaller gaps where there are too many of them or of bytes, and what is left of the
 * limits then; undefined where these are exceeded.
 */
function readsFor(missing: readonly Range[], { bytes, reads }: PartsLimits, usualGap: number) {
  let gap = usualGap;
  let ranges = mergeRanges(missing, gap);
  const merge = (factor: number): void => {
    gap *= factor;
    ranges = mergeRanges(missing, gap);
  };
  while (ranges.length > Math.max(1, reads) && bytesIn(ranges) <= bytes) merge(2);
  while (bytesIn(ranges) > bytes && gap > smallestGap) merge(1 / 2);
  const left = { bytes: bytes - bytesIn(ranges), reads: reads - ranges.length };
  return left.bytes < 0 || left.reads < 0 ? undefined : { ranges, left };
}

/** Finds and reads what regions are decoded from, and caches the headers of the last files. */
export class PartsReader {
  readonly #sizes: ReadSizes;
  readonly #streams = new StreamCache(tileLimits);
  readonly #headers = new LRUCache<string, readonly FilePart[]>({
    maxSize: keptBytes,
    sizeCalculation: (parts) => 1 + parts.reduce((sum, { bytes }) => sum + bytes.length, 0),
  });
  /** By the file and the place. */
  readonly #reading = new Map<string, Promise<Uint8Array>>();

  constructor(sizes = usualSizes) {
    this.#sizes = sizes;
  }

  /**
   * The parts that `RegionReader` needs for a region; undefined where they are not worth it, or can’t be found. Rejects as the file’s `read`
   * does.
   */
  async readParts(file: RemoteFile, place: RegionPlace, limits: PartsLimits): Promise<readonly FilePart[] | undefined> {
    const kept = this.#headers.get(file.key) ?? [];
    let parts = kept;
    let left: PartsLimits | undefined = limits;
    for (let round = 0; round < maxRounds; round++) {
      const needs = this.#needsOf(file, place, parts);
      if (needs === undefined) return undefined;
      const { needed, headers, missing } = needs;
      if (missing.length === 0) {
        const all = mergeRanges([...headers, ...kept.map(({ at, bytes }) => ({ start: at, end: at + bytes.length }))]);
        this.#headers.set(
          file.key,
          all.map((range) => partOf(parts, range)),
        );
        return mergeRanges(needed).map((range) => partOf(parts, range));
      }
      const reads = readsFor(missing, left, this.#sizes.gap);
      if (reads === undefined) return undefined;
      left = reads.left;
      parts = [...parts, ...(await Promise.all(reads.ranges.map((range) => this.#read(file, range))))];
    }
    return undefined;
  }

  /** Also undefined where the file contradicts itself: all of it tells. */
  #needsOf({ header, ...file }: RemoteFile, place: RegionPlace, parts: readonly FilePart[]): Needs | undefined {
    const { codeStream, color } = header;
    const read = { reduction: place.reduction, boxes: neededBoxesOf(header, place), sizes: this.#sizes };
    const stored = [color.profile, color.palette?.values].filter((each) => each !== undefined).map(rangeOf);
    try {
      const needs = needsOf(this.#streams, { ...file, codeStream }, parts, read);
      return needs && withStored(needs, stored, parts);
    } catch (error) {
      if (error instanceof Jpeg2000Error) return undefined;
      throw error;
    }
  }

  /** Once for all who read the same at the same time. */
  async #read({ key, read }: RemoteFile, { start, end }: Range): Promise<FilePart> {
    const name = `${start} ${end} ${key}`;
    const reading = this.#reading.get(name) ?? read(start, end - start).finally(() => this.#reading.delete(name));
    this.#reading.set(name, reading);
    return { at: start, bytes: await reading };
  }
}

/** With what the boxes have: profile and palette. */
const withStored = (needs: Needs, stored: readonly Range[], parts: readonly FilePart[]): Needs => ({
  needed: [...needs.needed, ...stored],
  headers: [...needs.headers, ...stored],
  missing: [...needs.missing, ...missingIn(parts, stored)],
});
