/** The points by which compared images are aligned, while the reader sets them. */
import { computed, type ReadonlySignal } from '@preact/signals';
import { type Arrangement, alignmentPoints, isAligned, nearerPoint, pointsAt } from '../model/comparison.ts';
import type { Point } from '../model/view-state.ts';
import { active } from './active.ts';
import { arrange, arrangement, setPoints } from './comparison.ts';
import { frame } from './stage.ts';
import { tool } from './tools.ts';
import { views } from './view.ts';

export const isAligning: ReadonlySignal<boolean> = computed(() => tool.value === 'align');

/** The arrangement on the screen: while points are set, all images are seen, and each is moved alone. */
export const shownArrangement: ReadonlySignal<Arrangement> = computed(() =>
  isAligning.value ? { ...arrangement.value, layout: 'beside', together: false } : arrangement.value,
);

const isComplete = (): boolean => views.peek().every((_, index) => isAligned(arrangement.peek(), index));

/** Sets a point of the active image; where both are set, the nearer one moves there. The last point ends the tool. */
export function addAlignmentPoint(point: Point): void {
  const index = active.peek();
  const before = pointsAt(arrangement.peek(), index);
  const wasComplete = isComplete();
  if (before.length < alignmentPoints) setPoints(index, [...before, point]);
  else {
    const moved = nearerPoint(before, point, frame.peek()?.image ?? { width: 1, height: 1 });
    setPoints(
      index,
      before.map((old, at) => (at === moved ? point : old)),
    );
  }
  if (!wasComplete && isComplete()) endAligning();
}

/** The images are moved together from now on, as they are aligned. */
export function endAligning(): void {
  tool.value = 'move';
  arrange({ together: true });
}

/** Takes all points away. */
export function removeAlignment(): void {
  arrange({ points: [] });
}
