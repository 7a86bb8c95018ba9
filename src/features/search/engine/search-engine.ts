/** What a search engine does for the server: it stores folded words of pages, and tells which pages have some of them. */
import type { PageQuery } from './query.ts';

/** A page of a folder. */
export interface PageKey {
  /** The canonical path of the folder. */
  readonly folder: string;
  /** The file's name. */
  readonly name: string;
}

export interface IndexedPage extends PageKey {
  /** Changes whenever the page's text may have changed. */
  readonly fingerprint: string;
  /** The folded words in reading order, with a space between them. */
  readonly words: string;
  readonly payload: PagePayload;
}

/** What the server needs to show a page as a hit; engines give it back as it was. */
export interface PagePayload {
  /** The printed words with their lines. Engines may compress it. */
  readonly text: string;
  /** Where the words stand; compressed already. */
  readonly boxes: Uint8Array;
}

export interface FindRequest {
  readonly query: PageQuery;
  /** The canonical path of the folder in and below which pages are found; empty for all. */
  readonly within: string;
  /** Whether the pages of the folders below it are left out. */
  readonly isShallow?: boolean;
  /** Most pages that are returned. */
  readonly limit: number;
}

export interface Found {
  /** Better matches first. */
  readonly pages: readonly PageKey[];
  /** Whether these are all that match. */
  readonly isAll: boolean;
  /** How many pages match, where it is known beyond those. */
  readonly total: number;
}

export interface EngineState {
  readonly pages: number;
  /** On disk. */
  readonly bytes: number;
}

/** All reject with SearchEngineError where the engine can't be used. */
export interface SearchEngine {
  find(request: FindRequest): Promise<Found>;
  /** The payloads of pages, in their order; undefined for one that is not in the index. */
  read(pages: readonly PageKey[]): Promise<readonly (PagePayload | undefined)[]>;
  /** Adds or replaces pages, all of them or none; they are found from then on. */
  put(pages: readonly IndexedPage[]): Promise<void>;
  remove(pages: readonly PageKey[]): Promise<void>;
  /** The pages of one folder with their fingerprints, by name. */
  fingerprints(folder: string): Promise<ReadonlyMap<string, string>>;
  /** The folders that have pages, in any order. */
  folders(): Promise<readonly string[]>;
  state(): Promise<EngineState>;
  close(): Promise<void>;
}

/** The message where nothing more can be written; it is told from one process to the other. */
export const fullIndex = 'The index of texts is as large as the setting search.maxBytes allows.';

/** Says in a sentence why a search engine can't be used. */
export class SearchEngineError extends Error {
  override readonly name = 'SearchEngineError';
}

/** The paths of a folder and of all folders around it. */
export const ancestors = (folder: string): readonly string[] => {
  const names = folder.split('/').filter((name) => name !== '');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
};
