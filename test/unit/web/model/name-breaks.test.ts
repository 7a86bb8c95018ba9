/** Names break after the characters that divide them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namePieces } from '../../../../web/src/model/text/labels.ts';

describe('the pieces of a name', () => {
  it.each([
    ['Scan_Volume_0001.tif', ['Scan_', 'Volume_', '0001.tif']],
    ['page-001', ['page-001']],
    ['BookOfHours', ['BookOf', 'Hours']],
    ['ms.lat.77.fol.1v', ['ms.', 'lat.', '77.', 'fol.1v']],
    ['a_b_c_d', ['a_b_c_d']],
    ['https://a.example/b/c', ['https://a.', 'example/b/c']],
    ['A plain title', ['A plain title']],
    ['', ['']],
  ])('%s', (name, pieces) => expect(namePieces(name)).toEqual(pieces));

  it('are the name, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(namePieces(name).join('')).toBe(name);
      }),
    );
  });
});
