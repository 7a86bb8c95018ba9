/** The entries of a folder of a bucket that have one name and any extensions: a list of a few keys, not of the folder. */
import { LRUCache } from 'lru-cache';
import type { BucketCatalogue, CataloguePage } from '../catalogue.ts';
import type { StoredEntry } from '../storage.ts';
import { replicaMs, retryMs, staleWaitMs } from './bucket-folders.ts';
import type { BucketRequests } from './bucket-requests.ts';
import type { Kept } from './kept-rows.ts';
import type { Sighting } from './object-finder.ts';
import { orStale } from './or-stale.ts';

export interface Named {
  /** Undefined where there are too many. */
  readonly entries: readonly StoredEntry[] | undefined;
  readonly seenMs: number;
  /** As of a `Sighting`. */
  readonly isKept?: true;
  readonly isReplica?: true;
}

interface NamedEntriesParts {
  readonly requests: Pick<BucketRequests, 'list' | 'isFailing'>;
  readonly refreshMs: number;
  /** Called with each object that is found, by its key. */
  readonly note: (key: string, sighting: Sighting) => void;
  readonly catalogue?: BucketCatalogue | undefined;
  readonly kept?: Kept<Named> | undefined;
}

/** Keys in the first page, which is nearly always all: an image, what belongs to it, and some neighbors. */
const firstKeys = 20;

/** Pages after which a name has too many entries. */
const maxPages = 4;

const maxKnown = 20_000;

/** Names without any entries may get one, and be asked for at once, after this time in ms. */
const absentForMs = 10_000;

export class NamedEntries {
  readonly #parts: NamedEntriesParts;
  readonly #known = new LRUCache<string, Named>({ maxSize: maxKnown, sizeCalculation: () => 1 });
  readonly #asking = new Map<string, { readonly answer: Promise<Named>; readonly sinceMs: number }>();
  /** When a list failed the last time, in ms since 1970. */
  readonly #failures = new LRUCache<string, number>({ maxSize: maxKnown, sizeCalculation: () => 1 });

  constructor(parts: NamedEntriesParts) {
    this.#parts = parts;
  }

  /** Forgets what is known of the names that a key may have been found by. */
  forget(key: string): void {
    const from = key.lastIndexOf('/') + 1;
    this.#forget(key);
    for (let dot = key.indexOf('.', from); dot >= 0; dot = key.indexOf('.', dot + 1)) this.#forget(key.slice(0, dot));
  }

  #forget(start: string): void {
    this.#known.delete(start);
    this.#parts.kept?.forget(start);
  }

  clear(): void {
    this.#known.clear();
    this.#parts.kept?.clear();
  }

  /** Those of a name below a prefix. While the store fails, or takes longer than a second, the last ones. */
  async entries(prefix: string, name: string): Promise<readonly StoredEntry[] | undefined> {
    const start = prefix + name;
    const last = this.#known.get(start) ?? (await this.#readKept(start));
    if (last !== undefined && this.#isUsable(start, last)) return last.entries;
    const answer = this.#asked(start);
    return (await (last === undefined ? answer : orStale(answer, last, this.#waitMs(last)))).entries;
  }

  /** Without waiting: since it is new, or since the store has failed just now, or is awaited for long. */
  #isUsable(start: string, last: Named): boolean {
    const { refreshMs } = this.#parts;
    const nowMs = Date.now();
    const freshMs = last.entries?.length === 0 ? Math.min(absentForMs, refreshMs) : refreshMs;
    if (nowMs - last.seenMs <= (last.isReplica ? replicaMs : freshMs)) return true;
    const waitedMs = nowMs - (this.#asking.get(start)?.sinceMs ?? nowMs);
    if (waitedMs >= (this.#waitMs(last) ?? Number.POSITIVE_INFINITY)) return true;
    const failedMs = this.#failures.get(start);
    if (failedMs === undefined) return false;
    if (nowMs - failedMs >= retryMs) this.#asked(start).catch(() => undefined);
    return true;
  }

  #waitMs({ isKept }: Named): number | undefined {
    return isKept && !this.#parts.requests.isFailing ? undefined : staleWaitMs;
  }

  async #readKept(start: string): Promise<Named | undefined> {
    const named = await this.#parts.kept?.read(start);
    if (named !== undefined && !this.#known.has(start)) this.#known.set(start, { ...named, isKept: true });
    return this.#known.get(start);
  }

  /** Asked for once for all who do so at the same time. */
  #asked(start: string): Promise<Named> {
    const asking = this.#asking.get(start);
    if (asking !== undefined) return asking.answer;
    const answer = this.#ask(start)
      .catch((error: unknown) => {
        this.#failures.set(start, Date.now());
        throw error;
      })
      .finally(() => this.#asking.delete(start));
    this.#asking.set(start, { answer, sinceMs: Date.now() });
    return answer;
  }

  async #ask(start: string): Promise<Named> {
    const { catalogue } = this.#parts;
    const prefix = start.slice(0, start.lastIndexOf('/') + 1);
    if (!catalogue?.covers(prefix)) return this.#list(start);
    const seenMs = Date.now();
    try {
      return this.#keep(
        start,
        this.#catalogued(prefix, await catalogue.named(prefix, start.slice(prefix.length)), seenMs),
      );
    } catch {
      return this.#list(start);
    }
  }

  #catalogued(prefix: string, page: CataloguePage | undefined, seenMs: number): Named {
    if (page === undefined) return { entries: undefined, seenMs };
    const files = page.objects.map(([name, object]) => this.#file(prefix, name, { object, seenMs }));
    return { entries: [...files, ...page.folders.map((name) => ({ name, kind: 'folder' }) as const)], seenMs };
  }

  async #list(start: string): Promise<Named> {
    const seenMs = Date.now();
    const name = start.slice(start.lastIndexOf('/') + 1);
    const found: StoredEntry[] = [];
    // What is known may be newer than what the fallback endpoint has.
    const mayFallBack = (this.#known.get(start)?.entries ?? []).length === 0;
    let token: string | undefined;
    for (let pages = 0; pages < maxPages; pages++) {
      // What begins with the name and a dot, and the folder, follow one another: a slash follows the dot.
      const maxKeys = pages === 0 ? { maxKeys: firstKeys } : {};
      const page = await this.#parts.requests.list(start, token, { ...maxKeys, startAfter: `${start}.`, mayFallBack });
      const seen = page.isReplica ? ({ seenMs, isReplica: true } as const) : { seenMs };
      for (const [rest, object] of page.objects)
        if (rest.startsWith('.')) found.push(this.#file(start, rest, { object, ...seen }));
      for (const rest of page.folders)
        if (rest === '' || rest.startsWith('.')) found.push({ name: name + rest, kind: 'folder' });
      const isPast = [...page.objects.map(([rest]) => rest), ...page.folders].some((rest) => rest > '/');
      token = page.next;
      if (isPast || token === undefined) return this.#keepWhole(start, found, seen);
    }
    return this.#keep(start, { entries: undefined, seenMs });
  }

  /** What begins with the name of an image is all in the list: its metadata too, or there is none. */
  #keepWhole(start: string, found: readonly StoredEntry[], seen: Omit<Named, 'entries'>): Named {
    if (!seen.isReplica) this.#noteAbsent(start, found, seen.seenMs);
    return this.#keep(start, { entries: found, ...seen });
  }

  #noteAbsent(start: string, found: readonly StoredEntry[], seenMs: number): void {
    const names = new Set(found.map(({ name }) => name));
    const prefix = start.slice(0, start.lastIndexOf('/') + 1);
    for (const { name, kind } of found) {
      const meta = `${name}.meta`;
      if (kind === 'file' && !name.endsWith('.meta') && !names.has(meta))
        this.#parts.note(prefix + meta, { object: undefined, seenMs });
    }
  }

  #file(start: string, rest: string, sighting: Sighting): StoredEntry {
    this.#parts.note(start + rest, sighting);
    return { name: start.slice(start.lastIndexOf('/') + 1) + rest, kind: 'file' };
  }

  #keep(start: string, named: Named): Named {
    this.#known.set(start, named);
    this.#failures.delete(start);
    if (!named.isReplica) this.#parts.kept?.write(start, named);
    return named;
  }
}
