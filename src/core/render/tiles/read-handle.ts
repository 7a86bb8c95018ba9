/** Reads at places of a file: an open file, or parts of one that is not on a disk of this machine. */
import type { StoredBytes } from '../../image/model/stored-tiles.ts';
import type { FileVersion, RemoteStorage } from '../../storage/storage.ts';

/** As `FileHandle` of Node has it. */
export interface ReadHandle {
  /** The number of the open file; -1 for parts, which have none. */
  readonly fd: number;
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
}

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

/** Reads what describes a file in an object store, which is kept in memory, and no pixels. */
export const remoteHandle = (file: FileVersion, storage: RemoteStorage): ReadHandle =>
  recordingHandle(
    async ({ at, bytes }) => (at + bytes > file.bytes ? undefined : storage.readPart(file, at, bytes, 'directory')),
    () => undefined,
  );
