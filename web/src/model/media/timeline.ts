/** What is on a canvas at a time, and where its files stand then. */
import type { TimedItem } from './canvas-media.ts';

type Spanned = Pick<TimedItem, 'from' | 'to'>;

export const isActive = ({ from, to }: Spanned, time: number): boolean => time >= from && time < to;

/** The time of a file at a time of the canvas. */
export const fileTime = ({ from, start }: Pick<TimedItem, 'from' | 'start'>, time: number): number =>
  start + time - from;

/** The time of the canvas at a time of a file. */
export const canvasTime = ({ from, start }: Pick<TimedItem, 'from' | 'start'>, time: number): number =>
  from + time - start;

/** The end of a canvas: what it says itself, else that of its last item; undefined where a file alone knows. */
export function endOf(items: readonly Spanned[], duration: number | undefined): number | undefined {
  if (duration !== undefined) return duration;
  const last = Math.max(0, ...items.map(({ to }) => to));
  return Number.isFinite(last) && last > 0 ? last : undefined;
}

export const isTimed = ({ kind }: Pick<TimedItem, 'kind'>): boolean => kind === 'sound' || kind === 'video';
