/** Reads the header of a TIFF file: which of its directories are pages, and which are smaller levels of a page. */

import {
  createExtentCheck,
  readDirectories,
  readNumber,
  readNumbers,
  type TiffBytes,
  type TiffDirectory,
  type TiffFile,
  tags,
} from '@lectern/tiff';
import type { Size } from '../../image/model/geometry.ts';
import {
  type Decoding,
  type ImageHeader,
  type Level,
  type LevelLocation,
  type PageFacts,
  pixelBytesOf,
  type StoredColor,
} from '../../image/model/image-set.ts';
import { type ByteSource, HeaderError, ifIntact, required } from './byte-source.ts';
import { grayOf, readExifFacts } from './image-facts.ts';
import { readStoredTiles, srgbRecognizer } from './tiff-tiles.ts';

const photometricColors: ReadonlyMap<number, StoredColor> = new Map([
  [0, 'gray'],
  [1, 'gray'],
  [2, 'rgb'],
  [3, 'palette'],
  [5, 'cmyk'],
  [6, 'rgb'],
  [8, 'lab'],
  [9, 'lab'],
  [10, 'lab'],
]);

/** Values of SampleFormat other than unsigned integers (1) and undefined ones (4). */
const sampleFormats: ReadonlyMap<number, 'signed' | 'float'> = new Map([
  [2, 'signed'],
  [3, 'float'],
]);

/** The role that a directory declares; `image` where it declares none, as many writers do. */
type Role = 'image' | 'page' | 'reduced' | 'mask';

interface Picture {
  readonly directory: TiffDirectory;
  readonly level: Level;
  readonly role: Role;
  readonly color: StoredColor;
  readonly bits: number;
  readonly samples: 'signed' | 'float' | undefined;
  readonly alpha: boolean;
  readonly profile: boolean;
}

/** A page, and the reduced images that follow it in the chain. */
interface PageDraft {
  readonly picture: Picture;
  readonly reductions: Picture[];
}

export async function readTiff(source: ByteSource, isAtHand: boolean): Promise<ImageHeader> {
  const file = await readDirectories(source);
  const pictures = await readChain(file, file.directories);
  const isSrgb = srgbRecognizer(file);
  const pages: PageFacts[] = [];
  for (const draft of draftPages(pictures)) pages.push(await withProfileSpace(await readPage(file, draft), isSrgb));
  const [first, ...more] = pages;
  const truncated = file.isCutOff || !(await hasAllBlocks(file, pages, isAtHand));
  const facts = { format: 'tiff', ...(truncated && { truncated }) } as const;
  return { ...facts, pages: [required(first, 'The TIFF file holds masks only.'), ...more] };
}

/** Whether the file has all strips and tiles of its pages and their levels; the last one is looked at where that takes no request. */
async function hasAllBlocks(file: TiffFile, pages: readonly PageFacts[], isAtHand: boolean): Promise<boolean> {
  const check = createExtentCheck(file);
  for (const { levels } of pages) {
    for (const { location, width, height } of levels) {
      const directory = directoryAt(file, location);
      if (directory && !(await check.isInside(directory, { width, height }))) return false;
    }
  }
  return !isAtHand || !(await check.endsInZeros());
}

function directoryAt({ directories }: TiffFile, location: LevelLocation): TiffDirectory | undefined {
  if (location.kind !== 'page' && location.kind !== 'subifd') return undefined;
  const directory = directories[location.page];
  return location.kind === 'page' ? directory : directory?.subDirectories[location.subifd];
}

/** The images of the chain up to the first damaged one; a damaged first one is an error. */
async function readChain(file: TiffBytes, directories: readonly TiffDirectory[]): Promise<Picture[]> {
  const pictures: Picture[] = [];
  for (const [page, directory] of directories.entries()) {
    const reading = readPicture(file, directory, { kind: 'page', page });
    const picture = page === 0 ? await reading : await ifIntact(reading);
    if (!picture) break;
    pictures.push(picture);
  }
  return pictures;
}

async function readPicture(file: TiffBytes, directory: TiffDirectory, location: LevelLocation): Promise<Picture> {
  const number = (tag: number) => readNumber(file, directory, tag);
  const size = { width: (await number(tags.width)) ?? 0, height: (await number(tags.height)) ?? 0 };
  if (!isSize(size)) throw new HeaderError('A TIFF directory says no size, or one of zero.');
  const tile = { width: (await number(tags.tileWidth)) ?? 0, height: (await number(tags.tileHeight)) ?? 0 };
  const bits = await readCount(file, directory, tags.bits);
  const color = await readColor(file, directory, bits);
  const extraSamples = directory.entries.get(tags.extraSamples);
  const extras = extraSamples ? await readNumbers(file, extraSamples, 0, 16) : [];
  return {
    directory,
    level: {
      ...size,
      location,
      directory: { at: directory.offset, littleEndian: file.littleEndian, big: file.big },
      ...(isSize(tile) && { tile, stored: await readStoredTiles(file, directory, { ...size, tile }) }),
      decoding: await readDecoding(file, directory, { color, bits, height: size.height, isTiled: isSize(tile) }),
      // ImageMagick and GraphicsMagick, which scale the whole image to each level, number the levels as pages.
      ...(directory.entries.has(tags.pageNumber) && { showsWhole: true }),
    },
    role: await readRole(file, directory),
    color,
    bits,
    samples: sampleFormats.get((await number(tags.sampleFormat)) ?? 1),
    alpha: extras.some((extra) => extra === 1 || extra === 2),
    profile: directory.entries.has(tags.profile),
  };
}

/** A number of bits or samples, 1 by default; a damaged entry may be a rational number with the divisor 0. */
async function readCount(file: TiffBytes, directory: TiffDirectory, tag: number): Promise<number> {
  const count = (await readNumber(file, directory, tag)) ?? 1;
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw new HeaderError('A TIFF directory says no whole number of bits or samples.');
}

const isSide = (pixels: number): boolean => Number.isSafeInteger(pixels) && pixels > 0;
const isSize = (size: Size): boolean => isSide(size.width) && isSide(size.height);

/** NewSubfileType is a set of flags; its predecessor SubfileType is a number: 2 reduced, 3 one of several pages. */
async function readRole(file: TiffBytes, directory: TiffDirectory): Promise<Role> {
  const flags = (await readNumber(file, directory, tags.newSubfileType)) ?? 0;
  const old = await readNumber(file, directory, tags.subfileType);
  if (flags & 4) return 'mask';
  if (flags & 1 || old === 2) return 'reduced';
  return flags & 2 || old === 3 ? 'page' : 'image';
}

async function readColor(file: TiffBytes, directory: TiffDirectory, bits: number): Promise<StoredColor> {
  const photometric = await readNumber(file, directory, tags.photometric);
  const samples = await readCount(file, directory, tags.samples);
  const color = photometricColors.get(photometric ?? (samples >= 3 ? 2 : 1)) ?? 'other';
  return color === 'gray' ? grayOf(bits) : color;
}

interface StoredRows {
  readonly color: StoredColor;
  readonly bits: number;
  readonly height: number;
  readonly isTiled: boolean;
}

/** Palettes are decoded to RGB. Without a number of rows, all of them are one strip. */
async function readDecoding(file: TiffBytes, directory: TiffDirectory, rows: StoredRows): Promise<Decoding> {
  const samples = await readCount(file, directory, tags.samples);
  const pixelBytes = pixelBytesOf(rows.color === 'palette' ? samples + 2 : samples, rows.bits);
  if (rows.isTiled) return { pixelBytes };
  const stripRows = (await readNumber(file, directory, tags.rowsPerStrip)) || rows.height;
  return { pixelBytes, stripRows: Math.min(stripRows, rows.height) };
}

/** Groups the images of the chain into pages with their reductions. */
function draftPages(pictures: readonly Picture[]): PageDraft[] {
  if (isUnmarkedPyramid(pictures))
    return pictures.slice(0, 1).map((picture) => ({ picture, reductions: pictures.slice(1) }));
  const drafts: PageDraft[] = [];
  for (const picture of pictures) {
    if (picture.role === 'reduced') drafts.at(-1)?.reductions.push(picture);
    else if (picture.role !== 'mask') drafts.push({ picture, reductions: [] });
  }
  // In a file that contains only a preview, the preview is the page.
  const preview = pictures.find((picture) => picture.role === 'reduced');
  return drafts.length === 0 && preview ? [{ picture: preview, reductions: [] }] : drafts;
}

/** Whether no directory declares a role and each is half of the one before: a pyramid of a writer that sets no flags. */
function isUnmarkedPyramid(pictures: readonly Picture[]): boolean {
  if (pictures.length < 2 || pictures.some((picture) => picture.role !== 'image')) return false;
  return pictures.every((picture, index) => {
    const before = pictures[index - 1];
    return !before || (isLevelOf(picture, before) && isHalf(picture.level, before.level));
  });
}

const isHalf = (size: Size, full: Size): boolean =>
  Math.abs(size.width - full.width / 2) <= 1 && Math.abs(size.height - full.height / 2) <= 1;

/** Whether an image can be a level of a larger one: it is smaller, and has samples of the same kind. */
function isLevelOf(picture: Picture, full: Picture): boolean {
  const sampleKeys = ['color', 'bits', 'samples', 'alpha', 'profile'] as const;
  const alike = sampleKeys.every((key) => picture[key] === full[key]);
  return alike && picture.role !== 'mask' && isReduction(picture.level, full.level);
}

/** A side of one pixel can't be reduced further. */
const isShorter = (side: number, full: number): boolean => side < full || (side === 1 && full === 1);

/** Whether `size` is `full` reduced by a single factor, with each side rounded up or down by at most a pixel. */
function isReduction(size: Size, full: Size): boolean {
  if (size.width * size.height >= full.width * full.height) return false;
  if (!isShorter(size.width, full.width) || !isShorter(size.height, full.height)) return false;
  const difference = Math.abs(size.width / full.width - size.height / full.height);
  return difference <= 1 / full.width + 1 / full.height;
}

async function readPage(file: TiffBytes, { picture, reductions }: PageDraft): Promise<PageFacts> {
  const candidates = [...reductions, ...(await readSubPictures(file, picture))];
  const levels = new Map<number, Level>();
  for (const candidate of candidates) {
    const { level } = candidate;
    if (isLevelOf(candidate, picture) && !levels.has(level.width)) levels.set(level.width, level);
  }
  const { orientation, dpi } = await readExifFacts(file, picture.directory);
  const { color, bits, samples, alpha, profile } = picture;
  const smaller = [...levels.values()].sort((one, other) => other.width - one.width);
  const facts = { orientation, color, bits, alpha, profile, ...(samples && { samples }), ...(dpi && { dpi }) };
  return { levels: [picture.level, ...smaller], ...facts };
}

/** Adds the color space of the profiles, where it is sRGB for all levels. */
async function withProfileSpace(page: PageFacts, isSrgb: ReturnType<typeof srgbRecognizer>): Promise<PageFacts> {
  if (!page.profile) return page;
  for (const { stored } of page.levels) if (!(await isSrgb(stored))) return page;
  return { ...page, profileSpace: 'srgb' };
}

/** The images in the SubIFDs of a page, without damaged ones. */
async function readSubPictures(file: TiffBytes, { directory, level: { location } }: Picture): Promise<Picture[]> {
  if (location.kind !== 'page') return [];
  const pictures: Picture[] = [];
  for (const [subifd, subDirectory] of directory.subDirectories.entries()) {
    const picture = await ifIntact(readPicture(file, subDirectory, { kind: 'subifd', page: location.page, subifd }));
    if (picture) pictures.push(picture);
  }
  return pictures;
}
