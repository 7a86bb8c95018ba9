/**
 * The addon decodes what opj_decompress does, and damage is an exception.
 * @module-tag openjpeg-native
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import decoded from '../../../test/fixtures/jpeg2000/decoded.json' with { type: 'json' };
import type { NativeComponent, NativeDecoder } from '../../jpeg2000/src/native.ts';

const require = createRequire(import.meta.url);
const load = (): NativeDecoder => require('../build/openjpeg.node');

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../../../test/fixtures/jpeg2000/${name}`, import.meta.url));

const mebibyte = 2 ** 20;
const whole = [0, 0, 0, 0] as const;

const samplesOf = ({ samples, first, step }: NativeComponent) => samples.filter((_, index) => index % step === first);

const errorOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('the samples of a whole file are those of opj_decompress, at all reductions', () => {
  it.each(Object.entries<readonly string[]>(decoded))('%s', (name, expected) => {
    const bytes = fixture(name);
    const checksums = [...expected.keys()].map((reduction) => {
      const hash = createHash('sha256');
      for (const component of load().decode(bytes, ...whole, reduction, 256 * mebibyte))
        hash.update(Uint16Array.from(samplesOf(component)));
      return hash.digest('hex').slice(0, 16);
    });
    expect(checksums).toEqual(expected);
  });
});

it('a part has the size that was asked for, on the reference grid', () => {
  const [component, ...others] = load().decode(fixture('rgb-16.jp2'), 10, 20, 51, 41, 1, 256 * mebibyte);
  expect(component).toMatchObject({ width: 21, height: 11, bits: 16, first: 0, step: 3 });
  expect(component?.samples).toBeInstanceOf(Uint16Array);
  expect(component?.samples).toHaveLength(3 * 21 * 11);
  expect(others).toMatchObject([{ first: 1 }, { first: 2 }]);
});

describe('an error', () => {
  const decode = (bytes: Uint8Array, maxBytes = 256 * mebibyte, reduction = 0): unknown =>
    errorOf(() => load().decode(bytes, ...whole, reduction, maxBytes));
  const file = fixture('large-lossy.jp2');

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['no JPEG 2000', Buffer.alloc(5000, 'x')],
    ['a header without data', fixture('gray.jp2').subarray(0, 200)],
    ['a box without its code-stream', fixture('gray.jp2').subarray(0, 70)],
  ])('damaged: %s', (_, bytes) => {
    expect(decode(bytes)).toMatchObject({ code: 'damaged', message: expect.stringMatching(/^OpenJPEG/) });
  });

  it('damaged: more reductions than there are', () =>
    expect(decode(file, 256 * mebibyte, 12)).toMatchObject({ code: 'damaged' }));

  it('memory: what a part may not take is not decoded, and the next one is', () => {
    expect(decode(file, mebibyte)).toMatchObject({ code: 'memory' });
    expect(decode(file)).toHaveLength(3);
  });

  it.each([[[]], [[Buffer.alloc(10)]], [['file.jp2', ...whole, 0, 1]], [[new Uint16Array(9), ...whole, 0, 1]]])(
    'of type: %j',
    (given) => expect(errorOf(() => Reflect.apply(load().decode, undefined, given))).toBeInstanceOf(TypeError),
  );
});
