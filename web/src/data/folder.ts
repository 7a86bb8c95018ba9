/** Folders a part at a time, and names that hold a text. */
import type { FolderListing, SearchAnswer } from '../../../src/image/folder/folder-listing.ts';
import { type Answer, addressOf, fetchJson } from './fetch.ts';

export interface FolderPart {
  /** Of a folder that `fn` names, the page that is meant, as `pn` in the Scaler. */
  readonly pn?: number | undefined;
  /** What the page that is meant is called. */
  readonly label?: string | undefined;
  /** The place of the first image, from 1; without it, the part that holds the image that `fn` names. */
  readonly from?: number | undefined;
  readonly count?: number | undefined;
}

/** The folder that a path names, or that the image at the path lies in. */
export const fetchFolder = (
  fn: string,
  language: string,
  { pn, label, from, count }: FolderPart = {},
  signal?: AbortSignal,
): Promise<Answer<FolderListing>> =>
  fetchJson(addressOf('api/folder.json', { fn, pn, label, from, count, lang: language }), signal);

/** What holds a text in its name or metadata, in a folder and all below it. */
export const fetchSearch = (
  query: string,
  fn: string,
  language: string,
  signal?: AbortSignal,
): Promise<Answer<SearchAnswer>> => fetchJson(addressOf('api/search.json', { q: query, fn, lang: language }), signal);
