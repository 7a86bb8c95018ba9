/** Describes pages on whose texts words were found: with titles, labels and positions, as far as a caller may see them. */
import pMap, { pMapSkip } from 'p-map';
import type { FoundPage, FoundTexts } from '../image/folder/found-texts.ts';
import { textFor } from '../image/folder/languages.ts';
import { inDisplayOrder, metadataLabelOf, namesOfFile } from '../image/folder/page-labels.ts';
import type { Rect } from '../image/model/geometry.ts';
import { formatIdentifier } from '../image/model/identifier.ts';
import { type Admitted, highest } from '../image/model/image-set.ts';
import type { Folder } from '../library/library.ts';
import { type Admission, ifAdmitted } from './admit.ts';
import { bounded } from './concurrency.ts';
import type { Reader } from './listed-folders.ts';
import type { FolderMetadataSource } from './present.ts';
import type { MatchedPage, TextQuery, TextSearch } from './search-texts.ts';
import { createWayTo } from './way-to.ts';

export interface FoundPagesQuery extends Reader, TextQuery {}

export interface FoundPagesParts {
  readonly admission: Admission;
  readonly metadata: FolderMetadataSource;
  readonly texts: TextSearch;
}

/** Positions are found in folders up to this size, where access to each image has to be checked for that. */
const mostCheckedImages = 1000;

const boxOf = ({ x, y, width, height }: Rect) => [x, y, width, height] as const;

type Positions = ReadonlyMap<string, { readonly at: number; readonly total: number }>;

/** Null where the index can't be used. */
export function createFoundPages(parts: FoundPagesParts): (query: FoundPagesQuery) => Promise<FoundTexts | null> {
  const { admission, metadata: source, texts } = parts;
  const wayTo = createWayTo(admission, source);

  async function positionsIn(folder: Admitted<Folder>, { caller }: Reader): Promise<Positions> {
    if (!folder.isOpen && folder.images.length > mostCheckedImages) return new Map();
    const entries = await admission.entriesOf(folder, caller);
    const { pageOrder } = await source.metadataOf(folder.identifier);
    const ordered = inDisplayOrder(entries, pageOrder, ({ name }) => namesOfFile(name));
    return new Map(ordered.map(({ name }, index) => [name, { at: index + 1, total: ordered.length }]));
  }

  return async (query) => {
    const { caller, languages } = query;
    const found = await texts.find(query, caller);
    if (found === undefined) return null;
    const positions = new Map<string, Promise<Positions>>();

    const describe = async (page: MatchedPage): Promise<FoundPage | typeof pMapSkip> => {
      const { folder, file, path, count, matches } = page;
      const image = await ifAdmitted(admission.admit(path, 1, caller));
      // Its text was replaced since it was indexed, or its file can't be read.
      if (image === undefined || count === 0) return pMapSkip;
      const { width, height } = highest(image);
      const parent = formatIdentifier(folder.identifier);
      const inFolder = positions.get(parent) ?? positionsIn(folder, query);
      positions.set(parent, inFolder);
      const metadata = await source.metadataOf(folder.identifier);
      return {
        path,
        name: file,
        label: textFor(metadataLabelOf(metadata, file) ?? {}, languages).join(' ') || null,
        folder: parent,
        way: await wayTo(folder.identifier, query),
        place: (await inFolder).get(file) ?? null,
        width,
        height,
        count,
        hits: matches.map(({ before, match, after, boxes }) => ({ before, match, after, boxes: boxes.map(boxOf) })),
      };
    };

    const { pages, total, isExact, next } = found;
    return { total, exact: isExact, next: next ?? null, pages: await pMap(pages, describe, bounded) };
  };
}
