// What the processes take during a phase: processor time by what they are for, and the server's memory over time.
import { availableParallelism, cpus } from 'node:os';
import { cpuMs, cpuMsOf } from '../../bench/lib/process-tree.mjs';
import { figuresOf } from '../soak/process-figures.mjs';

/** Processor time of all programs of the machine in ms. */
const busyMs = () => cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);

/** `programs` are the process ids by name; `server` among them is the server without its children. */
export function startFigures({ programs, folders, samples, seconds }) {
  const read = () => {
    const server = cpuMsOf(programs.server);
    const { server: _, ...others } = programs;
    const rows = Object.entries(others).map(([name, pid]) => [
      name,
      name === 'this process' ? cpuMsOf(pid) : cpuMs([pid]),
    ]);
    return { server, 'render processes': cpuMs([programs.server]) - server, ...Object.fromEntries(rows) };
  };
  const startMs = performance.now();
  const before = read();
  let last = before;
  const busyBefore = busyMs();
  const series = [];
  const timer = setInterval(
    () => {
      last = read();
      series.push({ second: (performance.now() - startMs) / 1000, ...figuresOf(programs.server, folders) });
    },
    (seconds * 1000) / samples,
  );
  return () => {
    clearInterval(timer);
    const elapsedMs = performance.now() - startMs;
    const after = read();
    // A process that has ended before the end counts until it was last seen.
    const shareOf = (name) => (Math.max(after[name], last[name]) - before[name]) / elapsedMs / availableParallelism();
    const shares = Object.fromEntries(Object.keys(before).map((name) => [name, shareOf(name)]));
    const own = Object.values(shares).reduce((sum, share) => sum + share, 0);
    const all = (busyMs() - busyBefore) / elapsedMs / availableParallelism();
    return { shares: { ...shares, 'other programs': Math.max(0, all - own) }, series };
  };
}
