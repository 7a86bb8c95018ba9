/** Aborts work that several requests share only when all of them have been aborted. */

interface Waiters {
  count: number;
  readonly controller: AbortController;
}

export interface SharedAbort {
  /**
   * Runs work with a signal that is aborted when all requests with this key are. Requests with the same key may share one
   * piece of work, so it must not depend on the signal of a single request.
   */
  run<T>(key: string, signal: AbortSignal, work: (allAborted: AbortSignal) => Promise<T>): Promise<T>;
}

export function createSharedAbort(): SharedAbort {
  const waiting = new Map<string, Waiters>();
  return {
    async run(key, signal, work) {
      const waiters = waiting.get(key) ?? { count: 0, controller: new AbortController() };
      waiting.set(key, waiters);
      waiters.count++;
      const leave = (): void => {
        signal.removeEventListener('abort', leave);
        if (--waiters.count > 0) return;
        if (waiting.get(key) === waiters) waiting.delete(key);
        if (signal.aborted) waiters.controller.abort();
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave);
      try {
        return await work(waiters.controller.signal);
      } finally {
        if (!signal.aborted) leave();
      }
    },
  };
}
