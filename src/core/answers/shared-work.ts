/** Work that several requests share: it lasts until the latest of their deadlines, and is aborted when none of them waits. */
import { ImageError } from '../image/model/errors.ts';

/** For whom and until when a body is made. */
export interface BodyOptions {
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  /** When the request has to be answered, in ms on the clock of `performance.now()`; Infinity for no deadline. */
  readonly deadlineAtMs: number;
  /** Equal for all requests of one client: clients share the server's work fairly. */
  readonly client: string;
  /** The groups of clients that it is in, the outermost first; a group gets as much as a client that is in none, times its weight. */
  readonly groups?: readonly string[] | undefined;
  /** Of the outermost group, or of the client where it is in none: 1 by default. */
  readonly weight?: number | undefined;
  /** Why nothing is made for this request; it gets what is cached, or what is made for others. */
  readonly refusal?: ImageError | undefined;
  /** Takes the processor time of a pyramid, in ms, from the budgets of the client; false where they have not enough. */
  readonly paysPyramid?: ((ms: number) => boolean) | undefined;
  /** Called where the picture was rendered for this request, and not only awaited: the time that it waited and was rendered, in ms. */
  readonly onRendered?: ((times: { readonly queueMs: number; readonly renderMs: number }) => void) | undefined;
}

/** What the work gets to know of the requests that wait for it. */
export interface SharedWork {
  /** Aborted when no request waits for it, unless it was started before. */
  readonly signal: AbortSignal;
  /** The latest deadline of its requests, in ms on the clock of `performance.now()`; it may become later. */
  deadlineAtMs(): number;
  /** Has to be called when the work leaves the queue. */
  start(): void;
}

interface SharedWorks {
  /**
   * Does work that requests with the same key may share, so that it must not depend on the options of a single one.
   * Rejects at the deadline of these options with ImageError `overloaded` where the work has not started, or else `too-slow`.
   */
  run<T>(key: string, options: BodyOptions, work: (shared: SharedWork) => Promise<T>): Promise<T>;
  /** Whether `run` would join requests with this key. */
  joins(key: string): boolean;
}

const notStarted = (): ImageError =>
  new ImageError('overloaded', 'The server is busy with other pictures; try again in a few seconds.');

const tooSlow = (): ImageError =>
  new ImageError('too-slow', 'The picture was not ready in time; try again, or ask for a smaller one.');

/** The requests with one key. */
class Group implements SharedWork {
  readonly #controller = new AbortController();
  #deadlineAtMs = 0;
  #isStarted = false;
  /** Requests that wait. */
  waiting = 0;
  /** Calls of the work that have not ended. */
  running = 0;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  deadlineAtMs(): number {
    return this.#deadlineAtMs;
  }

  start(): void {
    this.#isStarted = true;
  }

  enter(deadlineAtMs: number): void {
    this.waiting++;
    this.#deadlineAtMs = Math.max(this.#deadlineAtMs, deadlineAtMs);
  }

  leave(): void {
    this.waiting--;
    if (this.waiting === 0 && this.running > 0 && !this.#isStarted) this.#controller.abort();
  }

  deadlineError(): ImageError {
    return this.#isStarted ? tooSlow() : notStarted();
  }
}

export function createSharedWorks(): SharedWorks {
  const groups = new Map<string, Group>();

  function workingGroupOf(key: string): Group | undefined {
    const group = groups.get(key);
    return group?.signal.aborted ? undefined : group;
  }

  /** The group of a key; a new one where there is none, or none that still works. */
  function groupOf(key: string): Group {
    const existing = workingGroupOf(key);
    if (existing !== undefined) return existing;
    const added = new Group();
    groups.set(key, added);
    return added;
  }

  async function track<T>(key: string, group: Group, work: (shared: SharedWork) => Promise<T>): Promise<T> {
    group.running++;
    try {
      return await work(group);
    } finally {
      group.running--;
      if (group.running === 0 && groups.get(key) === group) groups.delete(key);
    }
  }

  return {
    joins: (key) => workingGroupOf(key) !== undefined,
    run(key, { signal, deadlineAtMs }, work) {
      const group = groupOf(key);
      group.enter(deadlineAtMs);
      const result = track(key, group, work);
      return new Promise((resolve, reject) => {
        let hasLeft = false;
        const leave = (): void => {
          if (hasLeft) return;
          hasLeft = true;
          clearTimeout(timer);
          signal.removeEventListener('abort', leave);
          group.leave();
        };
        const giveUp = (): void => {
          // Before leaving, which may abort the work and let it reject with another error.
          reject(group.deadlineError());
          leave();
        };
        const msLeft = deadlineAtMs - performance.now();
        const timer = Number.isFinite(msLeft) ? setTimeout(giveUp, Math.max(0, msLeft)) : undefined;
        if (signal.aborted) leave();
        else signal.addEventListener('abort', leave);
        result.then(resolve, reject).finally(leave);
      });
    },
  };
}
