/** The sides of the stage, where a click turns the page. */
import type { Side } from './facing.ts';

/** The width of a side: a fraction of the stage, within bounds in CSS pixels. */
const fraction = 0.12;
const narrowest = 40;
const widest = 140;

/** The side on which a position lies, in CSS pixels from the left edge of a stage; undefined between them. */
export function sideAt(x: number, stageWidth: number): Side | undefined {
  const width = Math.min(Math.max(stageWidth * fraction, narrowest), widest, stageWidth / 3);
  if (x < width) return 'left';
  return x >= stageWidth - width ? 'right' : undefined;
}
