/** The tiles of a level: their positions in the file, and whether they can be sent as they are stored. */

/** Bytes of a file. */
export interface StoredBytes {
  /** Offset in the file. */
  readonly at: number;
  /** Length in bytes. */
  readonly bytes: number;
}

/** A list of numbers in a file; it can hold millions, so it is not read as a whole. */
export interface StoredNumbers {
  /** Offset of the first in the file. */
  readonly at: number;
  readonly count: number;
  readonly bytesEach: 2 | 4 | 8;
  readonly littleEndian: boolean;
}

/** Checksums (CRC-32) of a file that we made, which detect every flipped bit of what is read of it. */
export interface Checksums {
  /** The checksum of each tile of the level, row by row. */
  readonly tiles: StoredNumbers;
  /** The parts of the file that are not tiles: headers, tables, the positions of the tiles. */
  readonly otherParts: readonly StoredBytes[];
  /** The checksum of these parts together. */
  readonly otherCrc32: number;
}

/** Tiles that become JPEG files when a header is put before them. */
export interface JpegTiles {
  readonly kind: 'jpeg';
  /** Number of tiles in a row and in a column of the level's grid. */
  readonly columns: number;
  readonly rows: number;
  /** Offset of each tile in the file, row by row; 0 where a tile is not stored. */
  readonly offsets: StoredNumbers;
  /** Length of each tile in bytes. */
  readonly lengths: StoredNumbers;
  readonly samples: 'ycbcr' | 'rgb' | 'gray';
  /** The tables that the tiles share, as a JPEG stream without an image (TIFF Technical Note 2); absent where they share none. */
  readonly tables?: StoredBytes;
  /** The level’s ICC profile, where it has one that can go into a JPEG. */
  readonly profile?: StoredBytes;
  /** Present in derived pyramids. */
  readonly checksums?: Checksums;
}

export type StoredTiles =
  | JpegTiles
  /** Tiles that have to be decoded. The reason is the end of a sentence, such as “its tiles are stored with LZW compression”. */
  | { readonly kind: 'opaque'; readonly reason: string };
