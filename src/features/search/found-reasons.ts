/**
 * Matches the text of a search with names, labels, chapters and metadata of a folder, and says why something was
 * found.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Admission } from '../../core/access/admit.ts';
import type { Caller } from '../../core/access/policy.ts';
import { contentsOf } from '../../core/folder-descriptions/folder-contents.ts';
import type { TitlesDownTo } from '../../core/folder-descriptions/listed-folders.ts';
import type { ContentsEntry, FoundName, FoundReason } from '../../core/image/folder/folder-listing.ts';
import { type FolderMetadata, type Structure, textFor } from '../../core/image/folder/folder-metadata.ts';
import {
  inDisplayOrder,
  metadataLabelOf,
  nameMatcher,
  namesOfFile,
  textsOfLabel,
} from '../../core/image/folder/page-labels.ts';
import { readQuery, withAlike } from '../../core/image/folder/spellings.ts';
import { formatIdentifier } from '../../core/image/model/identifier.ts';
import type { Admitted } from '../../core/image/model/image-set.ts';
import type { Folder } from '../../core/library/library.ts';

/** Characters that are shown of a long text, and of those before the first word. */
const shownLength = 160;
const lengthBefore = 50;

/** The part of a text around the first of some words; whole where it is short. */
export function excerptOf(text: string, isWordIn: (part: string) => boolean): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (plain.length <= shownLength) return plain;
  const words = plain.split(' ');
  const found = Math.max(0, words.findIndex(isWordIn));
  let first = found;
  for (let length = 0; first > 0 && length < lengthBefore; first -= 1) length += (words[first - 1]?.length ?? 0) + 1;
  const part = words.slice(first).join(' ');
  const cut = part.length <= shownLength ? part : `${part.slice(0, shownLength).replace(/\s+\S*$/, '')} …`;
  return first === 0 ? cut : `… ${cut}`;
}

/** A text that is searched. */
type SearchedText = FoundReason;

/** The texts of a folder in the order in which they explain a find, in every language. */
export function searchedTexts(
  name: string,
  metadata: FolderMetadata,
  languages: readonly string[],
): readonly SearchedText[] {
  const { label, summary, metadata: pairs = [], requiredStatement } = metadata;
  const texts = (kind: FoundReason['kind'], values: readonly string[], of = ''): readonly SearchedText[] =>
    values.map((text) => ({ kind, label: of, text }));
  const labeled = requiredStatement === undefined ? pairs : [...pairs, requiredStatement];
  return [
    ...texts('title', textsOfLabel(label)),
    ...texts('name', name === '' ? [] : [name]),
    ...labeled.flatMap((pair) => texts('metadata', textsOfLabel(pair.value), textFor(pair.label, languages).join(' '))),
    ...texts('summary', textsOfLabel(summary)),
  ];
}

/** The first text that contains all words of a query, or else one of them, shortened; undefined where none does. */
export function reasonAmong(texts: readonly SearchedText[], query: string): FoundReason | undefined {
  const matchesAll = nameMatcher(query);
  const { text: asked, isAlike } = readQuery(query);
  const matchers = asked.split(/\s+/).flatMap((word) => nameMatcher(withAlike(word, isAlike)) ?? []);
  const hasWord = (text: string): boolean => matchers.some((matches) => matches(text));
  const found = texts.find(({ text }) => matchesAll?.(text) === true) ?? texts.find(({ text }) => hasWord(text));
  return found && { ...found, text: excerptOf(found.text, hasWord) };
}

/** How many names are matched before other requests have their turn; these take a few milliseconds. */
const namesPerTurn = 5000;

type Matches = (text: string) => boolean;

export interface ImageSearch {
  /** Whether a text contains the text of the search. */
  readonly matches: Matches;
  /** Whether it equals the text of the search. */
  readonly isExact: Matches;
  readonly isOver: () => boolean;
}

export interface MatchedImage {
  readonly name: string;
  readonly isExact: boolean;
  /** Whether its label matches, or else its name. */
  readonly byLabel: boolean;
}

/** The images whose names or labels match, exact matches first; incomplete where the search ends meanwhile. */
export async function matchingImages(
  names: readonly string[],
  metadata: FolderMetadata,
  { matches, isExact, isOver }: ImageSearch,
): Promise<readonly MatchedImage[]> {
  const exact: MatchedImage[] = [];
  const others: MatchedImage[] = [];
  for (let from = 0; from < names.length && !isOver(); from += namesPerTurn) {
    if (from > 0) await nextTurn();
    for (const name of names.slice(from, from + namesPerTurn)) {
      const labels = textsOfLabel(metadataLabelOf(metadata, name));
      const byLabel = labels.some(matches);
      if (isExact(name) || labels.some(isExact)) exact.push({ name, isExact: true, byLabel });
      else if (byLabel || matches(name)) others.push({ name, isExact: false, byLabel });
    }
  }
  return [...exact, ...others];
}

/** Something that was found; `isExact` where its name or label equals the query. */
export interface Match {
  readonly found: FoundName;
  readonly isExact: boolean;
}

export interface ChapterSearch extends Pick<ImageSearch, 'matches' | 'isExact'> {
  readonly caller: Caller;
  /** As the reader wrote it. */
  readonly query: string;
  /** The reader's language tags in lower case, the preferred one first. */
  readonly languages: readonly string[];
}

const titlesOf = (structures: readonly Structure[]): readonly string[] =>
  structures.flatMap(({ label, structures: inside }) => [...textsOfLabel(label), ...titlesOf(inside)]);

const withInner = (contents: readonly ContentsEntry[]): readonly ContentsEntry[] =>
  contents.flatMap((entry) => [entry, ...withInner(entry.contents)]);

type ChaptersIn = (
  folder: Admitted<Folder>,
  metadata: FolderMetadata,
  search: ChapterSearch,
) => Promise<readonly Match[]>;

/** Each chapter with its first page, as far as the caller may see pages. */
export const createChapterSearch =
  (admission: Admission, titlesDownTo: TitlesDownTo): ChaptersIn =>
  async (folder, metadata, search) => {
    const { caller, query, languages, matches, isExact } = search;
    // Which pages the caller may see is found out only where a title matches, since that takes longer.
    if (!titlesOf(metadata.structures ?? []).some(matches)) return [];
    const { identifier } = folder;
    const visible = await admission.entriesOf(folder, caller);
    const entries = inDisplayOrder(visible, metadata.pageOrder, ({ name }) => namesOfFile(name));
    const listed = { identifier, metadata, languages };
    const parent = { folder: formatIdentifier(identifier), way: await titlesDownTo(identifier, search) };
    // The labels of pages are not searched here.
    return withInner(contentsOf(listed, entries, () => ''))
      .filter(({ label }) => matches(label))
      .map(({ label, path, at }) => {
        const whole = { kind: 'chapter', label: '', text: label } as const;
        const reason = reasonAmong([whole], query) ?? whole;
        const place = { at, total: entries.length };
        const found = {
          kind: 'chapter',
          path,
          name: label,
          reason,
          label: null,
          place,
          ...parent,
          cover: path,
        } as const;
        return { found, isExact: isExact(label) };
      });
  };
