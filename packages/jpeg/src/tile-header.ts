/** Writes the header that makes a stored tile's bytes a JPEG file (TIFF Technical Note 2; JFIF 1.02; ICC.1:2010, B.4). */

/** What the samples of a tile are: the header of its file says it, and not always the tile. */
export type TileSamples = 'gray' | 'ycbcr' | 'rgb';

const startOfImage = Buffer.from([0xff, 0xd8]);

function segment(marker: number, content: Buffer): Buffer {
  const start = Buffer.from([0xff, marker, 0, 0]);
  start.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([start, content]);
}

/** Version 1.1, square pixels. */
const jfif = segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1'));

/** Version 100, no flags, and transform 0: the samples are red, green and blue. */
const adobeRgb = segment(0xee, Buffer.from('Adobe\0\x64\0\0\0\0\0', 'latin1'));

const profileName = Buffer.from('ICC_PROFILE\0', 'latin1');

/** Maximum length in bytes of a profile's chunk, which shares a segment with its name and numbers. */
const profileChunkBytes = 65_519;

function profileSegments(profile: Buffer): readonly Buffer[] {
  const count = Math.ceil(profile.length / profileChunkBytes);
  return Array.from({ length: count }, (_, index) => {
    const chunk = profile.subarray(index * profileChunkBytes, (index + 1) * profileChunkBytes);
    return segment(0xe2, Buffer.concat([profileName, Buffer.from([index + 1, count]), chunk]));
  });
}

/** The header of tiles with these samples; `tables` is a whole stream, of which the start and end markers are omitted. */
export function jpegHeader(samples: TileSamples, tables?: Buffer, profile?: Buffer): Buffer {
  return Buffer.concat([
    startOfImage,
    samples === 'rgb' ? adobeRgb : jfif,
    ...(profile ? profileSegments(profile) : []),
    ...(tables ? [tables.subarray(2, -2)] : []),
  ]);
}
