/** Requests listings of folders, in parts, and searches. */
import type { FolderListing } from '../../../src/core/image/folder/folder-listing.ts';
import type { SearchAnswer } from '../../../src/features/search/search-answer.ts';
import { type Answer, addressOf, fetchJson } from './fetch.ts';

export interface FolderPart {
  /** The page if `fn` is a folder, as `pn` of the Scaler. */
  readonly pn?: number | undefined;
  /** The label of the page if `fn` is a folder. */
  readonly label?: string | undefined;
  /** The position of the first image, from 1; by default, the part with the image `fn`. */
  readonly from?: number | undefined;
  readonly count?: number | undefined;
}

/** The listing of the folder `fn`, or of the folder of the image `fn`. */
export const fetchFolder = (
  fn: string,
  language: string,
  { pn, label, from, count }: FolderPart = {},
  signal?: AbortSignal,
): Promise<Answer<FolderListing>> =>
  fetchJson(addressOf('api/folder.json', { fn, pn, label, from, count, lang: language }), signal);

/** Names, metadata and texts that contain words, in the folder `fn` and below; `from` counts the pages found by their texts. */
export const fetchSearch = (
  query: string,
  fn: string,
  language: string,
  signal?: AbortSignal,
  from?: number,
): Promise<Answer<SearchAnswer>> =>
  fetchJson(addressOf('api/search.json', { q: query, fn, from, lang: language }), signal);
