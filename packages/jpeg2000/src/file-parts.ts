/** The parts of a file that were read, where the rest of it is elsewhere. */
import type { ReadAt } from './bytes.ts';

/** Bytes of a file, from `start` up to `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A part of a file with its bytes. */
export interface FilePart {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** Bytes that no part has: nothing may be taken for them, not even damage. */
export class MissingBytes extends Error {
  override readonly name = 'MissingBytes';
  readonly position: number;

  constructor(position: number) {
    super(`bytes at ${position} are in no part of the file`);
    this.position = position;
  }
}

const partAt = (parts: readonly FilePart[], position: number): FilePart | undefined =>
  parts.find(({ at, bytes }) => position >= at && position < at + bytes.length);

/** Reads what lies in parts, up to the end of one of them. Throws MissingBytes. */
export const readerOfParts =
  (parts: readonly FilePart[]): ReadAt =>
  (buffer, position) => {
    const part = partAt(parts, position);
    if (part === undefined) throw new MissingBytes(position);
    const found = part.bytes.subarray(position - part.at, position - part.at + buffer.length);
    buffer.set(found);
    return found.length;
  };

const lengthOf = ({ start, end }: Range): number => end - start;

export const bytesIn = (ranges: readonly Range[]): number => ranges.reduce((sum, range) => sum + lengthOf(range), 0);

/** Ranges in their order in the file; those that overlap, or with no more than `gap` bytes between them, become one. */
export function mergeRanges(ranges: readonly Range[], gap = 0): readonly Range[] {
  const merged: Range[] = [];
  for (const range of ranges.filter((each) => lengthOf(each) > 0).toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last === undefined || range.start - last.end > gap) merged.push(range);
    else merged.splice(-1, 1, { start: last.start, end: Math.max(last.end, range.end) });
  }
  return merged;
}

/** What of some ranges no part has. */
export function missingIn(parts: readonly FilePart[], ranges: readonly Range[]): readonly Range[] {
  const missing: Range[] = [];
  for (const { start, end } of ranges) {
    for (let position = start; position < end; ) {
      const part = partAt(parts, position);
      const next = part
        ? part.at + part.bytes.length
        : Math.min(end, ...parts.filter(({ at }) => at > position).map(({ at }) => at));
      if (!part) missing.push({ start: position, end: next });
      position = next;
    }
  }
  return mergeRanges(missing);
}

/** A range as a part, which lies within others. Throws MissingBytes. */
export function partOf(parts: readonly FilePart[], { start, end }: Range): FilePart {
  const within = partAt(parts, start);
  if (within && end <= within.at + within.bytes.length)
    return { at: start, bytes: within.bytes.subarray(start - within.at, end - within.at) };
  const bytes = new Uint8Array(end - start);
  const read = readerOfParts(parts);
  for (let done = 0; done < bytes.length; ) done += read(bytes.subarray(done), start + done);
  return { at: start, bytes };
}
