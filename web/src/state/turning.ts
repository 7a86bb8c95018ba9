/** Rotating and mirroring what the stage shows: at the same scale, around the center of the window. */
import { normalizedDegrees } from '../model/view-query.ts';
import type { ViewState } from '../model/view-state.ts';
import { flushViewport, stage } from './stage.ts';
import { changeView, view } from './view.ts';
import { showsWhole, takePlacement } from './viewport.ts';

type Orientation = Pick<ViewState, 'rotation' | 'mirror'>;

/** A whole image stays whole, at the scale at which it fits. */
function orient(change: Partial<Orientation>): void {
  flushViewport();
  const { rotation, mirror } = { ...view.peek(), ...change };
  const placement = showsWhole(view.peek()) ? undefined : stage.peek()?.turn({ rotation, mirror });
  if (placement === undefined) changeView({ rotation, mirror });
  else takePlacement(placement);
}

/** Rotates the image to degrees clockwise. */
export const turnTo = (degrees: number): void => orient({ rotation: normalizedDegrees(degrees) });

/** Rotates the image by degrees clockwise. */
export const turnBy = (degrees: number): void => turnTo(view.peek().rotation + degrees);

/** Mirrors the image as it stands on the screen, left to right or top to bottom, also where it is rotated. */
export function mirrorOnScreen(direction: 'horizontal' | 'vertical'): void {
  const { mirror, rotation } = view.peek();
  orient({ mirror: { ...mirror, [direction]: !mirror[direction] }, rotation: normalizedDegrees(-rotation) });
}
