import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namePieces, shortLabel } from '../../../../../web/src/model/text/metadata-text.ts';

describe('a short label', () => {
  it.each([
    ['1r', '1r'],
    ['Cover', 'Cover'],
    ['123456789012', '123456789012'],
    ['Folio 12 recto', '…12 recto'],
    ['Folio 1 verso', '…1 verso'],
    ['Folio 12 recto (damaged)', '…12 recto…'],
    ['IMG_20190101_0001', '…0001'],
    ['ms-germ-fol-282_12v', '…fol-282_12v'],
    ['scan20190101123456', '…90101123456'],
    ['Title page with a portrait', 'Title page…'],
    ['Innenseite des Einbands', 'Innenseite…'],
    ['Donaudampfschiffahrt', 'Donaudampfs…'],
    ['扉ページの写真と題名についての説明', '扉ページの写真と題名に…'],
  ])('of %s is %s', (label, short) => expect(shortLabel(label, 12)).toBe(short));

  it('has at most the number of characters that is asked for', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), fc.integer({ min: 3, max: 20 }), (label, most) => {
        expect([...shortLabel(label, most)].length).toBeLessThanOrEqual(most);
      }),
    );
  });
});

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
