/** Adds, replaces and takes away compared images: each is an entry of the browser's history. */
import { type Comparison, withImage, withOtherImage, withoutImage } from '../../model/address/comparison.ts';
import { compareRoute } from '../../model/address/routes.ts';
import { plainView } from '../../model/view-state.ts';
import { openedAt } from '../../state/opened.ts';
import { goTo } from '../../state/route.ts';
import { flushViewport } from '../../state/stages.ts';
import { comparisonNow } from '../../state/view.ts';

function change(edit: (comparison: Comparison) => Comparison): void {
  flushViewport();
  goTo(compareRoute(edit(comparisonNow())));
}

export const addImage = (fn: string): void => change((now) => withImage(now, plainView(fn)));

export const removeAt = (index: number): void => change((now) => withoutImage(now, index));

/** Whether the folder of an image has a page at this distance from it. */
export function hasPage(index: number, by: number): boolean {
  const opened = openedAt(index);
  if (opened === undefined) return false;
  const at = opened.at + by;
  return at >= 1 && at <= opened.images.total;
}

/** Shows another page of its folder in the place of an image. */
export async function goToPageOf(index: number, by: number): Promise<void> {
  const opened = openedAt(index);
  const card = await opened?.images.find(opened.at + by);
  if (card !== undefined && openedAt(index) === opened) change((now) => withOtherImage(now, index, card.path));
}
