/** Makes parts of a picture black, whatever is below. */
import type { Pixels } from '@lectern/tiff';
import { intersect, type Rect, type Size } from '../../image/model/geometry.ts';

/** Opaque, where there is alpha. */
const blackOf = (channels: number): readonly number[] =>
  [[0], [0, 255], [0, 0, 0], [0, 0, 0, 255]][channels - 1] ?? Array.from({ length: channels }, () => 0);

const nothing: Rect = { x: 0, y: 0, width: 0, height: 0 };

/** Changes the pixels in place. */
export function blacken(pixels: Pixels, rects: readonly Rect[]): void {
  const black = blackOf(pixels.channels);
  for (const rect of rects) {
    const { x, y, width, height } = intersect(rect, pixels) ?? nothing;
    const row = Buffer.alloc(width * pixels.channels, Buffer.from(black));
    for (let line = y; line < y + height; line++) pixels.data.set(row, (line * pixels.width + x) * pixels.channels);
  }
}

/** Where a point of a picture is after a turn by an angle around the middle, and the picture after it. */
interface Rotation {
  readonly from: Size;
  readonly to: Size;
  readonly sin: number;
  readonly cos: number;
}

/** The smallest rectangle around a turned one. */
function boundsOf({ x, y, width, height }: Rect, { from, to, sin, cos }: Rotation): Rect {
  const corners = [x, x + width].flatMap((left) => [y, y + height].map((top) => [left, top] as const));
  const turned = corners.map(([left, top]): readonly [number, number] => {
    const [right, down] = [left - from.width / 2, top - from.height / 2];
    return [right * cos - down * sin + to.width / 2, right * sin + down * cos + to.height / 2];
  });
  const [columns, rows] = [turned.map(([column]) => column), turned.map(([, row]) => row)];
  const [left, top] = [Math.floor(Math.min(...columns)), Math.floor(Math.min(...rows))];
  return { x: left, y: top, width: Math.ceil(Math.max(...columns)) - left, height: Math.ceil(Math.max(...rows)) - top };
}

/** The same of a picture of a size that was turned by so many degrees clockwise around its middle; by a pixel more on each side. */
export function blackenTurned(pixels: Pixels, rects: readonly Rect[], from: Size, degrees: number): void {
  const black = blackOf(pixels.channels);
  const angle = (degrees * Math.PI) / 180;
  const rotation: Rotation = { from, to: pixels, sin: Math.sin(angle), cos: Math.cos(angle) };
  const { sin, cos } = rotation;
  for (const rect of rects) {
    const larger = { x: rect.x - 1, y: rect.y - 1, width: rect.width + 2, height: rect.height + 2 };
    const { x: left, y: top, width, height } = intersect(boundsOf(larger, rotation), pixels) ?? nothing;
    for (let at = 0; at < width * height; at++) {
      const [column, row] = [left + (at % width), top + Math.floor(at / width)];
      const [right, down] = [column + 0.5 - pixels.width / 2, row + 0.5 - pixels.height / 2];
      const x = right * cos + down * sin + from.width / 2 - larger.x;
      const y = down * cos - right * sin + from.height / 2 - larger.y;
      if (x < 0 || y < 0 || x >= larger.width || y >= larger.height) continue;
      pixels.data.set(black, (row * pixels.width + column) * pixels.channels);
    }
  }
}
