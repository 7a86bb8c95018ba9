/** Checks that the bytes of a stored tile are the JPEG stream that the file's header describes, up to the first scan. */

import type { Size } from './geometry.ts';
import { isFrame, type Segment, segmentsOf } from './segments.ts';
import type { TileSamples } from './tile-header.ts';

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
