/** Writes TIFF: samples, part by part, as one uncompressed BigTIFF, and the orientation tag of a file. */
import { writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { type ByteSource, directoryOf, headerBytes, headerOf, readDirectories, TiffError, tags } from '@lectern/tiff';
import type { Rect } from '../image/model/geometry.ts';

interface StripedImage {
  readonly width: number;
  readonly height: number;
  /** Gray or RGB, 8 bits each. */
  readonly channels: 1 | 3;
}

/** The rows of a strip of the file: readers read one strip at a time. */
const rowsPerStrip = 16;

/** The samples are behind the header. */
const samplesAt = headerBytes.bigTiff;

/** The directory after the samples. */
function directoryAt(at: number, { width, height, channels }: StripedImage): Buffer {
  const rowBytes = width * channels;
  const strips = Array.from({ length: Math.ceil(height / rowsPerStrip) }, (_, index) => index * rowsPerStrip);
  return directoryOf(
    [
      [tags.width, 4, [width]],
      [tags.height, 4, [height]],
      [tags.bits, 3, Array.from({ length: channels }, () => 8)],
      [tags.compression, 3, [1]],
      [tags.photometric, 3, [channels === 3 ? 2 : 1]],
      [tags.stripOffsets, 16, strips.map((row) => samplesAt + row * rowBytes)],
      [tags.samples, 3, [channels]],
      [tags.rowsPerStrip, 4, [rowsPerStrip]],
      [tags.stripLengths, 16, strips.map((row) => Math.min(rowsPerStrip, height - row) * rowBytes)],
    ],
    at,
    'bigTiff',
  );
}

/** A part of an image and its samples, row by row. */
export interface ImagePart {
  readonly rect: Rect;
  readonly samples: Buffer;
}

/** Writes all of the bytes. Throws where the disk fails. */
function writeAll(descriptor: number, bytes: Buffer, position: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
}

/** Whole rows are written at once; of a narrower part each row lies elsewhere. */
function writePart(descriptor: number, { width, channels }: StripedImage, { rect, samples }: ImagePart): void {
  const [imageRowBytes, rowBytes] = [width * channels, rect.width * channels];
  const position = samplesAt + rect.y * imageRowBytes + rect.x * channels;
  if (rowBytes === imageRowBytes) {
    writeAll(descriptor, samples, position);
    return;
  }
  for (let row = 0; row < rect.height; row++)
    writeAll(descriptor, samples.subarray(row * rowBytes, (row + 1) * rowBytes), position + row * imageRowBytes);
}

/** Writes a file of this size; the parts fill the image. Rejects where the disk fails. */
export async function writeParts(file: string, image: StripedImage, parts: AsyncIterable<ImagePart>): Promise<void> {
  const { width, height, channels } = image;
  const end = samplesAt + width * height * channels;
  const at = end + (end % 2);
  const handle = await open(file, 'wx', 0o600);
  try {
    writeAll(handle.fd, headerOf(at, 'bigTiff'), 0);
    for await (const part of parts) writePart(handle.fd, image, part);
    writeAll(handle.fd, directoryAt(at, image), at);
  } finally {
    await handle.close();
  }
}

/** A bound that is larger than the number of levels of any pyramid. */
const maxDirectories = 64;

/** Sets the tag in every directory of a TIFF file to upright. Throws TiffError where the file is no TIFF, or cut short. */
export async function setUpright(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const { size } = await handle.stat();
    const source: ByteSource = {
      size,
      read: async (offset, length) => {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
        return buffer.subarray(0, bytesRead);
      },
    };
    const { directories, littleEndian, isCutOff } = await readDirectories(source, maxDirectories);
    if (isCutOff) throw new TiffError('The TIFF file that was written is cut short.');
    for (const { entries } of directories) {
      const entry = entries.get(tags.orientation);
      if (entry) await handle.write(Buffer.from(littleEndian ? [1, 0] : [0, 1]), 0, 2, entry.offset);
    }
  } finally {
    await handle.close();
  }
}
