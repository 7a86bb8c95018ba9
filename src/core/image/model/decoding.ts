/** How libvips decodes a level, as its header says: on this depends how much of the level is in memory at once. */

export interface Decoding {
  /** Bytes of a decoded pixel in memory. */
  readonly pixelBytes: number;
  /** Bytes for each pixel of the level that the decoder holds from its first row to its last; absent where it streams. */
  readonly heldBytes?: number;
  /** Number of rows that are compressed together; absent for tiles, and where each row is decoded by itself. */
  readonly stripRows?: number;
}

/** Bytes of a pixel of `channels` samples; samples of less than 8 bits take a byte each. */
export const pixelBytesOf = (channels: number, bits: number): number => channels * Math.max(1, Math.ceil(bits / 8));
