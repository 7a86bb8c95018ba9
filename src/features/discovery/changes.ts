/** Keeps the list of changes up to date for those who ask for it: walks the library then, and at intervals as long as they come. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { ImageError } from '../../core/image/model/errors.ts';
import type {
  ChangeCounts,
  ChangeList,
  ChangeListState,
  ChangePage,
  SeenManifest,
} from '../../core/storage/change-list.ts';
import type { PublicManifests } from './public-manifests.ts';

export interface ChangesOptions {
  /** Opens the list; called again after it has failed. */
  readonly open: () => Promise<ChangeList>;
  readonly refreshMs: number;
  /** A request waits so long for the walk that it begins, in ms: 2 s by default. */
  readonly waitMs?: number;
  readonly now: () => number;
  /** Whether somebody wants to know of changes who does not ask for the list. */
  readonly isWatched?: () => boolean;
  readonly onFault: (message: string, error: unknown) => void;
}

/** Manifests of one transaction. */
const notedAtOnce = 100;

/** After the last request the library is walked for so long, in ms: many harvesters come once a week. */
const askedForMs = 8 * 24 * 3_600_000;

/** Where the rules have changed, a walk by the new ones begins after this time, in ms. */
const againMs = 1000;

const beingMade = (): ImageError =>
  new ImageError('being-read', 'The list of changes is being made; ask again in 10 s.', { retryAfterS: 10 });

const unavailable = (cause: unknown): ImageError =>
  new ImageError('no-space', 'The list of changes can’t be read or written; ask again later.', {
    cause,
    retryAfterS: 60,
  });

export class Changes {
  readonly #options: ChangesOptions;
  readonly #ending = new AbortController();
  readonly #totals = { create: 0, update: 0, delete: 0, refused: 0 };
  #manifests: PublicManifests | undefined;
  #list: Promise<ChangeList> | undefined;
  #walk: Promise<void> | undefined;
  #walkedMs = Number.NEGATIVE_INFINITY;
  #askedMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isStarted = false;

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  /** Walks by other rules from now on; what they close or open is found soon. */
  use(manifests: PublicManifests): void {
    this.#manifests = manifests;
    this.#walkedMs = Number.NEGATIVE_INFINITY;
    this.#walkAfter(againMs);
  }

  /** Walks at intervals from now on, once somebody has asked. */
  start(): void {
    this.#isStarted = true;
    if (this.#options.isWatched?.()) this.#walkAfter(againMs);
  }

  /** How many changes were put into the list since the server began. */
  totals(): ChangeCounts {
    return this.#totals;
  }

  /** Throws ImageError `being-read` where the library is being walked for the first time, and `no-space` where the list fails. */
  async state(signal: AbortSignal): Promise<ChangeListState> {
    this.#askedMs = this.#options.now();
    let state = await this.#asked((list) => list.state());
    if (this.#isDue() || !state.isWhole) {
      await this.#walkFor(this.#options.waitMs ?? 2000, signal);
      state = await this.#asked((list) => list.state());
    } else if (this.#timer === undefined) this.#walkAfter(this.#options.refreshMs);
    if (!state.isWhole) throw beingMade();
    return state;
  }

  /** Undefined where there is no such page. Throws as `state`. */
  async page(number: number, signal: AbortSignal): Promise<ChangePage | undefined> {
    await this.state(signal);
    return this.#asked((list) => list.page(number));
  }

  /** Whether everyone may see a folder now. */
  isOpen(path: string): boolean {
    return this.#manifests?.isOpen(path) ?? false;
  }

  /** Walks the library, or waits for the walk that has begun. Never rejects. */
  walk(): Promise<void> {
    this.#walk ??= this.#walkAll()
      .catch((error: unknown) => {
        if (!this.#ending.signal.aborted)
          this.#options.onFault('The list of changes can’t be brought up to date.', error);
      })
      .finally(() => {
        this.#walk = undefined;
        this.#walkAfter(this.#isDue() ? againMs : this.#options.refreshMs);
      });
    return this.#walk;
  }

  async close(): Promise<void> {
    this.#ending.abort();
    clearTimeout(this.#timer);
    await this.#walk;
    const list = await this.#list?.catch(() => undefined);
    await list?.close();
  }

  /** Resolves when a walk has ended, or after some time, in ms. */
  async #walkFor(ms: number, signal: AbortSignal): Promise<void> {
    await Promise.race([this.walk(), pause(ms, undefined, { signal, ref: false }).catch(() => undefined)]);
  }

  #isDue(): boolean {
    return this.#options.now() - this.#walkedMs >= this.#options.refreshMs;
  }

  /** Nothing where nobody asks for the list. */
  #walkAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const isAskedFor = this.#options.isWatched?.() || this.#options.now() - this.#askedMs < askedForMs;
    if (!this.#isStarted || !isAskedFor || this.#ending.signal.aborted) return;
    this.#timer = setTimeout(() => void this.walk(), ms).unref();
  }

  async #walkAll(): Promise<void> {
    const manifests = this.#manifests;
    const { signal } = this.#ending;
    if (manifests === undefined || signal.aborted) return;
    // Whatever its end, another one begins no sooner than after the interval, unless the rules change meanwhile.
    this.#walkedMs = this.#options.now();
    await this.#write((list) => list.begin());
    const refusedBefore = this.#totals.refused;
    let some: SeenManifest[] = [];
    let sawAll = true;
    for await (const seen of manifests.all(signal)) {
      if (seen === 'no-answer') sawAll = false;
      else some.push(seen);
      if (some.length < notedAtOnce) continue;
      await this.#note(some);
      some = [];
    }
    await this.#note(some);
    // What other rules have shown is not to be told as it was seen by these.
    if (!signal.aborted && manifests === this.#manifests) this.#count(await this.#write((list) => list.end(sawAll)));
    const refused = this.#totals.refused - refusedBefore;
    if (refused > 0)
      this.#options.onFault(`The list of changes is full: ${refused} manifests are not in it.`, undefined);
  }

  async #note(some: readonly SeenManifest[]): Promise<void> {
    if (some.length > 0) this.#count(await this.#write((list) => list.note(some)));
    await nextTurn();
  }

  #count(counts: ChangeCounts): void {
    for (const kind of ['create', 'update', 'delete', 'refused'] as const) this.#totals[kind] += counts[kind];
  }

  /** A list that fails is opened again the next time, which makes a damaged one anew. */
  async #write<T>(work: (list: ChangeList) => Promise<T>): Promise<T> {
    this.#list ??= this.#options.open();
    const opening = this.#list;
    try {
      return await work(await opening);
    } catch (error) {
      if (this.#list === opening) this.#list = undefined;
      void opening.then((list) => list.close()).catch(() => undefined);
      throw error;
    }
  }

  async #asked<T>(work: (list: ChangeList) => Promise<T>): Promise<T> {
    try {
      return await this.#write(work);
    } catch (error) {
      this.#options.onFault('The list of changes can’t be read.', error);
      throw unavailable(error);
    }
  }
}
