/** Reads the headers of image files. The format is recognized by the bytes, never by the name of the file. */
import { Jpeg2000Error } from '@lectern/jpeg2000';
import { TiffError } from '@lectern/tiff';
import type { SourceFormat } from '../../image/model/formats.ts';
import type { ImageHeader } from '../../image/model/image-set.ts';
import { type ByteSource, HeaderError, windowedSource } from './byte-source.ts';
import { readGif } from './gif.ts';
import { readJp2 } from './jp2.ts';
import { readJpeg } from './jpeg.ts';
import { readPng } from './png.ts';
import { readTiff } from './tiff.ts';
import { readWebp } from './webp.ts';

export { HeaderError } from './byte-source.ts';

interface Reader {
  /** Matches the first bytes of the format, as Latin-1 characters; a dot matches any byte. */
  readonly signature: RegExp;
  /** `isAtHand` where a further read costs nothing, as on a disk. */
  readonly read: (source: ByteSource, isAtHand: boolean) => Promise<ImageHeader>;
}

const readers: Readonly<Record<SourceFormat, Reader>> = {
  jpeg: { signature: /^\xff\xd8\xff/s, read: readJpeg },
  png: { signature: /^\x89PNG\r\n\x1a\n/s, read: readPng },
  gif: { signature: /^GIF8[79]a/s, read: readGif },
  tiff: { signature: /^(II[*+]\0|MM\0[*+])/s, read: readTiff },
  webp: { signature: /^RIFF....WEBP/s, read: readWebp },
  jp2: { signature: /^(\0\0\0\x0cjP {2}\r\n\x87\n|\xff\x4f\xff\x51)/s, read: readJp2 },
};

const formats = Object.keys(readers) as SourceFormat[];

/** The format of a file by its first 12 bytes; undefined where the library does not read it. */
export function formatOf(start: Buffer): SourceFormat | undefined {
  const text = start.toString('latin1', 0, 12);
  return formats.find((format) => readers[format].signature.test(text));
}

/**
 * The header of an image file. Throws HeaderError where the file is no readable image. Where a further read is a request, as with `isAtHand`
 * false, the ends of TIFF and WebP files are not read.
 */
export async function readHeader(source: ByteSource, isAtHand = true): Promise<ImageHeader> {
  const windowed = windowedSource(source);
  const format = formatOf(await windowed.read(0, 12));
  if (!format)
    throw new HeaderError(source.size === 0 ? 'The file is empty.' : 'The file is no image of a known format.');
  try {
    return await readers[format].read(windowed, isAtHand);
  } catch (error) {
    const isDamage = error instanceof TiffError || error instanceof Jpeg2000Error;
    throw isDamage ? new HeaderError(error.message) : error;
  }
}
