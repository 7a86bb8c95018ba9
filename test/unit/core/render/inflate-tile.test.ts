/** Tiles that are compressed with zlib. */
import { deflateSync } from 'node:zlib';
import { expect, it, test } from 'vitest';
import type { DeflateTiles } from '../../../../src/core/image/model/image-set.ts';
import { inflateTile } from '../../../../src/core/render/tiles/inflate-tile.ts';

const list = { at: 0, count: 1, bytesEach: 4, littleEndian: true } as const;
const tilesOf = (channels: 1 | 3, areDifferences: boolean): DeflateTiles => ({
  kind: 'deflate',
  columns: 1,
  rows: 1,
  offsets: list,
  lengths: list,
  channels,
  areDifferences,
  reason: '',
});

const tile = { width: 4, height: 3 };
const whole = { x: 0, y: 0, ...tile };
const part = { x: 1, y: 1, width: 2, height: 2 };

/** Samples that wrap around 255 from pixel to pixel. */
const samplesOf = (channels: number): Buffer =>
  Buffer.from(Array.from({ length: tile.width * tile.height * channels }, (_, at) => (at * 97 + 13) & 0xff));

/** Each sample less the one before it in its row. */
const differencesOf = (samples: Buffer, channels: number): Buffer =>
  Buffer.from(
    samples.map((sample, at) =>
      at % (tile.width * channels) < channels ? sample : sample - (samples[at - channels] ?? 0),
    ),
  );

test.each([
  [1, false],
  [1, true],
  [3, false],
  [3, true],
] as const)('%s channels, differences: %s', (channels, areDifferences) => {
  const samples = samplesOf(channels);
  const bytes = deflateSync(areDifferences ? differencesOf(samples, channels) : samples);
  const tiles = tilesOf(channels, areDifferences);
  expect(inflateTile(bytes, tile, whole, tiles)).toEqual(samples);
  const rowsOf = (all: Buffer | undefined) => all?.subarray(tile.width * channels);
  expect(rowsOf(inflateTile(bytes, tile, part, tiles))).toEqual(rowsOf(samples));
});

it('decodes nothing that is damaged, or of another size', () => {
  const tiles = tilesOf(3, false);
  const samples = samplesOf(3);
  const bytes = deflateSync(samples);
  const damaged = Buffer.from(bytes);
  damaged[bytes.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
  const others = [damaged, bytes.subarray(0, -6), deflateSync(samples.subarray(3)), Buffer.alloc(0)];
  const larger = deflateSync(Buffer.alloc(1_000_000));
  for (const other of [...others, larger]) expect(inflateTile(other, tile, whole, tiles)).toBeUndefined();
});

it('reads a tile with bytes behind it', () => {
  const bytes = Buffer.concat([deflateSync(samplesOf(3)), Buffer.from([1, 2, 3])]);
  expect(inflateTile(bytes, tile, whole, tilesOf(3, false))).toEqual(samplesOf(3));
});
