/** Waits until servers have finished what they do for themselves, such as derived pyramids. */
import { cpuMs } from './tree.mjs';

const windowMs = 100;
/** Two ticks of the clock by which Linux counts processor time. */
const idleMs = 20;
const mostMs = 20_000;

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves when the processes of all sides have been idle for a moment, or after 20 seconds. */
export async function settle(sides) {
  const pids = sides.flatMap((side) => side.pids);
  const end = performance.now() + mostMs;
  for (let before = cpuMs(pids); performance.now() < end; ) {
    await pause(windowMs);
    const now = cpuMs(pids);
    if (now - before <= idleMs) return;
    before = now;
  }
}
