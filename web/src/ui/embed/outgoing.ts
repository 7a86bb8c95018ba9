/** Reads the state that is posted to the embedding page. */

import { viewRoute } from '../../model/address/routes.ts';
import type { OutgoingPage, OutgoingSize, OutgoingView } from '../../model/embed/frame-messages.ts';
import { boundsOfRotated } from '../../model/view/framing.ts';
import type { Point, Rect } from '../../model/view-state.ts';
import { openedNow } from '../../state/opened.ts';
import { addressOfRoute } from '../../state/route.ts';
import { frame } from '../../state/stages.ts';
import { namedView } from '../../state/viewport.ts';

const pointOf = ({ x, y }: Point): Point => ({ x, y });
const rectangleOf = ({ x, y, width, height }: Rect): Rect => ({ x, y, width, height });

export function outgoingView(): OutgoingView | undefined {
  if (openedNow() === undefined) return undefined;
  const { fn, region, rotation, mirror, mode, color, marks, rectangles, twoPages, shifted } = namedView.value;
  return {
    address: addressOfRoute(viewRoute(namedView.value)),
    path: fn,
    region,
    rotation,
    mirror,
    mode,
    color,
    marks: marks.map(pointOf),
    rectangles: rectangles.map(rectangleOf),
    twoPages: twoPages ?? false,
    shifted,
  };
}

export function outgoingPage(): OutgoingPage | undefined {
  const opened = openedNow();
  if (opened === undefined) return undefined;
  const { at, images, card, path } = opened;
  return { at, total: images.total, label: card.label, path };
}

export function outgoingSize(): OutgoingSize | undefined {
  const now = frame.value;
  if (now === undefined) return undefined;
  const { image, placement, window: stage } = now;
  const rotated = boundsOfRotated(image, placement.rotation);
  return {
    width: image.width,
    height: image.height,
    ratio: rotated.width / rotated.height,
    bars: { width: innerWidth - stage.width, height: innerHeight - stage.height },
  };
}
