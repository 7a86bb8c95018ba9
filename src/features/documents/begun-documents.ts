/** Which document each docid of PDFCache began, so that it stays that one when a file of the folder changes meanwhile. */
import { LRUCache } from 'lru-cache';
import type { Caller } from '../../core/access/policy.ts';
import type { PreparedDocument } from './documents.ts';

/** What is remembered of a document that was begun. */
interface Begun {
  readonly key: string;
  readonly pages: number;
  /** As `PreparedDocument.shows`. */
  readonly shows: ReadonlySet<string>;
}

/** The pages and texts of all documents that are remembered, which bounds memory to about 10 MB. */
const maxNames = 100_000;

/** How long a document is remembered after it was last asked for, in ms. */
const rememberedMs = 60 * 60_000;

/** Callers of the same roles may see the same pages. */
const idFor = (docid: string, { roles }: Caller): string => JSON.stringify([docid, [...roles].sort()]);

export class BegunDocuments {
  readonly #begun = new LRUCache<string, Begun>({
    maxSize: maxNames,
    // Also those of few pages have an id and a key.
    sizeCalculation: ({ shows }, id) => shows.size + Math.ceil(id.length / 100) + 5,
    ttl: rememberedMs,
    updateAgeOnGet: true,
  });

  /** The document that a docid begins now for callers of these roles. */
  remember(docid: string, caller: Caller, document: PreparedDocument): void {
    const { key, pages, shows } = document;
    this.#begun.set(idFor(docid, caller), { key, pages, shows });
  }

  /**
   * The document that was begun for callers of these roles, where its files have changed since; `now` is what the docid means
   * now. `isVisible` says whether the caller may see each of its pages and their texts still. Undefined where nothing else was begun.
   */
  earlier(docid: string, caller: Caller, now: PreparedDocument) {
    const begun = this.#begun.get(idFor(docid, caller));
    if (begun === undefined || begun.key === now.key) return undefined;
    const isVisible = [...begun.shows].every((name) => now.shows.has(name));
    return { document: { ...now, ...begun }, isVisible };
  }
}
