/** Warnings that can repeat thousands of times: each kind is logged once, and its repeats as a count at intervals. */

const intervalMs = 60_000;

export interface CountedWarnings {
  report(message: string): void;
  /** Logs the counts that were not logged yet. */
  close(): void;
}

/** `log` is called with the message and, for repeats, their number. */
export function createCountedWarnings(log: (facts: { repeats?: number }, message: string) => void): CountedWarnings {
  const counts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  function logCounts(): void {
    timer = undefined;
    for (const [message, repeats] of counts) if (repeats > 0) log({ repeats }, `again: ${message}`);
    counts.clear();
  }

  return {
    report(message) {
      const count = counts.get(message);
      counts.set(message, (count ?? -1) + 1);
      if (count === undefined) log({}, message);
      timer ??= setTimeout(logCounts, intervalMs).unref();
    },
    close() {
      clearTimeout(timer);
      logCounts();
    },
  };
}
