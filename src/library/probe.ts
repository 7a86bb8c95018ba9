/** Reads the facts of an image file from its header, and keeps them as long as the file stays the same. */
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises';
import type { SourceFormat } from '../image/formats.ts';
import { transpose } from '../image/geometry.ts';
import { isTransposed, type PageFacts, type Resolution, type SourceFile } from '../image/image-set.ts';
import { fingerprintOf } from './current.ts';
import { type Containment, ifThere } from './folders.ts';
import type { ByteSource } from './headers/byte-source.ts';
import { HeaderError, readHeader } from './headers/header.ts';
import { Recent } from './recent.ts';

/** Whether EXIF orientation turns the picture, or is ignored as digilib ignores it (digilib.md, "Where we differ", 9). */
export type OrientationRule = 'apply' | 'ignore';

interface Remembered {
  readonly fingerprint: string;
  /** One for each page of the file; none for a file that can't be read as an image. */
  readonly pages: readonly Resolution[];
}

function byteSourceOf(handle: FileHandle, size: number): ByteSource {
  return {
    size,
    read: async (offset, length) => {
      const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
      return buffer.subarray(0, bytesRead);
    },
  };
}

/** How a whole file of a format ends; formats that are never sent in place of a picture need no entry. */
const endings: Partial<Record<SourceFormat, { readonly bytes: number; readonly mark: Buffer }>> = {
  jpeg: { bytes: 64, mark: Buffer.from([0xff, 0xd9]) },
  png: { bytes: 12, mark: Buffer.from('IEND') },
};

async function isComplete(source: ByteSource, format: SourceFormat): Promise<boolean> {
  const ending = endings[format];
  if (ending === undefined) return false;
  const tail = await source.read(Math.max(0, source.size - ending.bytes), ending.bytes);
  return tail.includes(ending.mark);
}

function resolutionOf(
  page: PageFacts,
  format: SourceFormat,
  file: SourceFile,
  complete: boolean,
  rule: OrientationRule,
): Resolution {
  const orientation = rule === 'apply' ? page.orientation : 1;
  const [full] = page.levels;
  const { width, height } = isTransposed(orientation) ? transpose(full) : full;
  return { ...page, orientation, width, height, file, format, complete };
}

/** Opens image files for their facts. */
export class Prober {
  readonly #isContained: Containment;
  readonly #orientation: OrientationRule;
  readonly #onUnreadable: (path: string, reason: string) => void;
  readonly #remembered = new Recent<string, Remembered>(100_000);

  constructor(
    isContained: Containment,
    orientation: OrientationRule,
    onUnreadable: (path: string, reason: string) => void,
  ) {
    this.#isContained = isContained;
    this.#orientation = orientation;
    this.#onUnreadable = onUnreadable;
  }

  /** The facts of each page of the file at an absolute path; none where it is no readable image, or a link leads out. */
  async probe(path: string): Promise<readonly Resolution[]> {
    const stats = await this.#statContained(path);
    if (!stats?.isFile()) return [];
    const fingerprint = fingerprintOf(stats);
    const remembered = this.#remembered.get(path);
    if (remembered?.fingerprint === fingerprint) return remembered.pages;
    const file = { path, bytes: Number(stats.size), modifiedMs: Number(stats.mtimeMs), fingerprint };
    const pages = await this.#read(file);
    this.#remembered.set(path, { fingerprint, pages });
    return pages;
  }

  /** The folder around the file is known to be contained, so only a link can lead out of the roots. */
  async #statContained(path: string): Promise<BigIntStats | undefined> {
    const stats = await ifThere(lstat(path, { bigint: true }));
    if (!stats?.isSymbolicLink()) return stats;
    const target = await ifThere(realpath(path));
    if (target === undefined || !this.#isContained(target)) return undefined;
    return ifThere(stat(target, { bigint: true }));
  }

  async #read(file: SourceFile): Promise<readonly Resolution[]> {
    const handle = await ifThere(open(file.path, constants.O_RDONLY | constants.O_NONBLOCK));
    if (handle === undefined) {
      this.#onUnreadable(file.path, 'The file may not be read.');
      return [];
    }
    try {
      const source = byteSourceOf(handle, file.bytes);
      const { format, pages } = await readHeader(source);
      const complete = await isComplete(source, format);
      return pages.map((page) => resolutionOf(page, format, file, complete, this.#orientation));
    } catch (error) {
      if (!(error instanceof HeaderError)) throw error;
      this.#onUnreadable(file.path, error.reason);
      return [];
    } finally {
      await handle.close();
    }
  }
}
