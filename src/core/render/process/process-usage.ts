/** The memory and processor time of another process, where the system says them: Linux does in /proc. */
import { readFileSync } from 'node:fs';

function readProcess<T>(pid: number, file: 'status' | 'stat', parse: (text: string) => T): T | undefined {
  try {
    return parse(readFileSync(`/proc/${pid}/${file}`, 'latin1'));
  } catch {
    // The process has ended, or the system has no such file.
    return undefined;
  }
}

/** Bytes in memory that belong to the process alone; undefined where that can't be told. */
export const residentBytes = (pid: number): number | undefined =>
  readProcess(pid, 'status', (text) => {
    const kibibytes = /^RssAnon:\s+(\d+) kB/m.exec(text)?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  });

/** Linux counts processor time in these units for all programs. */
const msPerTick = 10;

/** ms of processor time since the process started; undefined where that can't be told. */
export const processorMs = (pid: number): number | undefined =>
  readProcess(pid, 'stat', (text) => {
    // The name of the program, in brackets, may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * msPerTick;
  });
