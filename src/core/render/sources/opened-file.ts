/** Opens the file of a plan once, makes sure that it is the one that was planned with, and has libvips read that very file. */
import { LRUCache } from 'lru-cache';
import type { SourceFile, StoredBytes } from '../../image/model/image-set.ts';
import type { Render } from '../../image/plan/plan-types.ts';
import { OpenFiles } from '../../storage/disk/open-files.ts';
import { descriptorPath, hasDescriptorPaths } from '../../storage/disk/pinned-path.ts';
import type { ReadHandle } from '../../storage/read-steps.ts';
import { type Chunks, createChunks } from '../tiles/tile-checksums.ts';

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

/** A file that is open, and has the fingerprint that was planned with. */
export interface OpenedFile extends SourceFile {
  readonly handle: ReadHandle;
  /** The path that libvips opens: of the open file itself, whatever its own path leads to meanwhile. */
  readonly readPath: string;
  /** Caches numbers of the file: where its tiles lie, and their checksums. */
  readonly chunks: Chunks;
}

export interface OpenedRender extends Render {
  readonly file: OpenedFile;
}

/** Viewers read many parts of a file soon after each other: to open it for each would take a fifth of the time of a small one. */
const files = new OpenFiles({ maxFiles: 128, idleMs: 5000 });

/** By version of an open file. */
const chunksOf = new LRUCache<string, Chunks>({ max: 128, ttl: 5000, updateAgeOnGet: true });

function cachedChunks({ path, fingerprint }: SourceFile): Chunks {
  const key = `${fingerprint} ${path}`;
  const chunks = chunksOf.get(key) ?? createChunks();
  chunksOf.set(key, chunks);
  return chunks;
}

/** A file of which nothing but parts is here: a path for libvips has to be had elsewhere. */
const ofParts = (file: SourceFile, parts: readonly FilePart[]): OpenedFile => ({
  ...file,
  handle: partsHandle(parts),
  chunks: createChunks(),
  get readPath(): string {
    throw new Error('only parts of the file are here');
  },
});

/**
 * The result of `use` on the opened file of a plan. Throws ImageError `changed` where another file has its path, and `failed`
 * where it can't be opened. Whether it was written to meanwhile, or, on systems without paths of open files, whether libvips
 * opened another one, has to be checked afterwards, as the server does.
 */
export function withOpenedFile<T>(plan: Render, use: (opened: OpenedRender) => Promise<T>): Promise<T> {
  const { file, parts, excerpt } = plan;
  if (parts !== undefined || excerpt !== undefined) return use({ ...plan, file: ofParts(file, parts ?? []) });
  return files.use(file, ({ handle }) => {
    const chunks = cachedChunks(file);
    const readPath = hasDescriptorPaths ? descriptorPath(handle) : file.path;
    return use({ ...plan, file: { ...file, handle, readPath, chunks } });
  });
}
