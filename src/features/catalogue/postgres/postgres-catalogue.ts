/** The catalogue in PostgreSQL. */
import type { BucketCatalogue, Catalogue, CatalogueFinds, CatalogueObject } from '../../../core/storage/catalogue.ts';
import { FaultReporter, type OnFault } from '../../../core/storage/fault-reporter.ts';
import { createBatches } from './batches.ts';
import { ChangeFollower, type ObjectChange, takeChanges } from './changes.ts';
import { Database, type DatabaseOptions } from './database.ts';
import { PostgresFacts } from './facts.ts';
import { migrate } from './migrate.ts';
import {
  findObjects,
  folderCounts,
  listPage,
  namedEntries,
  positionOf,
  someNames,
  type WantedObject,
  walkFolders,
} from './names.ts';
import { foldersWith, imagesWith } from './search.ts';
import { folderPath, splitKey } from './stored-forms.ts';

export interface PostgresCatalogueOptions extends DatabaseOptions {
  /** As in `BucketCatalogue`. */
  readonly isTold: boolean;
  readonly onFault: OnFault;
}

/** A bucket or a part of it that the catalogue has. */
export interface Area {
  readonly id: number;
  /** As in the table. */
  readonly path: string;
  readonly objects: number;
  readonly filledMs: number;
}

const areasSql = `select id, path, coalesce(objects, 0)::float8 as objects, extract(epoch from filled_at) * 1000 as filled
  from areas where filled_at is not null`;

/** How often the areas are read where nobody tells that there are others, and where the database did not answer, in ms. */
const areasMs = 60_000;
const retryMs = 2000;

type Listener = (key?: string) => void;

export class PostgresCatalogue implements Catalogue {
  readonly database: Database;
  readonly facts: PostgresFacts;
  readonly #options: PostgresCatalogueOptions;
  readonly #faults: FaultReporter<'reading' | 'writing'>;
  readonly #follower: ChangeFollower;
  readonly #listeners = new Map<string, Listener[]>();
  readonly #noted: ObjectChange[] = [];
  readonly #find: (wanted: WantedObject) => Promise<CatalogueObject | undefined>;
  #noting: Promise<void> | undefined;
  #areas: readonly Area[] = [];
  #changes = 0;
  #isPrepared = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PostgresCatalogueOptions) {
    this.#options = options;
    this.#faults = new FaultReporter(options.onFault);
    this.database = new Database(options);
    this.#find = createBatches((wanted: readonly WantedObject[]) => findObjects(this.database, wanted));
    this.facts = new PostgresFacts(this.database, (name) => this.bucket(name), options.onFault);
    this.#follower = new ChangeFollower(this.database, {
      onChange: (bucket, key) => {
        for (const changed of this.#listeners.get(bucket) ?? []) changed(key);
      },
      onFilled: () => void this.#onFilled(),
    });
  }

  /** Reads what is in it, and follows its changes. Never rejects: where it does not answer, buckets are asked until it does. */
  async start(): Promise<void> {
    const isRead = await this.#readAreas();
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.start(), isRead ? areasMs : retryMs).unref();
  }

  areas(): readonly Area[] {
    return this.#areas;
  }

  bucket(name: string): BucketCatalogue {
    const { database } = this;
    const at = (prefix: string): string => folderPath(name, prefix);
    return {
      isTold: this.#options.isTold,
      covers: (prefix) => this.#areas.some(({ path }) => at(prefix) === path || at(prefix).startsWith(`${path}/`)),
      find: (key) => this.#find({ path: at(splitKey(key).prefix), name: splitKey(key).name }),
      list: (prefix, after) => listPage(database, at(prefix), after),
      named: (prefix, stem) => namedEntries(database, at(prefix), stem),
      counts: (prefix) => folderCounts(database, at(prefix)),
      names: (prefix, part) => someNames(database, at(prefix), part),
      positionOf: (prefix, image) => positionOf(database, at(prefix), image),
      search: (prefix, words, max) => this.#search(name, at(prefix), words, max),
      walk: async (prefix, after, count) => {
        const found = await walkFolders(database, at(prefix), after && at(after), count);
        return found.map(({ path, ...counts }) => ({ ...counts, key: keyIn(name, path) }));
      },
      note: (key, object) => this.#note({ bucket: name, key, object, atMs: Date.now() }),
      onChange: (changed) => {
        this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), changed]);
      },
    };
  }

  /** Resolves to those that were taken. */
  async take(changes: readonly ObjectChange[]): Promise<readonly ObjectChange[]> {
    const taken = await takeChanges(this.database, changes);
    this.#changes += taken.length;
    return taken;
  }

  /** How many changes were taken by this process. */
  changes(): number {
    return this.#changes;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#noting;
    await this.facts.close();
    await this.#follower.close();
    await this.database.close();
  }

  async #search(bucket: string, path: string, words: readonly string[], max: number): Promise<CatalogueFinds> {
    const found = [foldersWith, imagesWith].map((find) => find(this.database, path, words, max));
    const [folders, images] = await Promise.allSettled(found);
    if (folders?.status === 'rejected' && images?.status === 'rejected') throw folders.reason;
    // One of them may have been too many for a second.
    const pathsOf = (one: typeof folders) => (one?.status === 'fulfilled' ? one.value : undefined);
    const both = [pathsOf(folders), pathsOf(images)];
    const [ofFolders = [], ofImages = []] = both.map((paths) => paths?.map((one) => keyIn(bucket, one)));
    const isComplete = both.every((paths) => paths !== undefined && paths.length < max);
    return { folders: ofFolders, images: ofImages, isComplete };
  }

  #note(change: ObjectChange): void {
    this.#noted.push(change);
    this.#noting ??= this.#writeNoted().finally(() => {
      this.#noting = undefined;
    });
  }

  async #writeNoted(): Promise<void> {
    while (this.#noted.length > 0) {
      const changes = this.#noted.splice(0);
      try {
        await this.take(changes);
        this.#faults.recover('writing');
      } catch (error) {
        // The bucket says it again to who asks next.
        this.#faults.report('writing', 'A change of a bucket can’t be written to the catalogue.', error);
      }
    }
  }

  async #onFilled(): Promise<void> {
    await this.#readAreas();
    for (const changed of [...this.#listeners.values()].flat()) changed();
  }

  async #readAreas(): Promise<boolean> {
    try {
      if (!this.#isPrepared) {
        await migrate(this.database);
        this.#isPrepared = true;
        this.#follower.start();
      }
      const rows = await this.database.ask<Omit<Area, 'filledMs'> & { filled: string }>(areasSql);
      this.#areas = rows.map(({ filled, ...area }) => ({ ...area, filledMs: Number(filled) }));
      this.#faults.recover('reading');
      return true;
    } catch (error) {
      this.#faults.report('reading', 'The catalogue does not answer; buckets are asked instead.', error);
      return false;
    }
  }
}

/** The key of a path in a bucket; empty for the bucket itself. */
const keyIn = (bucket: string, path: string): string => path.slice(bucket.length + 1);
