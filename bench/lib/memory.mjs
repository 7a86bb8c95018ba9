/** Samples the memory of servers while they are measured. */
import { proportionalBytesByProcess } from './process-tree.mjs';

const intervalMs = 200;

const sumOf = (processes) => processes.reduce((sum, { bytes }) => sum + bytes, 0);

/** Whether a process makes derived pyramids: such processes end with their pyramid. */
const isMaking = ({ program }) => program === 'make-process';

/**
 * Starts sampling. `during` names the row that is measured from then on. `stop` returns the peak of each system: the largest sum of the
 * bytes of its processes without those that make pyramids, the bytes of `each` process at that time, and the row; the largest sum of each
 * row; and in `makingBytes` the most that the making of a pyramid took.
 */
export function watchMemory(systems) {
  const peaks = new Map(
    systems.map(({ name }) => [name, { bytes: 0, each: [], row: '', byRow: new Map(), makingBytes: 0 }]),
  );
  let current = 'start';
  const sample = () => {
    for (const { name, pids } of systems) {
      const peak = peaks.get(name);
      const each = proportionalBytesByProcess(pids);
      const bytes = sumOf(each.filter((one) => !isMaking(one)));
      peak.makingBytes = Math.max(peak.makingBytes, sumOf(each.filter(isMaking)));
      if (bytes > peak.bytes) Object.assign(peak, { bytes, each, row: current });
      peak.byRow.set(current, Math.max(bytes, peak.byRow.get(current) ?? 0));
    }
  };
  sample();
  const timer = setInterval(sample, intervalMs);
  return {
    during(row) {
      current = row;
    },
    /** The peak of a system in a row, until now. */
    peakOf: (name, row) => peaks.get(name).byRow.get(row) ?? 0,
    stop() {
      clearInterval(timer);
      sample();
      return peaks;
    },
  };
}
