/** Which shapes of JPEG 2000 files are named as slow. */

import type { CodeStream } from '@lectern/jpeg2000/model';
import { describe, expect, it, test } from 'vitest';
import type { Resolution } from '../../../../../src/core/image/model/image-set.ts';
import { slowShape } from '../../../../../src/core/image/plan/jpeg2000-shape.ts';
import { imageOf } from '../image-builder.ts';

const component = { bits: 8, signed: false, dx: 1, dy: 1 };

/** An image with tiles of 512 and six resolutions, but for the changes. */
function imageWith(changes: Partial<CodeStream>, [width, height] = [6000, 4000]): Resolution {
  const codeStream: CodeStream = {
    at: 0,
    bytes: 1,
    headerBytes: 1,
    area: { x: 0, y: 0, width, height },
    tile: { x: 0, y: 0, width: 512, height: 512 },
    components: [component, component, component],
    reductions: 5,
    layers: 1,
    progression: 'RPCL',
    block: { width: 64, height: 64 },
    componentTransform: true,
    highThroughput: false,
    packetLengths: true,
    ...changes,
  };
  const [resolution] = imageOf({ width, height, format: 'jp2', reductions: codeStream.reductions }).resolutions;
  return {
    ...resolution,
    jpeg2000: {
      mediaType: 'image/jp2',
      codeStream,
      color: { space: 'srgb', colors: [{ component: 0 }, { component: 1 }, { component: 2 }] },
    },
  };
}

const tileOf = (width: number, height = width) => ({ x: 0, y: 0, width, height });
const untiled = tileOf(6000, 4000);
const precincts = [{ width: 256, height: 256 }];

describe('slow is', () => {
  test.each<[string, Partial<CodeStream>, readonly string[]]>([
    [
      'a file without tiles',
      { tile: untiled, packetLengths: false },
      ['it has neither tiles nor precincts with PLT markers'],
    ],
    ['a file of huge tiles', { tile: tileOf(4096) }, ['its tiles of 4096 x 4000 are large']],
    [
      'a file of tiny tiles',
      { tile: tileOf(64), reductions: 4 },
      ['its tiles of 64 x 64 are so small that views and thumbnails take hundreds of them'],
    ],
    ['a file with one halving', { reductions: 1 }, ['its smallest resolution has 6 megapixels']],
    [
      'a file with many resolutions of one tile',
      { tile: untiled, precincts, reductions: 8 },
      ['it has 9 resolutions, of which parts can be decoded only in areas of 16384 x 16384'],
    ],
    [
      'a file of small code-blocks',
      { block: { width: 16, height: 16 } },
      ['its code-blocks have only 16 x 16 samples'],
    ],
  ])('%s', (_, changes, reasons) => expect(slowShape(imageWith(changes))).toEqual(reasons));
});

describe('no fault is found with', () => {
  test.each<[string, Resolution]>([
    ['tiles of 512', imageWith({})],
    ['tiles of 1024 and seven resolutions', imageWith({ tile: tileOf(1024), reductions: 6 })],
    ['precincts and PLT markers', imageWith({ tile: untiled, precincts })],
    [
      'a small file without tiles',
      imageWith({ tile: tileOf(2000), reductions: 0, packetLengths: false }, [2000, 2000]),
    ],
  ])('%s', (_, image) => expect(slowShape(image)).toEqual([]));

  it('files of other formats', () => {
    expect(slowShape(imageOf({ width: 6000, height: 4000 }).resolutions[0])).toEqual([]);
  });
});
