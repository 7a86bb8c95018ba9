import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { jpegFacts } from '../../../../../src/features/documents/pdf/jpeg-facts.ts';

const picture = (channels: 3 | 4 = 3) =>
  sharp({ create: { width: 30, height: 20, channels, background: { r: 200, g: 120, b: 40, alpha: 1 } } });

describe('the facts of a JPEG file', () => {
  it('are its size and its components', async () => {
    expect(jpegFacts(await picture().jpeg().toBuffer())).toEqual({
      width: 30,
      height: 20,
      components: 3,
      adobe: false,
    });
    const gray = await picture().toColorspace('b-w').jpeg({ progressive: true }).toBuffer();
    expect(jpegFacts(gray)).toMatchObject({ width: 30, height: 20, components: 1 });
  });

  it('have the profile, joined of its parts', async () => {
    const { profile } = jpegFacts(await picture().withIccProfile('p3').jpeg().toBuffer()) ?? {};
    expect(profile?.toString('latin1', 36, 40)).toBe('acsp');
    expect(profile?.readUInt32BE(0)).toBe(profile?.length);
  });

  it('tell inks that are stored inverted', async () => {
    const cmyk = await picture().toColorspace('cmyk').jpeg().toBuffer();
    expect(jpegFacts(cmyk)).toMatchObject({ components: 4, adobe: true });
  });

  it('are without a profile that is not for these components', async () => {
    const bytes = await picture().withIccProfile('p3').jpeg().toBuffer();
    const at = bytes.indexOf('RGB ', 0, 'latin1');
    bytes.write('CMYK', at, 'latin1');
    expect(jpegFacts(bytes)).toMatchObject({ components: 3 });
    expect(jpegFacts(bytes)).not.toHaveProperty('profile');
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['another file', Buffer.from('%PDF-1.7')],
    ['a file that ends before its scan', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2])],
    ['a segment that is longer than the file', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff, 1, 2])],
  ])('are none of %s', (_what, bytes) => expect(jpegFacts(bytes)).toBeUndefined());

  it('are none of arithmetic coding, which PDF does not know', async () => {
    const bytes = await picture().jpeg().toBuffer();
    bytes[bytes.indexOf(Buffer.from([0xff, 0xc0])) + 1] = 0xc9;
    expect(jpegFacts(bytes)).toBeUndefined();
  });

  it('are found or not in mutated files, without an error', async () => {
    const bytes = await picture().withIccProfile('p3').jpeg().toBuffer();
    for (let at = 0; at < Math.min(bytes.length, 1200); at++) {
      for (const value of [0, 1, 0xff]) {
        const changed = Buffer.from(bytes);
        changed[at] = value;
        jpegFacts(changed);
      }
    }
  });
});
