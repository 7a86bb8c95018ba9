/** The catalogue in PostgreSQL. */
import { isImageName, stemOf } from '../../../core/image/model/formats.ts';
import type {
  BucketCatalogue,
  Catalogue,
  CataloguedFolder,
  CatalogueFinds,
  CatalogueObject,
} from '../../../core/storage/catalogue.ts';
import { FaultReporter, type OnFault } from '../../../core/storage/fault-reporter.ts';
import { createBatches } from './batches.ts';
import { ChangeFollower, type ObjectChange, takeChanges } from './changes.ts';
import { Database, type DatabaseOptions } from './database.ts';
import { PostgresFacts } from './facts.ts';
import { migrate } from './migrate.ts';
import { NameSample } from './name-sample.ts';
import { findObjects, listPage, namedEntries, type WantedObject } from './names.ts';
import {
  folderCounts,
  imagesInEach,
  positionOf,
  positionsOf,
  someFolders,
  someImages,
  walkFolders,
} from './positions.ts';
import { foldersWith, imagesWith } from './search.ts';
import { folderPath, splitKey } from './stored-forms.ts';
import { folderSummaries } from './summaries.ts';

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
  readonly #sample: NameSample;
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
    this.#sample = new NameSample(this.database);
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
      folder: (prefix) => this.#folder(at(prefix)),
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

  #folder(path: string): Omit<CataloguedFolder, 'maxListedNames'> {
    const { database } = this;
    const pathOf = (inside: string): string => (inside === '' ? path : `${path}/${inside}`);
    const inside = (found: string): string => found.slice(path.length + 1);
    return {
      counts: () => folderCounts(database, path),
      images: (range) => someImages(database, path, range),
      folders: (range, without) => someFolders(database, path, range, without),
      imagesNamed: async (stem) => {
        const { objects = [] } = (await namedEntries(database, path, stem)) ?? {};
        return objects.map(([name]) => name).filter((name) => isImageName(name) && stemOf(name) === stem);
      },
      positionOf: (name) => positionOf(database, path, name),
      imagesIn: (paths) => imagesInEach(database, paths.map(pathOf)),
      summaries: (paths, words) => folderSummaries(database, paths.map(pathOf), words),
      positionsOf: (images) =>
        positionsOf(
          database,
          images.map((image) => ({ ...image, path: pathOf(image.path) })),
        ),
      search: (words, max) => this.#search(path, words, max),
      walk: async (after, count) => {
        const found = await walkFolders(database, path, after && { ...after, path: pathOf(after.path) }, count);
        return found.map((folder) => ({ ...folder, path: inside(folder.path) }));
      },
    };
  }

  async #search(path: string, words: readonly string[], max: number): Promise<CatalogueFinds> {
    const search = { database: this.database, sample: this.#sample, path, words, max };
    const [folders] = await Promise.allSettled([foldersWith(search)]);
    // More is not shown: images, of which such words have very many, are not looked for.
    const isEnough = folders.status === 'fulfilled' && folders.value.paths.length >= max;
    const [images] = await Promise.allSettled([isEnough ? { paths: [], isAll: false } : imagesWith(search)]);
    if (folders.status === 'rejected' && images.status === 'rejected') throw folders.reason;
    // One of them may have taken longer than a second.
    const pathsOf = (one: typeof folders): readonly string[] =>
      one.status === 'fulfilled' ? one.value.paths.map((found) => found.slice(path.length + 1)) : [];
    const isComplete = [folders, images].every((one) => one.status === 'fulfilled' && one.value.isAll);
    return { folders: pathsOf(folders), images: pathsOf(images), isComplete };
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
    this.#sample.forget();
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
