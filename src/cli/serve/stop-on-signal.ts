/** Ends the server at SIGTERM and SIGINT: the first lets running answers be finished, a second one ends it at once. */
import { setTimeout as pause } from 'node:timers/promises';

export interface StoppableServer {
  /** Stops listening, and resolves when all answers are complete or cut off, and all parts are closed. */
  close(): Promise<unknown>;
  /** Whether operations on a disk are still under way. */
  readsFiles(): boolean;
}

/** The parts get this long beyond the answers to end pending writes, in ms. */
const closingMs = 1000;

/** Operations on a disk that answers end within this time, in ms. */
const lastReadsMs = 500;

/** Ends the process with status 0. */
async function end({ readsFiles }: StoppableServer): Promise<void> {
  for (let waitedMs = 0; readsFiles() && waitedMs < lastReadsMs; waitedMs += 20) await pause(20);
  // To exit, Node waits for its threads, and one that reads from a disk that hangs never returns.
  if (readsFiles()) process.kill(process.pid, 'SIGKILL');
  process.exit(0);
}

/** Answers that are not complete `drainMs` after the first signal are cut off. */
export function stopOnSignal(server: StoppableServer, drainMs: number): void {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) {
      void end(server);
      return;
    }
    isStopping = true;
    setTimeout(() => void end(server), drainMs + closingMs).unref();
    void server.close().finally(() => end(server));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
