/** The sandbox of OpenJPEG has a bound of its memory. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { repeatTile } from '../../../test/fixtures/jpeg2000/repeated-tiles.mjs';
import { decodeStream } from '../src/openjpeg.ts';

const file = fileURLToPath(new URL('../../../test/fixtures/jpeg2000/large-tiles.jp2', import.meta.url));
const mebibyte = 2 ** 20;

it('a code-stream that needs more memory than its decoder may have fails, and the next one does not', async () => {
  const stream = repeatTile(readFileSync(file), 16, 16);
  const outcomeOf = (maxBytes: number) =>
    decodeStream(stream, maxBytes).then(
      ({ samples, componentCount }) => [samples.length, componentCount],
      (error: unknown) => error,
    );
  expect(await outcomeOf(64 * mebibyte)).toMatchObject({ name: 'Jpeg2000Error', code: 'memory' });
  expect(await outcomeOf(256 * mebibyte)).toEqual([4096 * 4096, 1]);
});
