/** Reads at places of a file of which parts are here, or are fetched. */
import type { StoredBytes } from '../../image/model/stored-tiles.ts';
import type { ReadHandle } from '../../storage/read-steps.ts';

/** A part of a file with its bytes. */
export interface FilePart {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** Reads what lies in one of the parts. All else rejects, since what is not there must never be taken for bytes of the file. */
export const partsHandle = (parts: readonly FilePart[]): ReadHandle => ({
  fd: -1,
  async read(buffer, offset, length, position) {
    const part = parts.find(({ at, bytes }) => position >= at && position + length <= at + bytes.length);
    if (part === undefined) throw new Error(`bytes at ${position} are in no part of the file`);
    buffer.set(part.bytes.subarray(position - part.at, position - part.at + length), offset);
    return { bytesRead: length };
  },
});

/** Reads from elsewhere, and calls `onPart` with all that was read. */
export const recordingHandle = (
  read: (place: StoredBytes) => Promise<Buffer | undefined>,
  onPart: (part: FilePart) => void,
): ReadHandle => ({
  fd: -1,
  async read(buffer, offset, length, position) {
    const bytes = await read({ at: position, bytes: length });
    if (bytes === undefined) return { bytesRead: 0 };
    onPart({ at: position, bytes });
    return { bytesRead: bytes.copy(buffer, offset) };
  },
});
