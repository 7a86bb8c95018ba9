/** Watches the memory of render processes while they have jobs, and ends one that takes more than it may. */
import type { SupervisedProcess } from './supervised-process.ts';

export interface MemoryBounds {
  /** Bytes that each process may have; undefined for no bound. */
  readonly maxBytes: number | undefined;
  /** Bytes that all together may have; undefined for no bound. */
  readonly totalBytes: number | undefined;
}

/** libvips fills about 1 GB a second: the system's own limit stops what is faster. */
const intervalMs = 50;

export interface MemoryWatch {
  /** Watches until no process has a job. */
  start(): void;
  stop(): void;
}

export function watchMemory(processes: readonly SupervisedProcess[], bounds: MemoryBounds): MemoryWatch {
  const { maxBytes = Number.POSITIVE_INFINITY, totalBytes = Number.POSITIVE_INFINITY } = bounds;
  let timer: NodeJS.Timeout | undefined;

  function check(): void {
    const used = processes
      .map((each) => ({ process: each, bytes: each.residentBytes }))
      .sort((a, b) => b.bytes - a.bytes);
    let total = used.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { process, bytes } of used) {
      if (process.load === 0 || (bytes <= maxBytes && total <= totalBytes)) continue;
      process.endForMemory();
      total -= bytes;
    }
    if (processes.every(({ load }) => load === 0)) stop();
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    start() {
      if (Math.min(maxBytes, totalBytes) === Number.POSITIVE_INFINITY) return;
      timer ??= setInterval(check, intervalMs).unref();
    },
    stop,
  };
}
