/** What is pictured of an image for a note. */
import { clipToImage } from '../view/framing.ts';
import { boxAround } from '../view/geometry.ts';
import type { Point, Rect } from '../view-state.ts';

/** The least that is pictured around points, as a fraction of the image’s sides. */
const least = 0.2;

/** The rectangle around points with a margin, so that what is around them can be seen. */
export function pointsBox(points: readonly Point[]): Rect {
  const box = boxAround(points) ?? { x: 0.5, y: 0.5, width: 0, height: 0 };
  const [width, height] = [Math.max(least, box.width * 1.2), Math.max(least, box.height * 1.2)];
  return clipToImage({
    x: box.x + (box.width - width) / 2,
    y: box.y + (box.height - height) / 2,
    width,
    height,
  });
}
