/** What is drawn as a watermark: pictures of the site, and lines of text as outlines. */
import sharp from 'sharp';
import { describe, expect, it, test } from 'vitest';
import { pictureMark, textMark } from '../../../../src/core/render/covers/marks.ts';

describe('a line of text', () => {
  test.each(['Archive', 'Ängste · Ça', 'Ελλάς', 'Россия', 'Tiếng Việt'])('is drawn without fonts: %s', async (text) => {
    const mark = await textMark(text);
    const svg = Buffer.from(mark.bytes).toString();
    expect(svg).toContain('<path');
    expect(svg).not.toContain('<text');
    const { data, info } = await sharp(Buffer.from(mark.bytes))
      .extractChannel(3)
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([mark.width, mark.height]);
    const rows = Array.from({ length: info.height }, (_, y) =>
      Math.max(...data.subarray(y * info.width, (y + 1) * info.width)),
    );
    expect(Math.max(...rows)).toBe(255);
    // Nothing is cut off.
    expect([rows[0], rows.at(-1)]).toEqual([0, 0]);
  });

  it('has a hash of its own', async () => {
    expect((await textMark('one')).hash).not.toBe((await textMark('two')).hash);
  });

  it('is refused where no font has a character', async () => {
    await expect(textMark('漢字')).rejects.toThrow('No font that comes with Lectern has “漢”');
  });
});

describe('a picture', () => {
  it('is a PNG or an SVG with its own size', async () => {
    const png = await sharp({ create: { width: 30, height: 20, channels: 4, background: '#f00' } })
      .png()
      .toBuffer();
    expect(await pictureMark(png)).toMatchObject({ width: 30, height: 20 });
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="16"><rect width="64" height="16"/></svg>',
    );
    expect(await pictureMark(svg)).toMatchObject({ width: 64, height: 16 });
  });

  it('is nothing else, and not too large', async () => {
    await expect(pictureMark(Buffer.from('text'))).rejects.toThrow('PNG or SVG');
    const jpeg = await sharp({ create: { width: 3, height: 2, channels: 3, background: '#f00' } })
      .jpeg()
      .toBuffer();
    await expect(pictureMark(jpeg)).rejects.toThrow('PNG or SVG');
    const png = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#f00' } })
      .png()
      .toBuffer();
    await expect(pictureMark(png.subarray(0, 100))).rejects.toThrow('damaged');
    await expect(pictureMark(Buffer.alloc(1_000_001))).rejects.toThrow('at most 1000000 bytes');
  });
});
