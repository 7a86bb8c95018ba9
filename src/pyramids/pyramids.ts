/** The server's derived pyramids: finds them for images, and makes them for those whose tiles are asked for and slow. */
import path from 'node:path';
import type { Resolution, SourceFile } from '../image/model/image-set.ts';
import { slownessOf } from '../image/plan/slow-sources.ts';
import { type BuildOptions, buildPyramid } from './build.ts';
import { createFinder } from './finder.ts';
import { canMake } from './maker.ts';
import { contentKey } from './names.ts';
import type { PyramidStore } from './store.ts';

export interface PyramidsOptions extends Omit<BuildOptions, 'signal' | 'store'> {
  /** Undefined where there are no pyramids. */
  readonly store: PyramidStore | undefined;
  /** Whether pyramids are made by themselves. */
  readonly automatic: boolean;
  /** Told of what keeps pyramids from being made or read, once each; `path` is the host's. */
  readonly onFault: (message: string, path?: string) => void;
}

/** Derived pyramids, as the server uses them. */
export interface Pyramids {
  /** The pyramid of a source; undefined, without a look at the disk, where there is none. */
  find(source: Resolution): Promise<Resolution | undefined> | undefined;
  /** Another number whenever other pyramids are there than before. */
  state(): number;
  /** A part of a source was rendered from it: after a few times its pyramid is made in the background. */
  recordSlowRegion(source: Resolution): void;
  /** Deletes a pyramid that can't be read. */
  drop(file: SourceFile): Promise<void>;
  /** How many there are, their bytes, and how many wait to be made. */
  load(): { readonly count: number; readonly bytes: number; readonly waiting: number };
  /** Ends what is being made. */
  close(): Promise<void>;
}

/** After so many parts of an image its pyramid is made: one more pays for it. */
const partsBeforeMaking = 3;

/** Sources whose parts are counted, and that wait for their pyramids; further ones are counted anew later. */
const maxCounted = 10_000;
const maxWaiting = 1000;

/** Where there was no room, none is looked for again for so many ms. */
const restMs = 5 * 60_000;

const none: Pyramids = {
  find: () => undefined,
  state: () => 0,
  recordSlowRegion: () => undefined,
  drop: async () => undefined,
  load: () => ({ count: 0, bytes: 0, waiting: 0 }),
  close: async () => undefined,
};

/** Says each thing once: it is the disk's or the store's, and holds for all pyramids. */
function sayingOnce(say: (message: string) => void): (message: string) => void {
  const said = new Set<string>();
  return (message) => {
    if (said.has(message) || said.size > 100) return;
    said.add(message);
    say(message);
  };
}

/** Makes pyramids, one at a time, in the order in which they are asked for. */
class PyramidBuildQueue {
  readonly #options: BuildOptions & Pick<PyramidsOptions, 'onFault'>;
  readonly #sayOnce: (message: string) => void;
  readonly #waiting = new Map<string, Resolution>();
  /** Sources of which no pyramid could be made; until they change, none is tried again. */
  readonly #failed = new Set<string>();
  #work: Promise<void> | undefined;
  #restUntilMs = 0;

  constructor(options: BuildOptions & Pick<PyramidsOptions, 'onFault'>) {
    this.#options = options;
    this.#sayOnce = sayingOnce(options.onFault);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves when nothing is being made any more. */
  get done(): Promise<void> {
    return this.#work ?? Promise.resolve();
  }

  add(key: string, source: Resolution): void {
    const isFutile = this.#failed.has(key) || Date.now() < this.#restUntilMs;
    if (isFutile || this.#waiting.size >= maxWaiting || this.#options.signal.aborted) return;
    this.#waiting.set(key, source);
    this.#work ??= this.#makeAll().finally(() => {
      this.#work = undefined;
    });
  }

  async #makeAll(): Promise<void> {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      if (this.#options.signal.aborted) break;
      await this.#make(...next);
      this.#waiting.delete(next[0]);
    }
  }

  async #make(key: string, source: Resolution): Promise<void> {
    try {
      const outcome = await buildPyramid(source, this.#options);
      if (outcome.kind === 'no-room') {
        this.#restUntilMs = Date.now() + restMs;
        this.#waiting.clear();
        this.#sayOnce(`no derived pyramids are made: ${outcome.reason}`);
      }
      if (outcome.kind === 'failed') this.#fail(key, source, outcome.reason);
    } catch (error) {
      this.#fail(key, source, error instanceof Error ? error.message : String(error));
    }
  }

  #fail(key: string, source: Resolution, reason: string): void {
    if (this.#failed.size >= maxCounted) this.#failed.clear();
    this.#failed.add(key);
    this.#options.onFault(`no derived pyramid could be made: ${reason}`, source.file.path);
  }
}

/** Counts the parts of each source, and says when there were enough. */
function createCounter(): (key: string) => boolean {
  const parts = new Map<string, number>();
  return (key) => {
    const count = (parts.get(key) ?? 0) + 1;
    if (parts.size >= maxCounted) parts.clear();
    if (count < partsBeforeMaking) parts.set(key, count);
    else parts.delete(key);
    return count >= partsBeforeMaking;
  };
}

/** Begins to learn what the store holds; nobody waits for it. */
async function learn(store: PyramidStore): Promise<void> {
  await store.refresh();
  await store.sweep();
}

export function createPyramids({ store, automatic, ...options }: PyramidsOptions): Pyramids {
  if (store === undefined) return none;
  const { quality, onFault } = options;
  const ending = new AbortController();
  const learning = learn(store);
  const workshop = new PyramidBuildQueue({ ...options, store, signal: ending.signal });
  const isEnough = createCounter();
  const isMaking = automatic && canMake();
  return {
    find: createFinder({ ...options, store }),
    state: () => store.state,
    recordSlowRegion(source) {
      if (!isMaking || slownessOf(source).kind !== 'slow') return;
      const key = contentKey(source, quality);
      if (isEnough(key)) workshop.add(key, source);
    },
    async drop(file) {
      onFault('a derived pyramid is damaged and was deleted', file.path);
      await store.drop(path.basename(file.path));
    },
    load: () => ({ ...store.load(), waiting: workshop.waiting }),
    async close() {
      ending.abort();
      await learning.catch(() => undefined);
      await workshop.done;
    },
  };
}
