/** A TIFF of tiles that is written in memory is read by our own reader as what was written. */
import { expect, it } from 'vitest';
import { readHeader } from '../../../src/core/library/headers/header.ts';
import { adobeRgb } from '../../../test/fixtures/files/icc-profile.mjs';
import { bufferSource } from '../src/bytes.ts';
import { tiledTiff } from '../src/write.ts';

const tile = { width: 32, height: 16 };

it.each([
  [1, 'gray'],
  [1, 'ycbcr'],
  [6, 'rgb'],
] as const)('%i tiles of %s samples', async (count, samples) => {
  const tiles = Array.from({ length: count }, (_, index) => Buffer.alloc(101 + index, index + 1));
  const width = count === 1 ? 20 : 70;
  const file = tiledTiff({ width, height: count === 1 ? 9 : 30, tile, samples, tiles });
  const { pages } = await readHeader(bufferSource(file));
  const [level] = pages[0].levels;
  expect(level).toMatchObject({ width, height: count === 1 ? 9 : 30, tile });
  if (level.stored?.kind !== 'jpeg') throw new Error(JSON.stringify(level.stored));
  expect(level.stored).toMatchObject({ samples, columns: count === 1 ? 1 : 3, rows: count === 1 ? 1 : 2 });
  const bytes = Buffer.concat(tiles);
  expect(file.subarray(8, 8 + bytes.length)).toEqual(bytes);
});

it('has the tables and the profile', async () => {
  const stream = Buffer.from('ffd8fffe000341ffd9', 'hex');
  const parts = { tables: stream, profile: adobeRgb, tiles: [Buffer.alloc(7, 1)] };
  const file = tiledTiff({ width: 32, height: 16, tile, samples: 'rgb', ...parts });
  const { pages } = await readHeader(bufferSource(file));
  const { stored } = pages[0].levels[0];
  if (stored?.kind !== 'jpeg' || !stored.tables || !stored.profile) throw new Error(JSON.stringify(stored));
  const at = ({ at, bytes }: { at: number; bytes: number }): Buffer => file.subarray(at, at + bytes);
  expect(at(stored.tables)).toEqual(stream);
  expect(at(stored.profile)).toEqual(adobeRgb);
});
