/** Reads the facts of a JPEG 2000 file: its resolutions, colors, orientation. */
import { readHeader } from '@lectern/jpeg2000';
import { type CodeStream, finestStep, type Jpeg2000Color, reducedSize, tileCounts } from '@lectern/jpeg2000/model';
import type { Size } from '../../image/model/geometry.ts';
import { type ImageHeader, type Level, pixelBytesOf, type StoredTiles } from '../../image/model/image-set.ts';
import { type ByteSource, readExactly, sliceSource } from './byte-source.ts';
import { isSrgbProfile } from './icc.ts';
import { dpiOf, inchesPerMeter, readExif } from './image-facts.ts';

/** The largest profile that is examined, in bytes. */
const maxProfileBytes = 1024 * 1024;

const stored: StoredTiles = { kind: 'opaque', reason: 'its tiles are stored with JPEG 2000 compression' };

export async function readJp2(source: ByteSource): Promise<ImageHeader> {
  const { codeStream, color, mediaType, kind, bits, resolution, isTruncated, ...header } = await readHeader(source);
  const exif = header.exif && (await readExif(sliceSource(source, header.exif.at, header.exif.bytes)));
  const dpi = (resolution && dpiOf(resolution.x, resolution.y, inchesPerMeter)) ?? exif?.dpi;
  const isSrgb = await isSrgbAt(source, color);
  const page = {
    levels: levelsOf(codeStream, color, bits),
    orientation: exif?.orientation ?? 1,
    color: kind,
    bits,
    alpha: color.alpha !== undefined,
    profile: color.profile !== undefined,
    ...(isSrgb && { profileSpace: 'srgb' as const }),
    ...(dpi && { dpi }),
    jpeg2000: { mediaType, codeStream, color },
  };
  return { format: 'jp2', pages: [page], ...(isTruncated && { truncated: true }) };
}

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
