/** Ranges of bodies: what is sent is always within the body, whatever the header says. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseByteRange } from '../../../../src/core/http/send.ts';

const length = fc.integer({ min: 1, max: 1_000_000 });

describe('a byte range', () => {
  it('that is within the body is sent as it is named', () => {
    fc.assert(
      fc.property(length, fc.nat(), fc.nat(), (bytes, one, other) => {
        const [first, last] = [one % bytes, other % bytes].sort((a, b) => a - b);
        expect(parseByteRange(`bytes=${first}-${last}`, bytes)).toEqual({ kind: 'part', first, last });
      }),
    );
  });

  it('never reaches outside of the body, and is empty for no header', () => {
    const number = fc.oneof(fc.constant(''), fc.nat().map(String), fc.bigInt({ min: 0n }).map(String));
    const header = fc.oneof(
      fc.string(),
      fc.tuple(number, number).map(([from, to]) => `bytes=${from}-${to}`),
      fc.string({ unit: fc.constantFrom('b', 'y', 't', 'e', 's', '=', '-', ',', ' ', '1', '9') }),
    );
    fc.assert(
      fc.property(length, fc.option(header, { nil: undefined }), (bytes, text) => {
        const range = parseByteRange(text, bytes);
        if (text === undefined) expect(range.kind).toBe('whole');
        if (range.kind !== 'part') return;
        expect(range.first).toBeGreaterThanOrEqual(0);
        expect(range.last).toBeGreaterThanOrEqual(range.first);
        expect(range.last).toBeLessThan(bytes);
      }),
      { numRuns: 100_000 },
    );
  });
});
