/** The thumbnail of the open image in its place, until its tiles have loaded. */
import type { VNode } from 'preact';
import { onScreen, pictureAddress } from '../../data/images.ts';
import { matrixOf } from '../../model/view/geometry.ts';
import { openedNow } from '../../state/opened.ts';
import { frame, sharpImage, stage } from '../../state/stages.ts';
import { view } from '../../state/view.ts';
import { placementOf } from '../../state/viewport.ts';
import { thumbnailBox } from './filmstrip.tsx';

/** Width and height in CSS pixels before the transformation; the value has no effect. */
const side = 100;

/** The colors of the view are not applied to it. */
export function Placeholder(): VNode | null {
  const opened = openedNow();
  const on = stage.value;
  if (opened === undefined || on === undefined || sharpImage.value === opened.path) return null;
  const { width, height, path } = opened.card;
  if (width === null || height === null || opened.inner > 1 || view.value.color.operation !== '') return null;
  const image = { width, height };
  const now = on.image?.path === opened.path ? frame.value : undefined;
  const [a, b, c, d, e, f] = now?.matrix ?? matrixOf(placementOf(view.value, on, image), image, on.window);
  const matrix = [a / side, b / side, c / side, d / side, e, f].join(', ');
  return (
    <img
      class="placeholder"
      src={pictureAddress(path, onScreen(thumbnailBox))}
      alt=""
      width={side}
      height={side}
      style={{ transform: `matrix(${matrix})` }}
    />
  );
}
