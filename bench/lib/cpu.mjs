/** The processor time of a process, as Linux counts it: far steadier than rates on a machine that others use too. */
import { readFileSync } from 'node:fs';

/** The unit of /proc/PID/stat: USER_HZ is 100 on all common platforms. */
const msPerTick = 10;

/** Milliseconds of processor time, all threads; undefined where there is no /proc. Children are not included. */
export function cpuMsOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before the last parenthesis may contain spaces; utime and stime are the fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * msPerTick;
  } catch {
    return undefined;
  }
}

/** Does a piece of work and adds what processor time it took in the process. */
export async function withCpu(pid, work) {
  const before = cpuMsOf(pid);
  const result = await work();
  const after = cpuMsOf(pid);
  return { ...result, cpuMs: before === undefined || after === undefined ? Number.NaN : after - before };
}
