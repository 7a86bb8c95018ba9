/** Describes pages on whose texts words were found: with titles, labels and positions, as far as a caller may see them. */
import pMap, { pMapSkip } from 'p-map';
import { type Admission, ifAdmitted } from '../../core/access/admit.ts';
import { bounded } from '../../core/access/if-answering.ts';
import { type FolderMetadataSource, shownImages } from '../../core/folder-descriptions/folder-cards.ts';
import { createTitlesDownTo, type Reader } from '../../core/folder-descriptions/listed-folders.ts';
import { type FolderMetadata, textFor } from '../../core/image/folder/folder-metadata.ts';
import { inDisplayOrder, metadataLabelOf, namesOfFile } from '../../core/image/folder/page-labels.ts';
import type { Rect } from '../../core/image/model/geometry.ts';
import { formatIdentifier } from '../../core/image/model/identifier.ts';
import { type Admitted, highest, type ImageSet, onShown } from '../../core/image/model/image-set.ts';
import type { Folder } from '../../core/library/library.ts';
import type { FoundPage, FoundTexts } from './search-answer.ts';
import type { MatchedPage, TextQuery, TextSearch } from './search-texts.ts';

export interface FoundPagesQuery extends Reader, TextQuery {}

export interface FoundPagesParts {
  readonly admission: Admission;
  readonly metadata: FolderMetadataSource;
  readonly texts: TextSearch;
}

/** Positions are found in folders up to this size, where access to each image has to be checked for that. */
const mostCheckedImages = 1000;

/** In pixels of the image that the caller sees; boxes in the index are on the whole one. */
function boxOf(box: Rect, image: ImageSet) {
  const { x, y, width, height } = onShown(box, image);
  return [x, y, width, height] as const;
}

/** What is told of each page of a folder: read once for all that were found in it. */
interface FolderOfPages {
  readonly metadata: FolderMetadata;
  readonly way: readonly string[];
  /** The names of its images as they are shown; empty where that is not known. */
  readonly names: readonly string[];
}

/** Null where the index can't be used. */
export function createFoundPages(parts: FoundPagesParts): (query: FoundPagesQuery) => Promise<FoundTexts | null> {
  const { admission, metadata: source, texts } = parts;
  const titlesDownTo = createTitlesDownTo(admission, source);

  async function namesIn(
    folder: Admitted<Folder>,
    { pageOrder }: FolderMetadata,
    { caller }: Reader,
  ): Promise<readonly string[]> {
    if (folder.isOpen) return inDisplayOrder(shownImages(folder), pageOrder, namesOfFile);
    if (folder.images.length > mostCheckedImages) return [];
    const entries = await admission.entriesOf(folder, caller);
    return inDisplayOrder(
      entries.map(({ name }) => name),
      pageOrder,
      namesOfFile,
    );
  }

  async function describeFolder(folder: Admitted<Folder>, reader: Reader): Promise<FolderOfPages> {
    const [metadata, way] = await Promise.all([
      source.metadataOf(folder.identifier),
      titlesDownTo(folder.identifier, reader),
    ]);
    return { metadata, way, names: await namesIn(folder, metadata, reader) };
  }

  return async (query) => {
    const { caller, languages } = query;
    const found = await texts.find(query, caller);
    if (found === undefined) return null;
    const folders = new Map<string, Promise<FolderOfPages>>();

    const describe = async (page: MatchedPage): Promise<FoundPage | typeof pMapSkip> => {
      const { folder, file, path, count, matches } = page;
      const image = await ifAdmitted(admission.admit(path, 1, caller));
      // Its text was replaced since it was indexed, or its file can't be read.
      if (image === undefined || count === 0) return pMapSkip;
      const { width, height } = highest(image);
      const parent = formatIdentifier(folder.identifier);
      const described = folders.get(parent) ?? describeFolder(folder, query);
      folders.set(parent, described);
      const { metadata, way, names } = await described;
      const at = names.indexOf(file);
      return {
        path,
        name: file,
        label: textFor(metadataLabelOf(metadata, file) ?? {}, languages).join(' ') || null,
        folder: parent,
        way,
        place: at < 0 ? null : { at: at + 1, total: names.length },
        width,
        height,
        count,
        hits: matches.map(({ before, match, after, boxes }) => ({
          before,
          match,
          after,
          boxes: boxes.map((box) => boxOf(box, image)),
        })),
      };
    };

    const { pages, total, isExact, next } = found;
    return { total, exact: isExact, next: next ?? null, pages: await pMap(pages, describe, bounded) };
  };
}
