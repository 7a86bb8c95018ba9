/** Makes JPEG files of tiles as TIFF files store them: without a header of their own, and with tables that all tiles share. */

import type { Size } from './scan.ts';
import { isFrame, type Segment, segmentsOf } from './segments.ts';

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

/** The frames that browsers decode: baseline, extended and progressive, all with Huffman coding. */
const frames: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);

/** More than any encoder writes before the first scan. */
const maxSegments = 100;

function isFrameOf({ marker, content }: Segment, tile: Size, components: number): boolean {
  return (
    frames.has(marker) &&
    content.length >= 6 &&
    content[0] === 8 &&
    content.readUInt16BE(1) === tile.height &&
    content.readUInt16BE(3) === tile.width &&
    content[5] === components
  );
}

/** Whether a segment names the same colors as the header: TIFF readers ignore it, JPEG readers don't. */
function agrees({ marker, content }: Segment, samples: TileSamples): boolean {
  if (marker === 0xe0 && content.toString('latin1', 0, 5) === 'JFIF\0') return samples !== 'rgb';
  if (marker !== 0xee || content.toString('latin1', 0, 5) !== 'Adobe') return true;
  return content[11] === (samples === 'ycbcr' ? 1 : 0);
}

/** Maximum number of bytes after the end of the image: writers fill up to even offsets. */
const paddingBytes = 16;

const endOfImage = Buffer.from([0xff, 0xd9]);

/** The fault of a tile without an end marker. */
export const noEnd = 'the tile’s bytes are cut short';

/** Why a tile of this size can't be sent as it is, as the end of a sentence; undefined where it can. */
export function whyUnusable(stream: Buffer, tile: Size, samples: TileSamples): string | undefined {
  if (stream.length < 4 || stream.readUInt16BE(0) !== 0xff_d8) return 'the tile’s bytes don’t begin as a JPEG does';
  const segments = segmentsOf(stream, maxSegments)?.beforeScan;
  if (segments === undefined) return 'the tile’s bytes are damaged';
  const [frame, ...more] = segments.filter(({ marker }) => isFrame(marker));
  if (frame === undefined || more.length > 0 || !isFrameOf(frame, tile, samples === 'gray' ? 1 : 3)) {
    return 'the tile’s bytes are not a picture of the tile’s size and kind';
  }
  if (!segments.every((each) => agrees(each, samples))) return 'the tile’s bytes say other colors than the file';
  const isWhole = stream.subarray(-paddingBytes).includes(endOfImage);
  return isWhole ? undefined : noEnd;
}
