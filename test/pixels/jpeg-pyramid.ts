/** Writes pyramids of JPEG tiles in all layouts that TIFF allows, also in those that sharp can't write. */
import sharp, { type Sharp } from 'sharp';
import type { StoredNumbers } from '../../src/core/image/model/image-set.ts';
import { bufferSource } from '../../src/core/library/headers/byte-source.ts';
import { readHeader } from '../../src/core/library/headers/header.ts';
import { randomIntegers } from '../fixtures/files/random.mjs';
import {
  buildTiff,
  type Directory,
  type Layout,
  long,
  long8,
  short,
  type Tag,
  undefinedBytes,
} from '../fixtures/files/tiff.mjs';

export interface StoredPyramidLevel {
  readonly width: number;
  readonly height: number;
  readonly tile: { readonly width: number; readonly height: number };
  readonly samples: 'ycbcr' | 'rgb' | 'gray';
  /** Horizontal and vertical factor; for YCbCr only. */
  readonly subsampling: readonly [number, number];
  readonly tables?: Buffer;
  /** Row by row; an empty buffer is a tile that is not stored. */
  readonly tiles: readonly Buffer[];
}

/** An image with other content in every tile: gradients, and noise that compresses to other bytes in each. */
export function scene(width: number, height: number, channels: 1 | 3 = 3): Sharp {
  const pixels = Buffer.alloc(width * height * channels);
  const random = randomIntegers(7);
  for (let at = 0; at < pixels.length; at++) {
    const pixel = Math.floor(at / channels);
    const slope = [(pixel % width) / width, Math.floor(pixel / width) / height, ((pixel * 7) % width) / width];
    pixels[at] = (slope[at % channels] ?? 0) * 200 + (random() % 40);
  }
  return sharp(pixels, { raw: { width, height, channels } });
}

function numbersIn(file: Buffer, { at, count, bytesEach, littleEndian }: StoredNumbers): readonly number[] {
  return Array.from({ length: count }, (_, index) => {
    const offset = at + index * bytesEach;
    if (bytesEach === 8) return Number(littleEndian ? file.readBigUInt64LE(offset) : file.readBigUInt64BE(offset));
    return littleEndian ? file.readUIntLE(offset, bytesEach) : file.readUIntBE(offset, bytesEach);
  });
}

/** The levels of a pyramid that sharp wrote. */
export async function levelsOf(file: Buffer): Promise<readonly StoredPyramidLevel[]> {
  const { pages } = await readHeader(bufferSource(file));
  return pages[0].levels.map(({ width, height, tile, stored }) => {
    if (stored?.kind !== 'jpeg' || tile === undefined) throw new Error('a level without JPEG tiles');
    const [offsets, lengths] = [numbersIn(file, stored.offsets), numbersIn(file, stored.lengths)];
    return {
      width,
      height,
      tile,
      samples: stored.samples,
      subsampling: stored.samples === 'ycbcr' ? [2, 2] : [1, 1],
      ...(stored.tables && { tables: file.subarray(stored.tables.at, stored.tables.at + stored.tables.bytes) }),
      tiles: offsets.map((offset, index) => file.subarray(offset, offset + (lengths[index] ?? 0))),
    };
  });
}

/** A level whose tiles are complete JPEG files with all markers. */
export async function levelOfFiles(
  image: Sharp,
  size: { readonly width: number; readonly height: number },
  side: number,
  chromaSubsampling: '4:2:0' | '4:4:4',
): Promise<StoredPyramidLevel> {
  const [columns, rows] = [Math.ceil(size.width / side), Math.ceil(size.height / side)];
  const right = columns * side - size.width;
  const bottom = rows * side - size.height;
  const padded = await image.extend({ right, bottom, extendWith: 'copy' }).png().toBuffer();
  const tiles: Buffer[] = [];
  for (let index = 0; index < columns * rows; index++) {
    const [left, top] = [(index % columns) * side, Math.floor(index / columns) * side];
    const cut = sharp(padded).extract({ left, top, width: side, height: side });
    tiles.push(await cut.jpeg({ chromaSubsampling, quality: 80 }).toBuffer());
  }
  const subsampling = chromaSubsampling === '4:2:0' ? ([2, 2] as const) : ([1, 1] as const);
  return { ...size, tile: { width: side, height: side }, samples: 'ycbcr', subsampling, tiles };
}

const quantization = 0xdb;

/** The segments of a stream of tables, without the markers of its start and end. */
function segmentsOf(tables: Buffer): readonly Buffer[] {
  const segments: Buffer[] = [];
  for (let at = 2; at + 4 < tables.length; ) {
    const length = 2 + tables.readUInt16BE(at + 2);
    segments.push(tables.subarray(at, at + length));
    at += length;
  }
  return segments;
}

const stream = (segments: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, Buffer.from([0xff, 0xd9])]);

/** The level with tables in each tile: all of them, or all but those for quantization. */
export function withOwnTables(level: StoredPyramidLevel, share: 'none' | 'quantization'): StoredPyramidLevel {
  const { tables, ...rest } = level;
  const segments = segmentsOf(tables ?? stream([]));
  const isShared = (segment: Buffer): boolean => share === 'quantization' && segment[1] === quantization;
  const own = segments.filter((segment) => !isShared(segment));
  const tiles = level.tiles.map((tile) => Buffer.concat([tile.subarray(0, 2), ...own, tile.subarray(2)]));
  const shared = share === 'none' ? {} : { tables: stream(segments.filter(isShared)) };
  return { ...rest, ...shared, tiles };
}

export interface PyramidLayout extends Layout {
  /** Whether the smaller levels are SubIFDs of the first directory instead of directories after it. */
  readonly subDirectories?: boolean;
  /** Tags that replace those of the level, or are added to them. */
  readonly tags?: readonly Tag[];
}

const photometric = { ycbcr: 6, rgb: 2, gray: 1 } as const;

function tagsOf(level: StoredPyramidLevel, reduced: boolean, offsets: readonly number[], layout: PyramidLayout): Tag[] {
  const samples = level.samples === 'gray' ? 1 : 3;
  const plain: Tag[] = [
    [254, long, [reduced ? 1 : 0]],
    [256, long, [level.width]],
    [257, long, [level.height]],
    [258, short, Array.from({ length: samples }, () => 8)],
    [259, short, [7]],
    [262, short, [photometric[level.samples]]],
    [277, short, [samples]],
    [284, short, [1]],
    [322, short, [level.tile.width]],
    [323, short, [level.tile.height]],
    [324, layout.big ? long8 : long, offsets],
    [325, long, level.tiles.map((tile) => tile.length)],
    ...(level.tables ? [[347, undefinedBytes, level.tables] as const] : []),
    ...(level.samples === 'ycbcr' ? [[530, short, level.subsampling] as const] : []),
  ];
  const given = new Map((layout.tags ?? []).map((tag) => [tag[0], tag]));
  const replaced = plain.map((tag) => given.get(tag[0]) ?? tag);
  const added = [...given.values()].filter(([number]) => plain.every((tag) => tag[0] !== number));
  return [...replaced, ...added].sort((one, other) => one[0] - other[0]);
}

/** A TIFF file of these levels. */
export function pyramid(levels: readonly StoredPyramidLevel[], layout: PyramidLayout = {}): Buffer {
  const build = (start: number): Buffer => {
    let position = start;
    const directories = levels.map((level, index): Directory => {
      const offsets = level.tiles.map((tile) => {
        const offset = tile.length === 0 ? 0 : position;
        position += tile.length;
        return offset;
      });
      return { tags: tagsOf(level, index > 0, offsets, layout) };
    });
    const [first, ...smaller] = directories;
    if (first === undefined || !layout.subDirectories) return buildTiff(directories, layout);
    return buildTiff([{ ...first, subDirectories: smaller }], layout);
  };
  // The length of the directories does not depend on the offsets of the tiles.
  return Buffer.concat([build(build(0).length), ...levels.flatMap((level) => level.tiles)]);
}
