import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseQualityAndFormat,
  parseRegion,
  parseRotation,
  parseSize,
  pathPatterns,
} from '../../../../src/features/iiif-image/image-path.ts';
import type { Version } from '../../../../src/features/iiif-image/version.ts';

const isTaken = (parse: () => unknown): boolean => {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
};

const versions: readonly Version[] = [1, 2, 3];

/** Texts that are forms of a segment, or nearly. */
const segment = fc
  .array(
    fc.constantFrom('full', 'max', 'square', 'pct:', '^', '!', ',', '.', '0', '7', '90', '361', '12345678901', 'x'),
    {
      maxLength: 8,
    },
  )
  .map((pieces) => pieces.join(''));

describe.each(versions)('the patterns of version %s', (version) => {
  const { region, size, rotation, qualities, formats } = pathPatterns(version);
  const parsers = [
    { pattern: new RegExp(region, 'u'), parse: (text: string) => parseRegion(text, version) },
    { pattern: new RegExp(size, 'u'), parse: (text: string) => parseSize(text, version) },
    { pattern: new RegExp(rotation, 'u'), parse: (text: string) => parseRotation(text) },
  ];

  it('match all that is taken', () => {
    const law = fc.property(segment, (text) =>
      parsers.every(({ pattern, parse }) => !isTaken(() => parse(text)) || pattern.test(text)),
    );
    fc.assert(law, { numRuns: 5000 });
  });

  it('match only what is taken, but for zeros and turns beyond the full', () => {
    const isBeyond = (text: string): boolean =>
      (text.match(/[0-9.]+/g) ?? []).map(Number).some((value) => value === 0 || value > 360);
    const law = fc.property(segment, (text) =>
      parsers.every(({ pattern, parse }) => !pattern.test(text) || isBeyond(text) || isTaken(() => parse(text))),
    );
    fc.assert(law, { numRuns: 5000 });
  });

  it('list the qualities and the formats', () => {
    for (const quality of qualities)
      for (const format of formats)
        expect(isTaken(() => parseQualityAndFormat(`${quality}.${format}`, version))).toBe(true);
    expect(isTaken(() => parseQualityAndFormat(`native.${formats[0]}`, version))).toBe(qualities.includes('native'));
  });
});

it('a region or a size is not what another version has', () => {
  const matches = (version: Version, part: 'region' | 'size', text: string): boolean =>
    new RegExp(pathPatterns(version)[part], 'u').test(text);
  expect(versions.map((version) => matches(version, 'region', 'square'))).toEqual([false, true, true]);
  expect(versions.map((version) => matches(version, 'size', 'full'))).toEqual([true, true, false]);
  expect(versions.map((version) => matches(version, 'size', 'max'))).toEqual([false, true, true]);
  expect(versions.map((version) => matches(version, 'size', '^9,'))).toEqual([false, false, true]);
});
