/** Reads the header of a JPEG 2000 file, with boxes around its code-stream (JP2, JPX, JPH) or without (ISO 15444-1). */
import { pixelBytesOf } from '../../image/model/decoding.ts';
import type { Size } from '../../image/model/geometry.ts';
import type { ImageHeader, Level } from '../../image/model/image-set.ts';
import {
  type CodeStream,
  finestStep,
  type Jpeg2000,
  type Jpeg2000Color,
  reducedSize,
  tileCounts,
} from '../../image/model/jpeg2000.ts';
import type { StoredTiles } from '../../image/model/stored-tiles.ts';
import { type ByteSource, readExactly } from './byte-source.ts';
import { isCutShort, readCodeStream } from './code-stream.ts';
import { required } from './header-error.ts';
import { isSrgbProfile } from './icc.ts';
import { type Boxes, readBoxes } from './jp2-boxes.ts';
import { resolveColor } from './jp2-color.ts';

/** The largest profile that is examined, in bytes. */
const maxProfileBytes = 1024 * 1024;

const stored: StoredTiles = { kind: 'opaque', reason: 'its tiles are stored with JPEG 2000 compression' };

export async function readJp2(source: ByteSource): Promise<ImageHeader> {
  const isBare = (await source.read(0, 2)).equals(Buffer.of(0xff, 0x4f));
  const boxes: Boxes = isBare ? bare(source) : await readBoxes(source);
  const box = required(boxes.codeStream, 'The JPEG 2000 file ends or breaks before its code-stream.');
  const codeStream = await readCodeStream(box.body, box.at);
  const { color, stored: storedColor, bits } = resolveColor(boxes, codeStream);
  const { exif } = boxes;
  const dpi = boxes.captureDpi ?? boxes.displayDpi ?? exif?.dpi;
  const isTruncated = box.isCutOff || (box.isOpen && (await isCutShort(box.body, codeStream)));
  const isSrgb = await isSrgbAt(source, color);
  const page = {
    levels: levelsOf(codeStream, color, bits),
    orientation: exif?.orientation ?? 1,
    color: storedColor,
    bits,
    alpha: color.alpha !== undefined,
    profile: color.profile !== undefined,
    ...(isSrgb && { profileSpace: 'srgb' as const }),
    ...(dpi && { dpi }),
    jpeg2000: { mediaType: mediaTypeOf(boxes, codeStream, isBare), codeStream, color },
  };
  return { format: 'jp2', pages: [page], ...(isTruncated && { truncated: true }) };
}

/** JPX and JPH by their brands; High-Throughput code-streams also count as JPH in a file that says JP2. */
function mediaTypeOf({ brand }: Boxes, { highThroughput }: CodeStream, isBare: boolean): Jpeg2000['mediaType'] {
  if (isBare) return highThroughput ? 'image/jphc' : 'image/j2c';
  return brand === 'jpx ' ? 'image/jpx' : brand === 'jph ' || highThroughput ? 'image/jph' : 'image/jp2';
}

const bare = (source: ByteSource): Boxes => ({
  count: 0,
  codeStream: { type: 'jp2c', body: source, at: 0, isCutOff: false, isOpen: true },
});

async function isSrgbAt(source: ByteSource, { profile }: Jpeg2000Color): Promise<boolean> {
  if (profile === undefined || profile.bytes > maxProfileBytes) return false;
  const bytes = await readExactly(source, profile.at, profile.bytes);
  return bytes !== undefined && isSrgbProfile(bytes);
}

/** The full size and each reduction of it, down to a single pixel. */
function levelsOf(codeStream: CodeStream, { colors, alpha }: Jpeg2000Color, bits: number): [Level, ...Level[]] {
  // The decoder yields samples of at most 16 bits.
  const pixelBytes = pixelBytesOf(colors.length + (alpha ? 1 : 0), Math.min(16, bits));
  const { columns, rows } = tileCounts(codeStream);
  const isTiled = columns * rows > 1;
  const level = (reduction: number, size: Size): Level => ({
    ...size,
    location: { kind: 'reduction', reduction },
    ...(isTiled && { tile: reducedTile(codeStream, reduction), stored }),
    decoding: { pixelBytes },
  });
  const levels: [Level, ...Level[]] = [level(0, reducedSize(codeStream, 0))];
  for (let reduction = 1; reduction <= codeStream.reductions; reduction++) {
    const size = reducedSize(codeStream, reduction);
    const isSmaller = size.width * size.height < (levels.at(-1)?.width ?? 0) * (levels.at(-1)?.height ?? 0);
    if (size.width < 1 || size.height < 1 || !isSmaller) break;
    levels.push(level(reduction, size));
  }
  return levels;
}

/** The cell of the tile grid in pixels of a level; where these are no whole numbers, that of the larger cells. */
function reducedTile(codeStream: CodeStream, reduction: number): Size {
  const { width, height } = codeStream.tile;
  const { dx, dy } = finestStep(codeStream);
  const factor = 2 ** reduction;
  return { width: Math.ceil(width / dx / factor), height: Math.ceil(height / dy / factor) };
}
