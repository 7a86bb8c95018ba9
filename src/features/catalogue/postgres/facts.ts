/** What servers tell each other of objects that they have read: asked for and written many at a time. */
import { setTimeout as pause } from 'node:timers/promises';
import type { BucketCatalogue, FactName, SharedFact, SharedFacts } from '../../../core/storage/catalogue.ts';
import { FaultReporter, type OnFault } from '../../../core/storage/fault-reporter.ts';
import { createBatches } from './batches.ts';
import type { Database, Queries } from './database.ts';
import { folderPath, splitKey } from './stored-forms.ts';

/** Facts that come within this time are written together, and those that could not be written are tried again after it, in ms. */
const collectMs = 1000;
const retryMs = 5000;

/** Facts of one statement, and bytes of those that wait; further ones are lost. */
const maxInStatement = 500;
const maxWaitingBytes = 8 * 1024 * 1024;

/** Longer facts are not shared, in bytes of JSON. */
const maxFactBytes = 256 * 1024;

const closeDeadlineMs = 2000;

const selection = `
  select q.n::integer as n, f.version, f.fact
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality q (path, name, part, n)
  join folders d on d.path = q.path join facts f on f.folder = d.id and f.name = q.name and f.part = q.part`;

/** Only of objects that are in the catalogue, with which they go. The order is the same for all who write. */
const insertion = `
  insert into facts as known (folder, name, part, version, fact)
  select o.folder, o.name, q.part, q.version, q.fact
  from unnest($1::text[], $2::text[], $3::text[], $4::uuid[], $5::json[]) q (path, name, part, version, fact)
  join folders d on d.path = q.path join objects o on o.folder = d.id and o.name = q.name
  order by o.folder, o.name, q.part
  on conflict (folder, name, part) do update set version = excluded.version, fact = excluded.fact
  where known.version <> excluded.version`;

type Place = readonly [path: string, name: string, part: string];

function placeOf({ bucket, key, part }: FactName): Place {
  const { prefix, name } = splitKey(key);
  return [folderPath(bucket, prefix), name, part];
}

/** The rows of some places as arrays, one for each column. */
const columnsOf = (places: readonly Place[]): readonly (readonly string[])[] =>
  [0, 1, 2].map((column) => places.map((place) => place[column] ?? ''));

async function findFacts(database: Queries, names: readonly FactName[]): Promise<readonly (SharedFact | undefined)[]> {
  const rows = await database.ask<{ readonly n: number; readonly version: string; readonly fact: unknown }>(
    selection,
    columnsOf(names.map(placeOf)),
  );
  const found: (SharedFact | undefined)[] = names.map(() => undefined);
  for (const { n, version, fact } of rows) found[n - 1] = { version: version.replaceAll('-', ''), fact };
  return found;
}

interface Waiting {
  readonly place: Place;
  readonly version: string;
  readonly json: string;
}

export interface FactsStats {
  readonly found: number;
  readonly missing: number;
  readonly written: number;
  readonly lost: number;
}

export class PostgresFacts implements SharedFacts {
  readonly #database: Database;
  readonly #covers: (name: string) => Pick<BucketCatalogue, 'covers'>;
  readonly #faults: FaultReporter<'writing'>;
  readonly #find: (name: FactName) => Promise<SharedFact | undefined>;
  readonly #waiting = new Map<string, Waiting>();
  readonly #stats = { found: 0, missing: 0, written: 0, lost: 0 };
  #waitingBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** `covers` gives what says whether the objects of a bucket are in the catalogue. */
  constructor(database: Database, covers: (bucket: string) => Pick<BucketCatalogue, 'covers'>, onFault: OnFault) {
    this.#database = database;
    this.#covers = covers;
    this.#faults = new FaultReporter(onFault);
    this.#find = createBatches((names: readonly FactName[]) => findFacts(database, names));
  }

  stats(): FactsStats {
    return this.#stats;
  }

  async read(name: FactName): Promise<SharedFact | undefined> {
    if (!this.#isCovered(name)) return undefined;
    const found = await this.#find(name);
    this.#stats[found === undefined ? 'missing' : 'found'] += 1;
    return found;
  }

  write(name: FactName, { version, fact }: SharedFact): void {
    if (!this.#isCovered(name)) return;
    const json = JSON.stringify(fact);
    if (json.length > maxFactBytes) return;
    this.#put({ place: placeOf(name), version, json });
    this.#timer ??= setTimeout(() => void this.#write(), collectMs).unref();
  }

  /** Resolves when everything that waits is written, or after 2 s. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#waiting.size === 0 && this.#timer === undefined) return;
    await Promise.race([this.#write(), pause(closeDeadlineMs, undefined, { ref: false })]);
    clearTimeout(this.#timer);
  }

  #isCovered({ bucket, key }: FactName): boolean {
    // PostgreSQL has no such text.
    return !key.includes('\0') && this.#covers(bucket).covers(splitKey(key).prefix);
  }

  #put(fact: Waiting): void {
    const key = fact.place.join('\0');
    this.#waitingBytes += fact.json.length - (this.#waiting.get(key)?.json.length ?? 0);
    this.#waiting.set(key, fact);
    if (this.#waitingBytes <= maxWaitingBytes) return;
    this.#waiting.delete(key);
    this.#waitingBytes -= fact.json.length;
    this.#stats.lost += 1;
  }

  #write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  /** Never rejects. */
  async #writeAll(): Promise<void> {
    this.#timer = undefined;
    while (this.#waiting.size > 0) {
      const some = [...this.#waiting].slice(0, maxInStatement);
      try {
        await this.#writeSome(some.map(([, fact]) => fact));
        this.#faults.recover('writing');
      } catch (error) {
        this.#faults.report('writing', 'What was read of objects can’t be written to the catalogue.', error);
        this.#timer ??= setTimeout(() => void this.#write(), retryMs).unref();
        return;
      }
      for (const [key, fact] of some) {
        if (this.#waiting.get(key) !== fact) continue;
        this.#waiting.delete(key);
        this.#waitingBytes -= fact.json.length;
      }
    }
  }

  async #writeSome(facts: readonly Waiting[]): Promise<void> {
    const places = columnsOf(facts.map(({ place }) => place));
    const values = [...places, facts.map(({ version }) => version), facts.map(({ json }) => json)];
    // As a search: one that takes too long does not mean that the database fails.
    await this.#database.search(insertion, values);
    this.#stats.written += facts.length;
  }
}
