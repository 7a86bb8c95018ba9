import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortLabel } from '../../../../web/src/model/text/labels.ts';

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
