// What a process and its children hold: memory, file descriptors, and temporary files in a folder.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The result, or another one where the process or the folder has gone in between. */
function unlessGone(read, otherwise) {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function childrenOf(pid) {
  const read = () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return unlessGone(read, '').split(' ').filter(Boolean).map(Number);
}

/** Resident memory in MiB, by the processes' shares of what they share. */
function memoryOf(pid) {
  const read = () => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+)/m.exec(unlessGone(read, ''))?.[1] ?? 0) / 1024;
}

const descriptorsOf = (pid) => unlessGone(() => readdirSync(`/proc/${pid}/fd`).length, 0);

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Files that are being written, or were left half-written: those in a folder named `temporary` or `work`, and in `scratch`. */
function temporaryFiles(cache, scratch) {
  const list = (folder) =>
    unlessGone(() => readdirSync(folder, { recursive: true, withFileTypes: true }), []).filter((entry) =>
      entry.isFile(),
    );
  const isTemporary = ({ parentPath, path: older }) => /^(?:temporary|work)$/.test(path.basename(parentPath ?? older));
  return list(cache).filter(isTemporary).length + list(scratch).length;
}

/** The figures of the server `pid` at this moment. */
export function figuresOf(pid, { cache, scratch }) {
  const children = childrenOf(pid);
  return {
    serverMiB: memoryOf(pid),
    childrenMiB: sum(children.map(memoryOf)),
    children: children.length,
    serverDescriptors: descriptorsOf(pid),
    childrenDescriptors: sum(children.map(descriptorsOf)),
    temporaryFiles: temporaryFiles(cache, scratch),
  };
}

const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

/**
 * Whether the median of a figure in the last quarter of a series is at most that of the quarter before, and `percent` of it and
 * `more` above that.
 */
export function isFlat(series, name, percent, more) {
  const quarter = Math.floor(series.length / 4);
  const [before, last] = [series.slice(-2 * quarter, -quarter), series.slice(-quarter)].map((part) =>
    median(part.map((figures) => figures[name])),
  );
  return last <= before * (1 + percent / 100) + more;
}
