/** Makes what is drawn as a watermark: of the bytes of a picture, or of a line of text. */
import { hash } from 'node:crypto';
import type { Mark } from '../../image/model/covers.ts';
import { libvips } from '../sources/libvips.ts';
import { readMetadata } from '../sources/libvips-source.ts';
import { makeMark } from './made-marks.ts';

const asMark = (bytes: Buffer, width: number, height: number): Mark => ({
  bytes,
  hash: hash('sha256', bytes, 'base64url').slice(0, 16),
  width,
  height,
});

/** The most bytes of a picture: it goes to a render process with each plan that draws it. */
const maxBytes = 1_000_000;

/** Whether a mark can be made is tried at this size. */
const triedSize = { width: 32, height: 32 };

/** A PNG or SVG as a mark. Throws where it is another file, damaged, or too large. */
export async function pictureMark(bytes: Buffer): Promise<Mark> {
  if (bytes.length > maxBytes) throw new Error(`A watermark has at most ${maxBytes} bytes.`);
  const found = await readMetadata(libvips()(bytes)).catch(() => undefined);
  if (found?.format !== 'png' && found?.format !== 'svg') throw new Error('A watermark has to be a PNG or SVG file.');
  const mark = asMark(bytes, found.width, found.height);
  await makeMark(mark, triedSize).catch((cause: unknown) => {
    throw new Error('The file of a watermark is damaged.', { cause });
  });
  return mark;
}

/** The height of letters from line to line in the SVG, in its pixels. */
const lineHeight = 100;

/** White with a dark edge is seen on paper and on black, as a fraction of the height. */
const edge = 0.04;

/** A line of text as a mark: its outlines, so that no machine needs a font. Throws where a character is in none of the fonts that come with Lectern. */
export async function textMark(text: string): Promise<Mark> {
  // It is large, and few need it.
  const { outlineText } = await import('./outlines.ts');
  const { path, width, height } = outlineText(text, lineHeight);
  const [w, h, stroke] = [Math.ceil(width), Math.ceil(height), edge * lineHeight];
  const style = `fill="#fff" stroke="#000" stroke-width="${stroke}" stroke-linejoin="round" paint-order="stroke"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}"><path ${style} d="${path}"/></svg>`;
  return asMark(Buffer.from(svg), w, h);
}
