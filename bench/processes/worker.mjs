/** The common part of the benchmark's own processes: replies to each message, and exits with the parent process. */

/** Replies to every message with the function's result. */
export function respondWith(work) {
  process.on('message', async (message) => {
    try {
      process.send(await work(message));
    } catch (error) {
      process.send({ failure: error instanceof Error ? error.message : String(error) });
    }
  });
  process.once('disconnect', () => process.exit(0));
  // Ctrl-C reaches the whole process group; the parent process decides when this one ends.
  process.on('SIGINT', () => undefined);
}
