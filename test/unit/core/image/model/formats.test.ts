import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { outputFormats, rendererVersion } from '../../../../../src/core/image/model/formats.ts';

/** The encoders' options under each version of the renderer, as a hash. A version that was ever released keeps its line. */
const encodersByVersion: Readonly<Record<string, string>> = {
  2: 'e30cd64214b6fea7',
  3: 'e30cd64214b6fea7',
  4: 'e30cd64214b6fea7',
};

it('gives the renderer another version when the options of an encoder change', () => {
  const encoders = Object.entries(outputFormats).map(([format, { encoder }]) => [format, encoder]);
  const hash = createHash('sha256').update(JSON.stringify(encoders)).digest('hex').slice(0, 16);
  expect(
    encodersByVersion[rendererVersion],
    'Increase rendererVersion in src/core/image/model/formats.ts, so that cached derivatives are made anew, and add a line here.',
  ).toBe(hash);
});
