/** What a derivative costs, estimated from its plan alone: before it is made, it has to fit into the server's budgets. */
import { outputFormats } from '../model/formats.ts';
import { memoryOf } from './memory-cost.ts';
import type { Render, SendTile } from './plan-types.ts';
import { timeOf } from './time-cost.ts';

export interface Cost {
  /** Bytes of memory that the render process needs for it at most, beyond those of an idle one. */
  readonly bytes: number;
  /** Processor time in ms, on one core. */
  readonly ms: number;
}

const estimated = new WeakMap<Render, Cost>();

/** The estimated cost of a rendering; docs/reference/measurements.md compares it with what was measured. Planning and the queue need it. */
export function costOf(plan: Render): Cost {
  const known = estimated.get(plan);
  if (known !== undefined) return known;
  const cost = { bytes: memoryOf(plan), ms: timeOf(plan) };
  estimated.set(plan, cost);
  return cost;
}

/** The size of a derivative in bytes, on the safe side. */
export function outputBytesOf(plan: Render | SendTile): number {
  const { width, height } = plan.size;
  return width * height * outputFormats[plan.kind === 'render' ? plan.format : 'jpeg'].cost.atMost;
}
