import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Covers } from '../../src/core/image/model/covers.ts';
import { parseImagePath } from '../../src/features/iiif-image/image-path.ts';
import { sampleOf } from '../sweep.ts';
import { createAnswers } from './covered-images.ts';
import { byTheLetter } from './letter-images.ts';
import { flatMark } from './marks.ts';
import { createRenderer, decode, type Picture, temporaryFolder } from './pictures.ts';
import {
  type Kind,
  kinds,
  levelFactors,
  nameOf,
  ramp,
  sideOf,
  sizes,
  type Tile,
  tilesOf,
  writeRamps,
} from './tiled-ramps.ts';

const folder = temporaryFolder();
const { iiif } = createRenderer(folder);

const rampOf = (length: number): Float64Array =>
  Float64Array.from({ length }, (_, at) => Math.round((at * 255) / Math.max(1, length - 1)));

beforeAll(() => writeRamps(folder, sizes), 120_000);

type Color = readonly [number, number, number];

/** What is on a pixel of a level where the image has a color; undefined where kernels mix it with what lies beside it. */
type Cover = (column: number, row: number, own: Color) => Color | undefined;

const nothing: Cover = (_column, _row, own) => own;

/** The largest difference of any pixel of any tile of a level from what the letter of the Image API says of it, and of what lies on it. */
function worst(tiles: readonly Tile[], across: Float64Array, down: Float64Array, factor: number, cover: Cover): number {
  let largest = 0;
  for (const { left, top, width, height, picture } of tiles) {
    const red = byTheLetter(across, left, left + width, picture.width, 'lanczos3');
    const green = byTheLetter(down, top, top + height, picture.height, 'lanczos3');
    for (let at = 0; at < picture.pixels.length; at += 4) {
      const [column, row] = [(at / 4) % picture.width, Math.floor(at / 4 / picture.width)];
      const own: Color = [red[column] ?? 0, green[row] ?? 0, 128];
      const expected = cover(left / factor + column, top / factor + row, own) ?? [];
      for (const [channel, value] of expected.entries()) {
        const distance = Math.abs((picture.pixels[at + channel] ?? 0) - value);
        if (distance > largest) largest = distance;
      }
    }
  }
  return largest;
}

/** What an eighth of a pixel makes, the bound of planned shifts. */
const ofShift = (width: number, height: number, factor: number): number =>
  (255 * factor) / Math.max(2, Math.min(width, height)) / 8;

describe('every level composed of its tiles shows what the letter says, within 2 of 255 and an eighth of a pixel', () => {
  const cases = sizes.flatMap(([width, height]) => kinds.map((kind) => [width, height, kind] as const));
  test.each(sampleOf(cases, 16))('%d x %d, %s', { tags: 'sampled' }, async (width, height, kind) => {
    const name = nameOf(width, height, kind);
    for (const factor of levelFactors(width, height, kind)) {
      const tiles = await tilesOf(iiif, name, { width, height, factor, side: sideOf(kind) });
      const difference = worst(tiles, rampOf(width), rampOf(height), factor, nothing);
      expect(difference, `factor ${factor}`).toBeLessThanOrEqual(2 + ofShift(width, height, factor));
    }
  });
});

/** Above 8 megapixels; libjpeg leaves out up to three columns or rows of their edges when it reduces by four. */
const largeJpegs = [
  [3601, 2303],
  [3607, 2402],
] as const;

describe('so do the tiles of a large JPEG that are made of its overview', () => {
  test.each(largeJpegs)('%d x %d', async (width, height) => {
    const name = nameOf(width, height, 'jpg');
    await ramp(width, height).jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toFile(path.join(folder, name));
    for (const factor of [4, 8]) {
      const tiles = await tilesOf(iiif, name, { width, height, factor, side: 512 });
      const difference = worst(tiles, rampOf(width), rampOf(height), factor, nothing);
      expect(difference, `factor ${factor}`).toBeLessThanOrEqual(3 + ofShift(width, height, factor));
    }
  });
});

const opacity = 0.5;

/** The mark is three times as wide as high. */
const mark = flatMark(300, 100, '#20e0f0');
const ink: Color = [0x20, 0xe0, 0xf0];

const coversOn = (width: number, height: number): Covers => ({
  redactions: [{ x: Math.floor(width * 0.3), y: Math.floor(height * 0.11), width: 201, height: 61 }],
  watermark: { mark, place: 'center', opacity, width: 0.4, minSide: 1 },
  key: 'seams',
});

/** How far from a redaction what is black can reach into a level: blocks and two pixels of the full size; three of a stored one, and of a kernel. */
const reachOf = (kind: Kind, factor: number): number => (kind === 'png' ? (factor > 1 ? 8 : 0) : 18);

function coverOf(width: number, height: number, factor: number, kind: Kind): Cover {
  const [redaction] = coversOn(width, height).redactions;
  if (redaction === undefined) throw new TypeError('no redaction');
  const reach = reachOf(kind, factor);
  const across = Math.min(0.4 * width, 3 * height);
  const [left, top] = [(width - across) / 2, (height - across / 3) / 2];
  const copy = {
    x: Math.round(left / factor),
    y: Math.round(top / factor),
    width: Math.max(1, Math.round(across / factor)),
    height: Math.max(1, Math.round(across / 3 / factor)),
  };
  return (column, row, own) => {
    const isNear = (more: number): boolean =>
      (column + 1) * factor > redaction.x - more * factor &&
      column * factor < redaction.x + redaction.width + more * factor &&
      (row + 1) * factor > redaction.y - more * factor &&
      row * factor < redaction.y + redaction.height + more * factor;
    if (isNear(0)) return [0, 0, 0];
    if (isNear(reach)) return undefined;
    const isMarked = (more: number): boolean =>
      column >= copy.x - more &&
      column < copy.x + copy.width + more &&
      row >= copy.y - more &&
      row < copy.y + copy.height + more;
    // The outermost pixels of the mark are not all of its ink; test/pixels/watermark.test.ts compares these.
    if (isMarked(1) !== isMarked(-1)) return undefined;
    const mixed = (channel: 0 | 1 | 2): number => own[channel] * (1 - opacity) + ink[channel] * opacity;
    return isMarked(0) ? [mixed(0), mixed(1), mixed(2)] : own;
  };
}

const wide = sizes.filter(([width, height]) => Math.min(width, height) >= 400);

describe('and so it does under a redaction and a watermark', () => {
  const cases = wide.flatMap(([width, height]) => kinds.map((kind) => [width, height, kind] as const));
  test.each(sampleOf(cases, 8))('%d x %d, %s', { tags: 'sampled' }, async (width, height, kind) => {
    const answers = createAnswers([folder], (image) => ({ ...image, covers: coversOn(width, height) }));
    const covered = async (name: string, address: string): Promise<Picture> => {
      const [region = '', size = '', rotation = '', qualityAndFormat = ''] = address.split('/');
      const request = parseImagePath({ region, size, rotation, qualityAndFormat }, 3);
      return decode((await answers.answer(name, request)).bytes);
    };
    for (const factor of levelFactors(width, height, kind)) {
      const tiles = await tilesOf(covered, nameOf(width, height, kind), { width, height, factor, side: sideOf(kind) });
      const cover = coverOf(width, height, factor, kind);
      const difference = worst(tiles, rampOf(width), rampOf(height), factor, cover);
      expect(difference, `factor ${factor}`).toBeLessThanOrEqual(2 + ofShift(width, height, factor));
    }
  });
});
