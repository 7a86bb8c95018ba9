/** The addresses of tiles. */
import { describe, expect, it } from 'vitest';
import { tilePaths } from '../../../../src/features/iiif-image/image-information.ts';

const tile = { width: 512, height: 512 };

describe('tiles of a reduced image', () => {
  it('are cut in pixels of the full image, row by row, the last ones at its edge', () =>
    expect(tilePaths({ width: 1500, height: 1100 }, tile, 2)).toEqual([
      { region: '0,0,1024,1024', size: '512,512' },
      { region: '1024,0,476,1024', size: '238,512' },
      { region: '0,1024,1024,76', size: '512,38' },
      { region: '1024,1024,476,76', size: '238,38' },
    ]));

  it('are a single one where it covers the whole image', () =>
    expect(tilePaths({ width: 1501, height: 1 }, tile, 4)).toEqual([{ region: '0,0,1501,1', size: '376,1' }]));
});
