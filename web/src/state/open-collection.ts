/** Collections of other hosts that are open, or were: their members as far as they have loaded, and how they are listed. */
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Problem } from '../data/fetch.ts';
import { fetchForeignJson } from '../data/foreign-hosts.ts';
import {
  type CollectionMember,
  type CollectionPart,
  isCollection,
  type ManifestCollection,
  memberPath,
  readPart,
} from '../model/manifest/collection.ts';
import { limits } from '../model/manifest/members.ts';

export interface ListedMember extends CollectionMember {
  /** Its number among all that have loaded, from 0: an address may be listed twice. */
  readonly key: number;
  readonly path: string;
}

/** How many members are drawn at first, and how many more at a time: whole rows of two to six cards. */
export const drawnAtOnce = 120;

type Loading = 'idle' | 'loading' | Exclude<Problem, 'aborted'>;

interface Opening {
  /** What its address names. */
  readonly path: string;
  /** The address of the document that it is read of. */
  readonly document: string;
  readonly about: ManifestCollection;
}

export class OpenCollection {
  readonly path: string;
  readonly document: string;
  readonly about: ManifestCollection;
  /** How many of the members that match are drawn. */
  readonly drawn: Signal<number> = signal(drawnAtOnce);
  readonly byDate: Signal<boolean> = signal(false);
  readonly #members = signal<readonly ListedMember[]>([]);
  readonly #next = signal<string | undefined>(undefined);
  readonly #loading = signal<Loading>('idle');
  /** Documents that have been read, so that circles end. */
  readonly #read = new Set<string>();

  constructor({ path, document, about }: Opening) {
    this.path = path;
    this.document = document;
    this.about = about;
    this.#add(about.part, document);
  }

  get members(): ReadonlySignal<readonly ListedMember[]> {
    return this.#members;
  }

  /** The address of the next part; undefined where there is none, or no more is kept. */
  get next(): ReadonlySignal<string | undefined> {
    return this.#next;
  }

  /** What is known of the next part: it is not asked for, it is loading, or why it did not come. */
  get loading(): ReadonlySignal<Loading> {
    return this.#loading;
  }

  #add({ members, next }: CollectionPart, document: string): void {
    const before = this.#members.peek();
    const added = members.slice(0, limits.pages - before.length).map(
      (member, index): ListedMember => ({
        ...member,
        key: before.length + index,
        path: memberPath(member, document),
      }),
    );
    this.#read.add(document);
    this.#members.value = [...before, ...added];
    const isFull = this.#members.peek().length >= limits.pages;
    this.#next.value = isFull || next === undefined || this.#read.has(next) ? undefined : next;
  }

  /** Loads the next part, or tries that again. Once at a time. */
  async loadNext(signal?: AbortSignal): Promise<void> {
    const address = this.#next.peek();
    if (address === undefined || this.#loading.peek() === 'loading') return;
    this.#loading.value = 'loading';
    const answer = await fetchForeignJson(address, signal);
    if (!answer.ok) {
      this.#loading.value = answer.problem === 'aborted' ? 'idle' : answer.problem;
    } else if (isCollection(answer.value)) {
      this.#add(readPart(answer.value), address);
      this.#loading.value = 'idle';
    } else {
      this.#loading.value = 'no-manifest';
    }
  }
}

/** Collections that stay known, so that the browser's Back shows them as they were. */
const mostKnown = 30;

const known = new Map<string, OpenCollection>();

export function rememberCollection(collection: OpenCollection): void {
  known.delete(collection.path);
  known.set(collection.path, collection);
  const [oldest] = known.keys();
  if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
}

/** The collection of a path that was open before. */
export const knownCollection = (path: string): OpenCollection | undefined => known.get(path);
