/** Watches the memory of servers while they are measured. */
import { proportionalBytes, residentBytes, treeOf } from './tree.mjs';

const everyMs = 200;
/** Reading the proportional size walks all pages, so it is read less often. */
const proportionalEvery = 5;

/** Watches from now on; `peaks` says for each side the most bytes that all its processes together had at one moment. */
export function watchMemory(sides) {
  const peaks = new Map(sides.map(({ name }) => [name, { resident: 0, proportional: 0, processes: 0 }]));
  let turn = 0;
  const look = () => {
    for (const { name, pids } of sides) {
      const peak = peaks.get(name);
      peak.resident = Math.max(peak.resident, residentBytes(pids));
      peak.processes = Math.max(peak.processes, pids.flatMap(treeOf).length);
      if (turn % proportionalEvery === 0) peak.proportional = Math.max(peak.proportional, proportionalBytes(pids));
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
