/** Watches the memory of servers while they are measured. */
import { residentOf, sharedOnceBytes } from './tree.mjs';

const everyMs = 200;
/** What is shared takes a walk through all pages, so it is read less often, and whenever the memory was never as much. */
const sharedEvery = 5;

/**
 * Watches from now on; `peaks` says for each side the most bytes that all its processes together had at one moment, and what
 * `each` of them had then.
 */
export function watchMemory(sides) {
  const peaks = new Map(sides.map(({ name }) => [name, { resident: 0, each: [], sharedOnce: 0, processes: 0 }]));
  let turn = 0;
  const look = () => {
    for (const { name, pids } of sides) {
      const peak = peaks.get(name);
      const each = residentOf(pids);
      const resident = each.reduce((sum, { bytes }) => sum + bytes, 0);
      const isMost = resident > peak.resident;
      if (isMost) Object.assign(peak, { resident, each });
      peak.processes = Math.max(peak.processes, each.length);
      if (isMost || turn % sharedEvery === 0) peak.sharedOnce = Math.max(peak.sharedOnce, sharedOnceBytes(pids));
    }
    turn += 1;
  };
  look();
  const timer = setInterval(look, everyMs);
  return {
    stop() {
      clearInterval(timer);
      look();
      return peaks;
    },
  };
}
