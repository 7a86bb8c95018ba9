/** Waits until servers have finished their background work, such as derived pyramids. */
import { cpuMs } from './process-tree.mjs';

const windowMs = 100;
/** Two ticks of the clock by which Linux counts processor time. */
const idleMs = 20;
const maxMs = 20_000;

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves when the processes of all systems have been idle for 100 ms, or after 20 s. */
export async function settle(systems) {
  const pids = systems.flatMap((system) => system.pids);
  const end = performance.now() + maxMs;
  for (let before = cpuMs(pids); performance.now() < end; ) {
    await pause(windowMs);
    const now = cpuMs(pids);
    if (now - before <= idleMs) return;
    before = now;
  }
}
