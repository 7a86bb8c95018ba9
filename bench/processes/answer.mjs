/** The common part of the benchmark's own processes: answers each message, and ends with the process that asked. */

/** Answers every message by what the function makes of it. */
export function answerWith(work) {
  process.on('message', async (question) => {
    try {
      process.send(await work(question));
    } catch (error) {
      process.send({ failure: error instanceof Error ? error.message : String(error) });
    }
  });
  process.once('disconnect', () => process.exit(0));
  // Ctrl-C reaches the whole process group; the process that asked decides when this one ends.
  process.on('SIGINT', () => undefined);
}
