/** Work that several wait for goes on as long as one of them does. */

interface Waiters {
  count: number;
  readonly all: AbortController;
}

export interface SharedAbort {
  /**
   * Runs work that is told by its signal when nobody waits under this key any more. What is done under the same key at the
   * same time may be the same work: it must not be bound to the signal of one who waits.
   */
  run<T>(key: string, signal: AbortSignal, work: (nobodyWaits: AbortSignal) => Promise<T>): Promise<T>;
}

export function createSharedAbort(): SharedAbort {
  const waiting = new Map<string, Waiters>();
  return {
    async run(key, signal, work) {
      const waiters = waiting.get(key) ?? { count: 0, all: new AbortController() };
      waiting.set(key, waiters);
      waiters.count++;
      const leave = (): void => {
        signal.removeEventListener('abort', leave);
        if (--waiters.count > 0) return;
        if (waiting.get(key) === waiters) waiting.delete(key);
        if (signal.aborted) waiters.all.abort();
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave);
      try {
        return await work(waiters.all.signal);
      } finally {
        if (!signal.aborted) leave();
      }
    },
  };
}
