/** Watermarks for tests. */
import { hash } from 'node:crypto';
import type { Mark } from '../../src/core/image/model/covers.ts';

/** An SVG as a mark. */
export function svgMark(width: number, height: number, content: string): Mark {
  const bytes = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`,
  );
  return { bytes, hash: hash('sha256', bytes, 'base64url'), width, height };
}

/** A rectangle of one color. */
export const flatMark = (width: number, height: number, color: string): Mark =>
  svgMark(width, height, `<rect width="${width}" height="${height}" fill="${color}"/>`);
