/** The embedded search engine: an index in one file, in a process of its own that is started when it is first used. */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type SearchEngine, SearchEngineError } from '../search-engine.ts';
import type { IndexFileOptions } from './index-file.ts';
import type { Call, Method, Reply, Result, Values } from './messages.ts';

export interface SqliteEngineOptions extends IndexFileOptions {
  /** After how many milliseconds a search is given up; 5 s by default. Writing has no limit. */
  readonly deadlineMs?: number;
  /** Whether the process has a lower priority than requests. */
  readonly isBackground?: boolean;
}

/** The embedded engine has one more task: to merge what many writes left. */
export interface SqliteEngine extends SearchEngine {
  optimize(): Promise<void>;
}

/** The compiled program, also where the server runs from its sources, as in tests. */
const program = import.meta.url.endsWith('.ts')
  ? '../../../../../dist/features/search/engine/sqlite/search-process.js'
  : './search-process.js';
const file = fileURLToPath(new URL(program, import.meta.url));

/** Whether there is the compiled program, without which nothing is searched. */
export const hasSearchProgram = (): boolean => existsSync(file);

/** The `nice` value: below requests, above nightly jobs. */
const lowPriority = 10;
const defaultDeadlineMs = 5000;

/** More searches than this at the same time are refused. */
const mostWaiting = 200;

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: SearchEngineError) => void;
}

function startProcess({ directory, maxBytes, isReadOnly, isBackground }: SqliteEngineOptions): ChildProcess {
  const child = fork(file, [JSON.stringify({ directory, maxBytes, isReadOnly })], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { PATH: process.env['PATH'] ?? '', UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '2' },
    execArgv: ['--max-semi-space-size=4'],
  });
  try {
    if (isBackground && child.pid !== undefined) setPriority(child.pid, lowPriority);
  } catch {
    // The system has no priorities, or the process has ended.
  }
  return child;
}

/** The process, which is started again after it has ended; what waited for it then is rejected. */
class SearchProcess {
  readonly #options: SqliteEngineOptions;
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcess | undefined;
  #lastId = 0;
  #isClosed = false;

  constructor(options: SqliteEngineOptions) {
    this.#options = options;
  }

  #rejectAll(message: string): void {
    for (const { reject } of this.#waiting.values()) reject(new SearchEngineError(message));
    this.#waiting.clear();
  }

  #running(): ChildProcess {
    if (this.#isClosed) throw new SearchEngineError('The index of texts is closed.');
    if (this.#child !== undefined) return this.#child;
    const child = startProcess(this.#options);
    const ended = (): void => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#rejectAll('The process that searches texts has ended.');
    };
    child.on('error', ended);
    child.on('exit', ended);
    child.on('message', (reply: Reply) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if ('fault' in reply) waiting?.reject(new SearchEngineError(reply.fault));
      else waiting?.resolve(reply.result as never);
      if (this.#waiting.size === 0) this.#rest(child);
    });
    this.#child = child;
    return child;
  }

  /** An idle process does not keep a command from ending. */
  #rest(child: ChildProcess): void {
    child.unref();
    child.channel?.unref();
  }

  async call<M extends Method>(method: M, values: Values<M>, deadlineMs?: number): Promise<Result<M>> {
    if (this.#waiting.size >= mostWaiting) throw new SearchEngineError('Too many searches wait.');
    const child = this.#running();
    child.ref();
    child.channel?.ref();
    const id = ++this.#lastId;
    const call: Call = { id, method, values };
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Result<M>>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject });
        child.send(
          call,
          (error) => error && reject(new SearchEngineError('The process that searches texts has ended.')),
        );
        // A search that takes longer keeps all others waiting, so that its process is ended.
        if (deadlineMs !== undefined) timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.ref();
    // It leaves when the last call before has been answered; what it has written is safe at any time.
    child.disconnect();
    await ended;
  }
}

/** Opens the engine: its process starts with the first call, and everything rejects where it can't be used. */
export function createSqliteEngine(options: SqliteEngineOptions): SqliteEngine {
  const searches = new SearchProcess(options);
  const { deadlineMs = defaultDeadlineMs } = options;
  return {
    find: (request) => searches.call('find', [request], deadlineMs),
    read: (pages) => searches.call('read', [pages], deadlineMs),
    put: (pages) => searches.call('put', [pages]),
    remove: (pages) => searches.call('remove', [pages]),
    fingerprints: (folder) => searches.call('fingerprints', [folder]),
    folders: () => searches.call('folders', []),
    state: () => searches.call('state', [], deadlineMs),
    optimize: () => searches.call('optimize', []),
    close: () => searches.close(),
  };
}
