/**
 * Where redactions lie in the pixels that a rendering reads, and in its result. They are black twice: before any resampling, so that nothing
 * of what is below contributes to a pixel of the result, and after all colors were changed, so that they are black whatever
 * these do.
 *
 * A stored pixel beside a redaction can have something of what is below in it, as far as the filters of the file's writer reached. So redactions
 * are larger in what is read:
 *
 * - At the full size, by nothing where the file is stored without loss by its format (PNG, GIF). Others are coded in blocks, in all of whose
 *   pixels an error of rounding is seen that follows from each of them, so that guesses of what is below can be compared with it: the whole
 *   blocks are black (JPEG, in TIFF, too; WebP). Colors are in blocks of 16, since they can be stored in a half of the size, which decoders
 *   then interpolate: they are seen in two pixels more.
 * - In files that are made of the decoded full size, which are prescaled versions and derived pyramids, by what is seen there to begin with.
 * - In smaller levels and prescaled versions, by three pixels of the level then. Writers average two by two (libvips), which needs one, or
 *   use kernels, of which Lanczos reaches farthest: over three. What is enlarged so is extended to blocks: in prescaled versions, which are
 *   files of their own, as at the full size; in smaller levels of a file to the blocks of 8 of brightness.
 * - In JPEG 2000, by two at the full size, which has no blocks: an error of rounding spreads, and fades. In its reduced levels, by four: its
 *   longest low-pass filter has nine taps, so that one halving reaches over two pixels of the result, and all of them over 2 + 1 + 1/2 + … < 4.
 * - Where so many more pixels are read than are needed that they are averaged first (`before`), by two of the averaged ones: a triangle kernel reaches
 *   over one, and decoders that shrink while they load place pixels within half of one.
 *
 * Stored tiles are coded each by itself: one that no redaction so enlarged overlaps shows nothing of it.
 */
import {
  intersect,
  mapRect,
  type Rect,
  type Size,
  type Turn,
  toStored,
  turned,
  upright,
} from '../../model/geometry.ts';
import type { Level, Resolution } from '../../model/image-set.ts';
import type { Redaction } from '../plan-types.ts';
import { gridOf, type LevelGrid } from '../read-window.ts';
import type { ImageCovers } from './image-covers.ts';

/** What is read of a file, and the picture that is made of it. */
export interface ReadPart {
  /** With all pixels that the file has. */
  readonly file: Resolution;
  readonly level: Level;
  /** In pixels of the level. */
  readonly read: Rect;
  /** The size to which it is scaled, as stored. */
  readonly scaled: Size;
  /** Whether the part is resampled, for which all of its pixels are in memory anyway. */
  readonly isResampled: boolean;
  /** The same part in upright pixels of the file, without the neighbors that are read. */
  readonly source: Rect;
  /** The picture before it is turned as requested. */
  readonly output: Size;
  readonly turn: Turn;
}

const withoutBlocks: readonly Resolution['format'][] = ['png', 'gif', 'jp2'];

const reach = { full: 2, smaller: 3, wavelet: 4, averaged: 2 } as const;

/** By how many pixels of a level a redaction is larger on each side: before it is extended to whole blocks, and after that. */
interface Reach {
  readonly before: number;
  /** The side of a block; 1 where there are none. */
  readonly block: number;
  readonly after: number;
}

function reachOf(level: Level, file: Resolution, stored: Size): Reach {
  const { format } = file;
  const hasBlocks = !withoutBlocks.includes(format);
  if (level.location.kind === 'reduction' && level.location.reduction > 0)
    return { before: reach.wavelet, block: 1, after: 0 };
  if (level !== file.levels[0]) return { before: reach.smaller, block: hasBlocks ? 8 : 1, after: 0 };
  const before = file.width < stored.width ? reach.smaller : 0;
  if (format === 'jp2') return { before: Math.max(before, reach.full), block: 1, after: 0 };
  return hasBlocks ? { before, block: 16, after: reach.full } : { before, block: 1, after: 0 };
}

/** Rounding error of divisions. */
const rounding = 1e-6;

/** The whole pixels around a rectangle, and more of them on each side. */
function around({ x, y, width, height }: Rect, more: number): Rect {
  const [left, top] = [Math.floor(x + rounding) - more, Math.floor(y + rounding) - more];
  return {
    x: left,
    y: top,
    width: Math.ceil(x + width - rounding) + more - left,
    height: Math.ceil(y + height - rounding) + more - top,
  };
}

/** The whole blocks around a rectangle. */
function blocksAround({ x, y, width, height }: Rect, block: number): Rect {
  const blocks = around({ x: x / block, y: y / block, width: width / block, height: height / block }, 0);
  return mapRect(blocks, { width: block, height: block }, times);
}

const times = (value: number, factor: number): number => value * factor;

const ratioOf = (to: Size, from: Size): Size => ({ width: to.width / from.width, height: to.height / from.height });

const enlarged = (rect: Rect, { before, block, after }: Reach): Rect =>
  around(blocksAround(around(rect, before), block), after);

/** A redaction as it is seen in the decoded file at its full size, of which other files are made. */
function seenInFile(redaction: Rect, stored: Resolution): Rect {
  const [full] = stored.levels;
  const asStored = toStored(redaction, full, stored.orientation);
  return turned(enlarged(asStored, reachOf(full, stored, stored)), full, upright(stored.orientation));
}

/** A redaction in pixels of a level. */
function onLevel(redaction: Rect, stored: Resolution, { file, level }: ReadPart, { across, down }: LevelGrid) {
  const inSource = file === stored ? redaction : seenInFile(redaction, stored);
  const whole = mapRect(inSource, ratioOf(file, stored), times);
  const { x, y, width, height } = toStored(whole, file.levels[0], file.orientation);
  const exact = {
    x: x / across.step + across.phase,
    y: y / down.step + down.phase,
    width: width / across.step,
    height: height / down.step,
  };
  return enlarged(exact, reachOf(level, file, stored));
}

/** Pixels of a level on the picture, turned as requested; undefined where they are beside it. */
function onPicture({ x, y, width, height }: Rect, part: ReadPart, { across, down }: LevelGrid): Rect | undefined {
  const { file, source, output, turn } = part;
  const inFile = {
    x: (x - across.phase) * across.step,
    y: (y - down.phase) * down.step,
    width: width * across.step,
    height: height * down.step,
  };
  const shown = turned(inFile, file.levels[0], upright(file.orientation));
  const moved = { ...shown, x: shown.x - source.x, y: shown.y - source.y };
  const visible = intersect(around(mapRect(moved, ratioOf(output, source), times), 0), output);
  return visible && turned(visible, output, turn);
}

/** From so many pixels for one of the result, they are averaged first; otherwise all of them would be in memory. */
const manyPixels = 4;

/** As many are left for the kernel. */
const pixelsLeft = 3;

const lengthBefore = (read: number, scaled: number): number =>
  read > manyPixels * scaled ? pixelsLeft * scaled : read;

/** The size to which what is read is averaged first; undefined where it is not. */
function sizeBefore({ read, scaled, isResampled }: ReadPart): Size | undefined {
  if (isResampled) return undefined;
  const size = { width: lengthBefore(read.width, scaled.width), height: lengthBefore(read.height, scaled.height) };
  return size.width === read.width && size.height === read.height ? undefined : size;
}

/** What is black of what a rendering reads, and of its result; undefined where no redaction is in what it reads. */
export function redactionOf({ covers, stored }: ImageCovers, part: ReadPart): Redaction | undefined {
  const { read, level, output, turn } = part;
  const grid = gridOf(level, part.file);
  const before = sizeBefore(part);
  const scale = ratioOf(before ?? read, read);
  const inRead: Rect[] = [];
  const shown: Rect[] = [];
  for (const redaction of covers.redactions) {
    const { x, y, ...size } = onLevel(redaction, stored, part, grid);
    const own = { ...size, x: x - read.x, y: y - read.y };
    if (intersect(own, read) === undefined) continue;
    const black = before ? around(mapRect(own, scale, times), reach.averaged) : own;
    const visible = intersect(black, before ?? read);
    if (visible) inRead.push(visible);
    const back = mapRect(black, scale, (length, factor) => length / factor);
    const result = onPicture({ ...back, x: back.x + read.x, y: back.y + read.y }, part, grid);
    if (result) shown.push(result);
  }
  if (inRead.length === 0) return undefined;
  const picture = turned({ x: 0, y: 0, ...output }, output, turn);
  return {
    ...(before && { before }),
    read: inRead,
    shown,
    picture: { width: picture.width, height: picture.height },
  };
}
