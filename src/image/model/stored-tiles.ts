/** What is known of the tiles that a level is stored in: where they lie, and whether they can be sent as they are. */

/** Bytes of a file. */
export interface StoredBytes {
  /** Offset in the file. */
  readonly at: number;
  /** Length in bytes. */
  readonly bytes: number;
}

/** Numbers that lie side by side in a file; there can be millions, so they stay there. */
export interface StoredNumbers {
  /** Offset of the first in the file. */
  readonly at: number;
  readonly count: number;
  readonly bytesEach: 2 | 4 | 8;
  readonly littleEndian: boolean;
}

/** Tiles that become JPEG files when a head is put before them. */
export interface JpegTiles {
  readonly kind: 'jpeg';
  /** How many tiles lie beside each other, and how many below each other. */
  readonly columns: number;
  readonly rows: number;
  /** Where each tile begins in the file, row by row; 0 where a tile is not stored. */
  readonly offsets: StoredNumbers;
  /** Length of each tile in bytes. */
  readonly lengths: StoredNumbers;
  readonly samples: 'ycbcr' | 'rgb' | 'gray';
  /** The tables that the tiles share, as a JPEG stream without an image (TIFF Technical Note 2); absent where they share none. */
  readonly tables?: StoredBytes;
  /** The level’s ICC profile, where it has one that can go into a JPEG. */
  readonly profile?: StoredBytes;
}

export type StoredTiles =
  | JpegTiles
  /** Tiles that have to be decoded. The reason is the end of a sentence, such as “its tiles are stored with LZW compression”. */
  | { readonly kind: 'opaque'; readonly reason: string };
