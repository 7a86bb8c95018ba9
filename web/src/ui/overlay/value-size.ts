/** The size of a value on the image, before it is drawn. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';

/** As in `notes.css`, in rem. */
const font = 0.8;
const padding = { x: 0.55, y: 0.35 };

/** The least height, in CSS pixels. */
const least = 24;

const widths = new Map<string, number>();
let context: CanvasRenderingContext2D | null | undefined;

/** In CSS pixels; a pixel too wide, since a canvas measures other digits than those of equal width. */
export function valueSize(text: string): Size {
  const style = getComputedStyle(document.documentElement);
  const rem = Number.parseFloat(style.fontSize);
  const height = Math.max(least, (font + 2 * padding.y) * rem);
  const known = widths.get(text);
  if (known !== undefined) return { width: known, height };
  context ??= document.createElement('canvas').getContext('2d');
  if (context === null) return { width: least, height };
  context.font = `600 ${font * rem}px ${style.getPropertyValue('--sans')}`;
  const width = Math.ceil(Math.max(least, context.measureText(text).width + 2 * padding.x * rem)) + 1;
  if (widths.size > 1000) widths.clear();
  widths.set(text, width);
  return { width, height };
}
