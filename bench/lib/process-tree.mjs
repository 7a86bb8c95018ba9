/** Reads the processes of a server, their memory and processor time from /proc; all zero on other systems than Linux. */
import { readdirSync, readFileSync } from 'node:fs';

/** The unit of /proc/PID/stat: USER_HZ is 100 on all common platforms. */
const msPerTick = 10;

function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function threadsOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** A process and its descendants. */
export function treeOf(pid) {
  const children = threadsOf(pid).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(treeOf)];
}

/** The command line of a process as one text. */
export const argumentsOf = (pid) => textOf(`/proc/${pid}/cmdline`);

const treesOf = (pids) => pids.flatMap(treeOf);

/** Processor time in ms of one process, all its threads, user and system. */
export function cpuMsOf(pid) {
  const stat = textOf(`/proc/${pid}/stat`);
  // The name before the last parenthesis may contain spaces; utime and stime are the fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat === '' ? 0 : (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

const total = (pids, amountOf) => pids.reduce((sum, pid) => sum + amountOf(pid), 0);

/** Processor time in ms of all running processes; it drops when one of them exits. */
export const cpuMs = (pids) => total(treesOf(pids), cpuMsOf);

const kibOf = (pid, file, name) =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(textOf(`/proc/${pid}/${file}`))?.[1] ?? 0);

/** The name of the program that a process runs. */
function programOf(pid) {
  const words = argumentsOf(pid).split('\0').filter(Boolean);
  const program = words.find((word, index) => index > 0 && /\.[cm]?js$/.test(word)) ?? words[0] ?? '';
  return program.slice(program.lastIndexOf('/') + 1).replace(/\.[cm]?js$/, '');
}

/** The memory of each process in bytes: a page that several processes have counts for each of them with its share (PSS). */
export const proportionalBytesByProcess = (pids) =>
  treesOf(pids).map((pid) => ({ program: programOf(pid), bytes: kibOf(pid, 'smaps_rollup', 'Pss') * 1024 }));
