/** What a rendering costs, estimated from its plan alone: before it is started, it has to fit into the server's budgets. */
import { decodedPixels } from './plan-facts.ts';
import type { Render } from './plan-types.ts';

export interface Cost {
  /** Bytes of memory that the render process needs for it at most. */
  readonly bytes: number;
  /** Processor time in ms, on one core. */
  readonly ms: number;
}

/** libvips streams most pictures, so that a part of the pixels is in memory at a time. */
const bytesPerPixel = 4;

const pixelsPerMs = 60_000;

/** The estimated cost of a rendering. */
export function costOf(plan: Render): Cost {
  const pixels = decodedPixels(plan) + plan.scaled.width * plan.scaled.height;
  return { bytes: pixels * bytesPerPixel, ms: Math.ceil(pixels / pixelsPerMs) };
}
