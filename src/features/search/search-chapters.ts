/** Finds the chapters of a folder whose titles contain the text of a search. */

import type { Admission } from '../../core/access/admit.ts';
import type { Caller } from '../../core/access/policy.ts';
import { contentsOf } from '../../core/folders/folder-contents.ts';
import type { TitlesDownTo } from '../../core/folders/listed-folders.ts';
import type { ContentsEntry, FoundName } from '../../core/image/folder/folder-listing.ts';
import type { FolderMetadata, Structure } from '../../core/image/folder/folder-metadata.ts';
import { inDisplayOrder, namesOfFile, textsOfLabel } from '../../core/image/folder/page-labels.ts';
import { formatIdentifier } from '../../core/image/model/identifier.ts';
import type { Admitted } from '../../core/image/model/image-set.ts';
import type { Folder } from '../../core/library/library.ts';
import { reasonAmong } from './found-reasons.ts';
import type { ImageSearch } from './search-matches.ts';

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
