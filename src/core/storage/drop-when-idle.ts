/** Drops what a process caches in memory when nothing asked for it for a while. */

/** A reader who looks at a scan moves on within this time, in ms. */
const defaultIdleMs = 20_000;

/**
 * Calls `drop` when the function that this returns was not called for a while, and frees the memory at once where the process exposes its
 * garbage collector: without work, V8 may not collect for long.
 */
export function dropWhenIdle(drop: () => void, idleMs = defaultIdleMs): () => void {
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    drop();
    globalThis.gc?.();
  };
  return () => {
    if (timer === undefined) timer = setTimeout(end, idleMs).unref();
    else timer.refresh();
  };
}
