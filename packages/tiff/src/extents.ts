/** Holds the strips and tiles that a TIFF directory names against the length of the file. */
import { ifIntact } from './bytes.ts';
import { readNumber, readNumbers, type TiffBytes, type TiffDirectory, type TiffEntry, tags } from './directories.ts';

const compressions = { none: 1, oldJpeg: 6 } as const;
const ycbcr = 6;

/** How many strips and tiles of a file are checked in all; their offsets and lengths take at most 16 bytes each. */
const maxBlocks = 500_000;
/** Of a longer list, as many of the first and of the last are checked: most writers store their blocks in order. */
const maxBlocksAtEnd = 2000;

interface Lists {
  readonly offsets: TiffEntry;
  /** Absent where the directory has none, as old writers of a single strip do. */
  readonly lengths: TiffEntry | undefined;
}

function listsOf({ entries }: TiffDirectory): Lists | undefined {
  const isTiled = entries.has(tags.tileOffsets);
  const offsets = entries.get(isTiled ? tags.tileOffsets : tags.stripOffsets);
  return offsets && { offsets, lengths: entries.get(isTiled ? tags.tileLengths : tags.stripLengths) };
}

/** The bytes of a block by its index; undefined where the blocks are compressed. */
type PlainBytes = ((index: number) => number) | undefined;

/**
 * The bytes that libtiff reads of a block without compression, by its index: it ignores what a strip’s length says beyond
 * that, as writers do that count the rows of a whole strip below the image. Undefined for subsampled colors.
 */
async function plainBytes(
  file: TiffBytes,
  directory: TiffDirectory,
  { width, height }: Readonly<Record<'width' | 'height', number>>,
): Promise<PlainBytes> {
  const number = (tag: number) => readNumber(file, directory, tag);
  // Rows of subsampled colors are shorter.
  if ((await number(tags.photometric)) === ycbcr) return undefined;
  const samples = (await number(tags.planar)) === 2 ? 1 : ((await number(tags.samples)) ?? 1);
  const rowBits = samples * ((await number(tags.bits)) ?? 1);
  const rowBytes = (columns: number): number => Math.ceil((columns * rowBits) / 8);
  const [tileWidth, tileHeight] = [await number(tags.tileWidth), await number(tags.tileHeight)];
  if (tileWidth && tileHeight) return () => tileHeight * rowBytes(tileWidth);
  const rows = Math.min(height, (await number(tags.rowsPerStrip)) || height);
  const strips = Math.ceil(height / rows);
  return (index) => Math.min(rows, height - (index % strips) * rows) * rowBytes(width);
}

export interface ExtentCheck {
  /**
   * Whether all strips and tiles of an image lie within the file, as far as the bound on their number lets them be checked.
   * A block that is not stored (with an offset or length of 0) counts as inside; libtiff fails where it has to read one.
   */
  isInside(directory: TiffDirectory, size: Readonly<Record<'width' | 'height', number>>): Promise<boolean>;
  /**
   * Whether the last block in the file, of those that were checked, is compressed and ends in zeros: no encoder writes so many, but a copy that
   * reserved its space first and was not finished has them.
   */
  endsInZeros(): Promise<boolean>;
}

/** More zeros than a compressed block ends in. */
const reservedBytes = 256;

/** A check of the images of one file, which share the bound. */
export function createExtentCheck(file: TiffBytes): ExtentCheck {
  let blocksLeft = maxBlocks;
  const last = { end: 0, isZeroable: false };

  function note(offset: number, length: number, isCompressed: boolean): void {
    if (offset + length <= last.end) return;
    last.end = offset + length;
    last.isZeroable = isCompressed && length >= reservedBytes;
  }

  async function areInside(lists: Lists, first: number, count: number, plain: PlainBytes): Promise<boolean> {
    const offsets = await readNumbers(file, lists.offsets, first, count);
    const lengths = lists.lengths && (await readNumbers(file, lists.lengths, first, count));
    return offsets.every((offset, at) => {
      const length = lengths ? (lengths[at] ?? 0) : 1;
      if (offset === 0 || length === 0) return true;
      note(offset, length, plain === undefined && lists.lengths !== undefined);
      const needed = plain?.(first + at) ?? length;
      return offset + (lengths ? Math.min(length, needed) : needed) <= file.source.size;
    });
  }

  async function check(directory: TiffDirectory, size: Readonly<Record<'width' | 'height', number>>): Promise<boolean> {
    const lists = listsOf(directory);
    if (lists === undefined || blocksLeft <= 0) return true;
    const compression = (await readNumber(file, directory, tags.compression)) ?? compressions.none;
    if (compression === compressions.oldJpeg) return true;
    const { count } = lists.offsets;
    const plain = compression === compressions.none ? await plainBytes(file, directory, size) : undefined;
    const isWholeListRead = count <= Math.max(blocksLeft, 2 * maxBlocksAtEnd);
    const parts = isWholeListRead
      ? [areInside(lists, 0, count, plain)]
      : [0, count - maxBlocksAtEnd].map((first) => areInside(lists, first, maxBlocksAtEnd, plain));
    blocksLeft -= isWholeListRead ? count : 2 * maxBlocksAtEnd;
    return (await Promise.all(parts)).every(Boolean);
  }

  return {
    // A list that lies outside of the file itself lacks what it would name.
    isInside: async (directory, size) => (await ifIntact(check(directory, size))) ?? false,
    async endsInZeros() {
      if (!last.isZeroable) return false;
      const bytes = await file.source.read(last.end - reservedBytes, reservedBytes);
      return bytes.length === reservedBytes && bytes.every((byte) => byte === 0);
    },
  };
}
