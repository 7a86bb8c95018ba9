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

/** The resident memory of each process in bytes; shared memory counts for each of them. */
export const residentBytesByProcess = (pids) =>
  treesOf(pids).map((pid) => ({ program: programOf(pid), bytes: kibOf(pid, 'status', 'VmRSS') * 1024 }));

/** The mappings of a process, with their private and resident KiB; `key` is equal for the same part of the same file. */
function mappingsOf(pid) {
  const mappings = [];
  for (const line of textOf(`/proc/${pid}/smaps`).split('\n')) {
    const head = /^[0-9a-f]+-[0-9a-f]+ \S+ (\S+ \S+ \d+)/.exec(line);
    if (head) mappings.push({ key: head[1], resident: 0, own: 0 });
    const [, name, kib] = /^(Rss|Private_Clean|Private_Dirty):\s+(\d+) kB/.exec(line) ?? [];
    if (name === 'Rss') mappings.at(-1).resident = Number(kib);
    else if (name) mappings.at(-1).own += Number(kib);
  }
  return mappings;
}

/** Resident memory in bytes, in which shared memory counts once; 0 if it can’t be read. */
export function sharedOnceBytes(pids) {
  let own = 0;
  const shared = new Map();
  for (const mapping of treesOf(pids).flatMap(mappingsOf)) {
    own += mapping.own;
    shared.set(mapping.key, Math.max(shared.get(mapping.key) ?? 0, mapping.resident - mapping.own));
  }
  return [...shared.values()].reduce((sum, kib) => sum + kib, own) * 1024;
}
