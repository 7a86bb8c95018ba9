/** Samples the memory of servers while they are measured. */
import { residentBytesByProcess, sharedOnceBytes } from './process-tree.mjs';

const intervalMs = 200;
/** Shared memory takes a walk through all mappings to sum up, so it is summed at every fifth sample and each new maximum. */
const sharedEvery = 5;

/**
 * Starts sampling. `stop` returns the peak of each system: the largest sum of the resident bytes of its processes, and the
 * bytes of `each` process at that time.
 */
export function watchMemory(systems) {
  const peaks = new Map(systems.map(({ name }) => [name, { resident: 0, each: [], sharedOnce: 0, processes: 0 }]));
  let turn = 0;
  const sample = () => {
    for (const { name, pids } of systems) {
      const peak = peaks.get(name);
      const each = residentBytesByProcess(pids);
      const resident = each.reduce((sum, { bytes }) => sum + bytes, 0);
      const isMaximum = resident > peak.resident;
      if (isMaximum) Object.assign(peak, { resident, each });
      peak.processes = Math.max(peak.processes, each.length);
      if (isMaximum || turn % sharedEvery === 0) peak.sharedOnce = Math.max(peak.sharedOnce, sharedOnceBytes(pids));
    }
    turn += 1;
  };
  sample();
  const timer = setInterval(sample, intervalMs);
  return {
    stop() {
      clearInterval(timer);
      sample();
      return peaks;
    },
  };
}
