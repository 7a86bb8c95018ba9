/** How the compared images are arranged. Their views are in view.ts. */
import { type ReadonlySignal, signal } from '@preact/signals';
import { type Arrangement, type Comparison, plainArrangement, withPoints } from '../model/comparison.ts';
import type { Point } from '../model/view-state.ts';
import { setViews, views } from './view.ts';

const current = signal<Arrangement>(plainArrangement);

export const arrangement: ReadonlySignal<Arrangement> = current;

/** Replaces the whole comparison, at a navigation. */
export function setComparison({ views: states, ...rest }: Comparison): void {
  setViews(states);
  current.value = rest;
}

export function arrange(change: Partial<Arrangement>): void {
  current.value = { ...current.peek(), ...change };
}

/** The comparison as its address has it. */
export const comparisonNow = (): Comparison => ({ ...current.value, views: views.value });

/** Sets the points by which an image is aligned. */
export function setPoints(index: number, points: readonly Point[]): void {
  current.value = withPoints(current.peek(), index, points, views.peek().length);
}
