/** The entries of a folder of a bucket that have one name and any extensions: a list of a few keys, not of the folder. */
import { LRUCache } from 'lru-cache';
import type { BucketCatalogue, CataloguePage } from '../catalogue.ts';
import type { StoredEntry } from '../storage.ts';
import type { BucketRequests, StoredObject } from './bucket-requests.ts';
import type { Sighting } from './object-finder.ts';

interface Named {
  /** Undefined where there are too many. */
  readonly entries: readonly StoredEntry[] | undefined;
  readonly seenMs: number;
}

/** Keys in the first page, which is nearly always all: an image, what belongs to it, and some neighbors. */
const firstKeys = 20;

/** Pages after which a name has too many entries. */
const maxPages = 4;

const maxKnown = 20_000;

/** Names without any entries may get one, and be asked for at once, after this time in ms. */
const absentForMs = 10_000;

export class NamedEntries {
  readonly #requests: Pick<BucketRequests, 'list'>;
  readonly #refreshMs: number;
  readonly #catalogue: BucketCatalogue | undefined;
  readonly #note: (key: string, sighting: Sighting) => void;
  readonly #known = new LRUCache<string, Named>({ maxSize: maxKnown, sizeCalculation: () => 1 });
  readonly #asking = new Map<string, Promise<Named>>();

  /** `note` is called with each object that is found, by its key. */
  constructor(
    requests: Pick<BucketRequests, 'list'>,
    refreshMs: number,
    note: (key: string, sighting: Sighting) => void,
    catalogue?: BucketCatalogue,
  ) {
    this.#requests = requests;
    this.#refreshMs = refreshMs;
    this.#note = note;
    this.#catalogue = catalogue;
  }

  /** Forgets what is known of the names that a key may have been found by. */
  forget(key: string): void {
    const from = key.lastIndexOf('/') + 1;
    this.#known.delete(key);
    for (let dot = key.indexOf('.', from); dot >= 0; dot = key.indexOf('.', dot + 1))
      this.#known.delete(key.slice(0, dot));
  }

  clear(): void {
    this.#known.clear();
  }

  /** Those of a name below a prefix. While the store fails, the last ones. */
  async entries(prefix: string, name: string): Promise<readonly StoredEntry[] | undefined> {
    const start = prefix + name;
    const known = this.#known.get(start);
    const keptMs = known?.entries?.length === 0 ? Math.min(absentForMs, this.#refreshMs) : this.#refreshMs;
    if (known !== undefined && Date.now() - known.seenMs <= keptMs) return known.entries;
    const asked = this.#asking.get(start) ?? this.#ask(start).finally(() => this.#asking.delete(start));
    this.#asking.set(start, asked);
    return (await (known === undefined ? asked : asked.catch(() => known))).entries;
  }

  async #ask(start: string): Promise<Named> {
    const prefix = start.slice(0, start.lastIndexOf('/') + 1);
    if (!this.#catalogue?.covers(prefix)) return this.#list(start);
    const seenMs = Date.now();
    try {
      return this.#keep(
        start,
        this.#catalogued(prefix, await this.#catalogue.named(prefix, start.slice(prefix.length)), seenMs),
      );
    } catch {
      return this.#list(start);
    }
  }

  #catalogued(prefix: string, page: CataloguePage | undefined, seenMs: number): Named {
    if (page === undefined) return { entries: undefined, seenMs };
    const files = page.objects.map(([name, object]) => this.#file(prefix, name, object, seenMs));
    return { entries: [...files, ...page.folders.map((name) => ({ name, kind: 'folder' }) as const)], seenMs };
  }

  async #list(start: string): Promise<Named> {
    const seenMs = Date.now();
    const name = start.slice(start.lastIndexOf('/') + 1);
    const found: StoredEntry[] = [];
    let token: string | undefined;
    for (let pages = 0; pages < maxPages; pages++) {
      // What begins with the name and a dot, and the folder, follow one another: a slash follows the dot.
      const page = await this.#requests.list(start, token, pages === 0 ? firstKeys : undefined, `${start}.`);
      for (const [rest, object] of page.objects)
        if (rest.startsWith('.')) found.push(this.#file(start, rest, object, seenMs));
      for (const rest of page.folders)
        if (rest === '' || rest.startsWith('.')) found.push({ name: name + rest, kind: 'folder' });
      const isPast = [...page.objects.map(([rest]) => rest), ...page.folders].some((rest) => rest > '/');
      token = page.next;
      if (isPast || token === undefined) return this.#keep(start, { entries: found, seenMs });
    }
    return this.#keep(start, { entries: undefined, seenMs });
  }

  #file(start: string, rest: string, object: StoredObject, seenMs: number): StoredEntry {
    this.#note(start + rest, { object, seenMs });
    return { name: start.slice(start.lastIndexOf('/') + 1) + rest, kind: 'file' };
  }

  #keep(start: string, named: Named): Named {
    this.#known.set(start, named);
    return named;
  }
}
