/** Wraps 8-bit samples and their ICC profile as an uncompressed TIFF: of raw samples, libvips takes no profile. */

export interface PixelSize {
  readonly width: number;
  readonly height: number;
  /** Gray, gray and alpha, RGB, RGBA. */
  readonly channels: 1 | 2 | 3 | 4;
}

export interface PixelDescription {
  /** An ICC profile. */
  readonly profile?: Buffer;
}

/** Behind the header of 8 bytes. */
const depthsAt = 8;
const [short, long, undefinedType] = [3, 4, 7];

type Entry = readonly [tag: number, type: number, count: number, value: number];

function writeEntry([tag, type, count, value]: Entry): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt16LE(tag, 0);
  bytes.writeUInt16LE(type, 2);
  bytes.writeUInt32LE(count, 4);
  // Little-endian: a short fills the first half of the field.
  bytes.writeUInt32LE(value, 8);
  return bytes;
}

/** BitsPerSample: up to two values of 16 bits lie in the entry itself. */
function depthsEntry(channels: number): Entry {
  if (channels === 1) return [258, short, 1, 8];
  return channels === 2 ? [258, short, 2, 8 | (8 << 16)] : [258, short, channels, depthsAt];
}

const padded = (bytes: Buffer): Buffer => (bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)]));

/** A TIFF file of one strip. */
export function wrapPixels(pixels: Buffer, size: PixelSize, { profile }: PixelDescription): Buffer {
  const { width, height, channels } = size;
  const depths = Buffer.from([8, 0, 8, 0, 8, 0, 8, 0]);
  const profileAt = depthsAt + depths.length;
  const stored = padded(profile ?? Buffer.alloc(0));
  const pixelsAt = profileAt + stored.length;
  const hasAlpha = channels === 2 || channels === 4;
  const entries: Entry[] = [
    [256, long, 1, width],
    [257, long, 1, height],
    depthsEntry(channels),
    [259, short, 1, 1],
    [262, short, 1, channels > 2 ? 2 : 1],
    [273, long, 1, pixelsAt],
    [277, short, 1, channels],
    [278, long, 1, height],
    [279, long, 1, pixels.length],
  ];
  entries.push([284, short, 1, 1]);
  if (hasAlpha) entries.push([338, short, 1, 2]);
  if (profile) entries.push([34675, undefinedType, profile.length, profileAt]);
  const head = Buffer.from('II*\0\0\0\0\0', 'latin1');
  const body = padded(pixels);
  head.writeUInt32LE(pixelsAt + body.length, 4);
  const count = Buffer.alloc(2);
  count.writeUInt16LE(entries.length);
  return Buffer.concat([head, depths, stored, body, count, ...entries.map(writeEntry), Buffer.alloc(4)]);
}
