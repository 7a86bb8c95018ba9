/** Reads of large files take turns on each disk, so that stats and headers of other requests never wait behind many of them. */
import PQueue from 'p-queue';

/** Reads of one disk that are under way at once: a further one would only wait in the disk's own queue. */
const concurrency = 2;

export class ReadTurns {
  readonly #queues = new Map<string, PQueue>();

  /** Runs an operation on a disk, which is named by one of its directories, when it is its turn. */
  run<T>(disk: string, operation: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(disk) ?? new PQueue({ concurrency });
    this.#queues.set(disk, queue);
    return queue.add(operation);
  }
}
