/** Draws a watermark on a picture. */
import type { Pixels } from '@lectern/tiff';
import { intersect, type Rect, type Size, type Turn } from '../../image/model/geometry.ts';
import type { DrawnMark } from '../../image/plan/plan-types.ts';
import { type MadeMark, makeMark } from './made-marks.ts';

/** Where the middle of a pixel of a turned copy lies on the upright one, from its left, top corner. */
function uprightAt(column: number, row: number, { width, height }: Size, { flop, turns }: Turn): [number, number] {
  const [x, y] = [column + 0.5, row + 0.5];
  const upright = (
    [
      [x, y],
      [y, height - x],
      [width - x, height - y],
      [width - y, x],
    ] as const
  )[turns];
  return [flop ? width - upright[0] : upright[0], upright[1]];
}

/** A pixel of a mark, interpolated, in red, green, blue and alpha from 0 to 255. */
type Ink = [number, number, number, number];

const clamp = (value: number, most: number): number => Math.max(0, Math.min(most, value));

function readInk({ data, width, height }: MadeMark, x: number, y: number, ink: Ink): void {
  const [left, top] = [clamp(x - 0.5, width - 1), clamp(y - 0.5, height - 1)];
  const [column, row] = [Math.floor(left), Math.floor(top)];
  const [right, down] = [left - column, top - row];
  const at = (row * width + column) * 4;
  const beside = right === 0 ? 0 : 4;
  const below = down === 0 ? 0 : width * 4;
  for (let channel = 0; channel < 4; channel++) {
    const from = at + channel;
    const upper = (data[from] ?? 0) * (1 - right) + (data[from + beside] ?? 0) * right;
    const lower = (data[from + below] ?? 0) * (1 - right) + (data[from + below + beside] ?? 0) * right;
    ink[channel] = upper * (1 - down) + lower * down;
  }
}

const toGray = ([red, green, blue]: Ink): number => 0.299 * red + 0.587 * green + 0.114 * blue;

/** Lays ink, multiplied by its alpha, on a pixel that may have alpha itself. */
function lay(ink: Ink, data: Uint8Array, at: number, channels: number, opacity: number): void {
  const share = (ink[3] * opacity) / 255;
  if (share === 0) return;
  const colors = channels < 3 ? 1 : 3;
  const alpha = colors === channels ? 1 : (data[at + colors] ?? 0) / 255;
  const below = alpha * (1 - share);
  for (let channel = 0; channel < colors; channel++) {
    const own = (colors === 1 ? toGray(ink) : (ink[channel] ?? 0)) * opacity;
    data[at + channel] = Math.round((own + (data[at + channel] ?? 0) * below) / (share + below));
  }
  if (colors < channels) data[at + colors] = Math.round(255 * (share + below));
}

function drawCopy(made: MadeMark, { opacity, turn }: DrawnMark, copy: Rect, picture: Pixels): void {
  const visible = intersect(copy, picture);
  if (visible === undefined) return;
  const size = turn.turns % 2 === 0 ? copy : { width: copy.height, height: copy.width };
  const ink: Ink = [0, 0, 0, 0];
  for (let y = visible.y; y < visible.y + visible.height; y++) {
    for (let x = visible.x; x < visible.x + visible.width; x++) {
      const [across, down] = uprightAt(x - copy.x, y - copy.y, size, turn);
      readInk(made, (across * made.width) / size.width, (down * made.height) / size.height, ink);
      lay(ink, picture.data, (y * picture.width + x) * picture.channels, picture.channels, opacity);
    }
  }
}

export async function drawMark(pixels: Pixels, mark: DrawnMark): Promise<void> {
  const made = await makeMark(mark.mark, mark.made);
  for (const copy of mark.copies) drawCopy(made, mark, copy, pixels);
}
