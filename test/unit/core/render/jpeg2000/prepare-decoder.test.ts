/** What the decoder is prepared with. */
import { expect, test } from 'vitest';
import { decodeStream } from '../../../../../src/core/render/jpeg2000/openjpeg.ts';
import { randomStream } from '../../../../../src/core/render/jpeg2000/prepare-decoder.ts';

test('a code-stream of random code-blocks is decoded, to nearly all values', async () => {
  const { samples, bitsPerSample, componentCount } = await decodeStream(randomStream(), 2 ** 26);
  expect([samples.length, bitsPerSample, componentCount]).toEqual([256 * 256 * 3, 8, 3]);
  expect(new Set(samples).size).toBeGreaterThan(200);
});
