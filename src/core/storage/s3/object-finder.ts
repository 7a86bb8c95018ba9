/** Finds single objects of a bucket by their keys: by their first bytes, and later by whether they are still the same. */
import { LRUCache } from 'lru-cache';
import { ifFound } from '../file-errors.ts';
import type { NameUse } from '../storage.ts';
import { replicaMs, retryMs, staleFactor, staleWaitMs } from './bucket-folders.ts';
import type { BucketRequests, StoredObject } from './bucket-requests.ts';
import { headBytes, wholeBytes } from './directory-cache.ts';
import type { Kept } from './kept-rows.ts';
import { orStale } from './or-stale.ts';

/** What was found under a key at a time. */
export interface Sighting {
  /** Undefined where there was none. */
  readonly object: StoredObject | undefined;
  /** When it was asked for, in ms since 1970. */
  readonly seenMs: number;
  /** Whether a former process saw it: then it counts only where the store fails, since it may be of any age. */
  readonly isKept?: true;
  /** Whether the fallback endpoint told it, since the first one failed: that is asked soon, and nothing of it is kept. */
  readonly isReplica?: true;
}

interface ObjectFinderParts {
  readonly requests: Pick<BucketRequests, 'readFirst' | 'isFailing'>;
  readonly refreshMs: number;
  /** What a catalogue says for sure of an object, or that there is none; undefined where it does not say. */
  readonly told?: (key: string) => Promise<Pick<Sighting, 'object'> | undefined>;
  /** What the latest list says, however old it is. */
  readonly listed: (key: string) => Sighting | undefined;
  /** Whether a key may close something: a replica that lacks it, or has an older version, may lag. By default, none does. */
  readonly needsProof?: (key: string) => boolean;
  readonly onFirstBytes: (key: string, object: StoredObject, bytes: Buffer) => void;
  /** What outlasts the process. */
  readonly kept?: Kept<Sighting> | undefined;
}

/** Keys that are known to have an object, or to have none: some 50 MB. */
const maxKnown = 100_000;

/** An image may be put under a name that had none, and be asked for at once, after this time in ms. */
const absentForMs = 10_000;

/** Of images that are decoded as a whole, most are read by the first request; of others, what says where the rest lies. */
const firstLength = (key: string): number => (/\.(?:jpe?g|png|gif|webp)$/i.test(key) ? wholeBytes : headBytes);

export class ObjectFinder {
  readonly #parts: ObjectFinderParts;
  // With `max` the cache would allocate its tables at once.
  readonly #seen = new LRUCache<string, Sighting>({ maxSize: maxKnown, sizeCalculation: () => 1 });
  readonly #asking = new Map<string, { readonly answer: Promise<Sighting>; readonly sinceMs: number }>();
  /** When asking for a key failed the last time, in ms since 1970; without those that were found since. */
  readonly #failures = new LRUCache<string, number>({ maxSize: maxKnown, sizeCalculation: () => 1 });

  /** Counts what was forgotten, which what is read meanwhile must not bring back. */
  #forgotten = 0;

  constructor(parts: ObjectFinderParts) {
    this.#parts = parts;
  }

  /**
   * What is known without waiting; undefined where the store has to be asked. As with lists, what is older than `refreshMs` is used
   * once more while it is asked for anew, and while the store fails.
   */
  known(key: string, use: NameUse = 'beside'): Sighting | undefined {
    const seen = this.#latest(key);
    if (seen === undefined) return undefined;
    const nowMs = Date.now();
    const ageMs = nowMs - seen.seenMs;
    const { refreshMs } = this.#parts;
    const mayBeNew = seen.object === undefined && use === 'image';
    if (ageMs <= (seen.isReplica ? replicaMs : mayBeNew ? Math.min(refreshMs, absentForMs) : refreshMs)) return seen;
    const failedMs = this.#failures.get(key);
    const wasAwaited =
      nowMs - (this.#asking.get(key)?.sinceMs ?? nowMs) >= staleWaitMs && this.#waitMs(seen) !== undefined;
    if (failedMs === undefined && !wasAwaited && (mayBeNew || ageMs > refreshMs * staleFactor)) return undefined;
    if (failedMs === undefined || nowMs - failedMs >= retryMs) this.ask(key).catch(() => undefined);
    return seen;
  }

  /** The object with a key; undefined where there is none. Rejects where the store fails and nothing is known. */
  async find(key: string, use?: NameUse): Promise<StoredObject | undefined> {
    const known = this.known(key, use);
    if (known !== undefined) return known.object;
    const before = this.#latest(key);
    const stale = before ?? (await this.#readKept(key));
    const usable = before === undefined ? this.known(key, use) : undefined;
    if (usable !== undefined) return usable.object;
    const answer = this.ask(key);
    return (await (stale === undefined ? answer : orStale(answer, stale, this.#waitMs(stale)))).object;
  }

  /** How long a new answer is awaited where there is an old one; undefined until it is there or the store fails. */
  #waitMs({ isKept }: Sighting): number | undefined {
    return isKept && !this.#parts.requests.isFailing ? undefined : staleWaitMs;
  }

  /** What a former process has seen, in memory from now on. */
  async #readKept(key: string): Promise<Sighting | undefined> {
    const { kept } = this.#parts;
    const forgotten = this.#forgotten;
    const sighting = await kept?.read(key);
    if (sighting === undefined || forgotten !== this.#forgotten || this.#seen.has(key)) return this.#latest(key);
    this.#seen.set(key, { ...sighting, isKept: true });
    return this.#latest(key);
  }

  /** Takes on what a list of a few names says. */
  note(key: string, sighting: Sighting): void {
    this.#seen.set(key, sighting);
    this.#failures.delete(key);
    if (!sighting.isReplica) this.#parts.kept?.write(key, sighting);
  }

  /** Forgets what is known of a key, since it has changed. */
  forget(key: string): void {
    this.#forgotten++;
    this.#seen.delete(key);
    this.#asking.delete(key);
    this.#parts.kept?.forget(key);
  }

  /** Forgets what is known of all keys. */
  clear(): void {
    this.#forgotten++;
    this.#seen.clear();
    this.#asking.clear();
    this.#parts.kept?.clear();
  }

  /** Asks the store itself. */
  async askStore(key: string): Promise<Sighting> {
    const { requests, onFirstBytes } = this.#parts;
    const seenMs = Date.now();
    const last = this.#latest(key)?.object;
    let isReplica = false;
    const onFallback = (): void => {
      isReplica = true;
    };
    // What is known may be newer than what the fallback endpoint has.
    const fallback = last === undefined && !this.#parts.needsProof?.(key) ? onFallback : 'never';
    const found = await ifFound(requests.readFirst(key, firstLength(key), last, fallback));
    const object = found === 'unchanged' ? last : found?.object;
    const sighting: Sighting = isReplica ? { object, seenMs, isReplica } : { object, seenMs };
    if (found !== undefined && found !== 'unchanged') onFirstBytes(key, found.object, found.bytes);
    this.note(key, sighting);
    return sighting;
  }

  /** Asks the catalogue, or else the store, once for all who do so at the same time. */
  ask(key: string): Promise<Sighting> {
    const asking = this.#asking.get(key);
    if (asking !== undefined) return asking.answer;
    const answer = this.#ask(key)
      .catch((error: unknown) => {
        this.#failures.set(key, Date.now());
        throw error;
      })
      .finally(() => {
        if (this.#asking.get(key) === asked) this.#asking.delete(key);
      });
    const asked = { answer, sinceMs: Date.now() };
    this.#asking.set(key, asked);
    return answer;
  }

  async #ask(key: string): Promise<Sighting> {
    const seenMs = Date.now();
    const told = await this.#parts.told?.(key);
    if (told === undefined) return this.askStore(key);
    const sighting = { ...told, seenMs };
    this.note(key, sighting);
    return sighting;
  }

  #latest(key: string): Sighting | undefined {
    const [own, listed] = [this.#seen.get(key), this.#parts.listed(key)];
    if (own === undefined || listed === undefined) return own ?? listed;
    return own.seenMs >= listed.seenMs ? own : listed;
  }
}
