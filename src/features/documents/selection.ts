/** The pages of a folder that go into a document, an archive or a text: those of the caller's, in order, each admitted. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import pMap from 'p-map';
import { type Admission, ifAdmitted } from '../../core/access/admit.ts';
import { requireDocuments, requireTexts } from '../../core/access/denials.ts';
import { bounded } from '../../core/access/if-answering.ts';
import type { LongReads, Reading } from '../../core/access/long-reads.ts';
import type { Caller } from '../../core/access/policy.ts';
import type { FolderMetadataSource } from '../../core/folder-descriptions/folder-cards.ts';
import { positionOfLabel } from '../../core/folder-descriptions/folder-contents.ts';
import type { FolderEntry } from '../../core/image/folder/folder-description.ts';
import { type FolderMetadata, textFor } from '../../core/image/folder/folder-metadata.ts';
import {
  type Chapter,
  chaptersIn,
  inDisplayOrder,
  labelOfFile,
  labelOfFolder,
  metadataLabelOf,
  namesOfFile,
  type PageLabels,
  type PageRange,
  pageNumbersOf,
  sharedStems,
} from '../../core/image/folder/page-labels.ts';
import { findTypedPages } from '../../core/image/folder/page-ranges.ts';
import { badRequest, ImageError } from '../../core/image/model/errors.ts';
import { stemOf } from '../../core/image/model/formats.ts';
import { childOf, formatIdentifier, joinPage } from '../../core/image/model/identifier.ts';
import type { Admitted, ImageSet } from '../../core/image/model/image-set.ts';
import type { Folder } from '../../core/library/library.ts';

export interface SelectedPage {
  readonly image: Admitted<ImageSet>;
  readonly label: string;
  /** The `pn` of its file. */
  readonly number: number;
}

export interface Selection {
  readonly folder: Admitted<Folder>;
  readonly path: string;
  readonly title: string;
  readonly metadata: FolderMetadata;
  readonly pages: readonly SelectedPage[];
  /** Whether these are all pages of the folder that the caller may see. */
  readonly isWhole: boolean;
  /** Whether everyone may see all of them. */
  readonly isOpen: boolean;
  readonly chapters: readonly Chapter<SelectedPage>[];
}

export interface SelectionQuery {
  /** Whether pictures of the pages are taken along; by default they are. */
  readonly takes?: 'pictures' | 'words';
  /** The path of a folder, decoded. */
  readonly path: string;
  /** Numbers of the folder's image files, from 1, as `pn` counts them, in this order; all in display order where absent. */
  readonly pages: readonly PageRange[] | undefined;
  /** In place of `pages`: positions in display order, from 1, as the reading room counts. */
  readonly at?: readonly PageRange[] | undefined;
  /** In place of both: pages as a reader writes them, by their labels, such as `3r–7v`. */
  readonly typed?: string;
  /** The reader's languages, tags in lower case. */
  readonly languages: readonly string[];
}

/**
 * Finds and admits the pages. Throws ImageError as `admit` does; `not-found` where none of them can be shown, `too-large` where
 * there are too many, `abandoned` when the signal is aborted, `being-read` as `LongReads` does. Pages that the caller may not see are left out, as are
 * unreadable files, and those whose tier has not what is taken along.
 */
export type SelectPages = (query: SelectionQuery, caller: Caller, signal: AbortSignal) => Promise<Selection>;

export interface SelectionParts {
  /** Reads the pages behind the answer where they take longer than a request has. */
  readonly reads: LongReads;
  readonly admission: Admission;
  readonly metadata: FolderMetadataSource;
  readonly pageLabels: PageLabels;
  /** The largest number of pages. */
  readonly maxPages: number;
}

/** How many files are admitted before other requests have their turn. */
const filesPerTurn = 64;

const nameOf = (path: string): string => path.split('/').at(-1) ?? '';

const tooMany = (maxPages: number): ImageError =>
  new ImageError(
    'too-large',
    `These are more than ${maxPages} pages; ask for fewer of them, such as pages=1-${maxPages}.`,
  );

/** Throws ImageError `bad-request` for a text that names no pages. */
async function typedPositions(
  typed: string,
  entries: readonly FolderEntry[],
  metadata: FolderMetadata,
  pageLabels: PageLabels,
): Promise<readonly number[]> {
  const positionOf = (label: string) => positionOfLabel(entries, label, metadata, pageLabels) ?? undefined;
  const found = await findTypedPages(typed, entries.length, positionOf);
  if ('positions' in found) return found.positions;
  throw badRequest(`“${found.unknown}” names no pages: these are numbers such as 1-5,9,12- or labels such as 3r-7v.`);
}

/** The requested ones of the entries, which are in display order. */
function requested(
  entries: readonly FolderEntry[],
  { pages: ranges, at }: Pick<SelectionQuery, 'pages' | 'at'>,
): readonly FolderEntry[] {
  if (at !== undefined) return pageNumbersOf(at, entries.length).flatMap((position) => entries[position - 1] ?? []);
  if (ranges === undefined) return entries;
  const byNumber = new Map(entries.map((entry) => [entry.index, entry]));
  const last = entries.reduce((most, { index }) => Math.max(most, index), 0);
  return pageNumbersOf(ranges, last).flatMap((number) => byNumber.get(number) ?? []);
}

/** The labels of files by their names, for the entries in display order. */
function labelsOf(
  entries: readonly FolderEntry[],
  metadata: FolderMetadata,
  { pageLabels }: SelectionParts,
  languages: readonly string[],
): (name: string) => string {
  const positions = new Map(entries.map(({ name }, index) => [name, index + 1]));
  const shared = sharedStems(positions.keys(), new Set(entries.map(({ name }) => stemOf(name))));
  return (file) => {
    const facts = {
      file,
      metadataLabel: metadataLabelOf(metadata, file),
      number: positions.get(file) ?? 0,
      sharesStem: shared.has(stemOf(file)),
    };
    return textFor(labelOfFile(facts, pageLabels), languages).join(' ') || file;
  };
}

const requireTaken = { pictures: requireDocuments, words: requireTexts } as const;

type Taken = keyof typeof requireTaken;

/** Whether the tier in which the caller sees an image, if it sees it in one, has what is to be taken along. */
const has = (takes: Taken, { terms }: ImageSet): boolean =>
  terms === undefined || (takes === 'pictures' ? terms.tier.documents : terms.tier.texts);

export function createSelections(parts: SelectionParts): SelectPages {
  const { admission, reads, metadata: source, maxPages } = parts;

  async function imagesOf(path: string, caller: Caller): Promise<readonly Admitted<ImageSet>[]> {
    const first = await ifAdmitted(admission.admit(path, 1, caller));
    if (first === undefined) return [];
    const further = Array.from({ length: Math.min(first.pageCount, maxPages) - 1 }, (_, index) => index + 2);
    const others = await pMap(further, (page) => ifAdmitted(admission.admit(joinPage(path, page), 1, caller)), bounded);
    return [first, ...others.filter((image) => image !== undefined)];
  }

  async function admitAll(
    folder: Admitted<Folder>,
    entries: readonly FolderEntry[],
    labelOf: (name: string) => string,
    caller: Caller,
    reading: Reading,
  ): Promise<readonly SelectedPage[]> {
    const all: SelectedPage[] = [];
    const pagesOf = async ({ name, index }: FolderEntry): Promise<readonly SelectedPage[]> => {
      const images = await imagesOf(formatIdentifier(childOf(folder.identifier, name)), caller);
      reading.step();
      const label = labelOf(name);
      return images.map((image) => ({
        image,
        number: index,
        label: images.length > 1 ? `${label} (${image.page})` : label,
      }));
    };
    reading.begin('pages', entries.length);
    for (let from = 0; from < entries.length; from += filesPerTurn) {
      all.push(...(await pMap(entries.slice(from, from + filesPerTurn), pagesOf, bounded)).flat());
      if (all.length > maxPages) throw tooMany(maxPages);
      await nextTurn();
    }
    return all;
  }

  return async ({ path, languages, takes = 'pictures', ...wishes }, caller, signal) => {
    const folder = await admission.admitFolder(path, caller);
    const [metadata, found] = await Promise.all([
      source.metadataOf(folder.identifier),
      admission.entriesOf(folder, caller),
    ]);
    const entries = inDisplayOrder(found, metadata.pageOrder, ({ name }) => namesOfFile(name));
    const { typed } = wishes;
    const wanted =
      typed === undefined
        ? requested(entries, wishes)
        : (await typedPositions(typed, entries, metadata, parts.pageLabels)).flatMap((at) => entries[at - 1] ?? []);
    if (wanted.length > maxPages) throw tooMany(maxPages);
    const labelOf = labelsOf(entries, metadata, parts, languages);
    const canonical = formatIdentifier(folder.identifier);
    const read = (reading: Reading) => admitAll(folder, wanted, labelOf, caller, reading);
    const visible = await reads.run(`${canonical}\n${JSON.stringify(wishes)}`, signal, read);
    const pages = visible.filter(({ image }) => has(takes, image));
    const [left] = visible;
    if (pages.length === 0 && left) requireTaken[takes](left.image);
    if (pages.length === 0) throw new ImageError('not-found', 'There is no page to show of those that were asked for.');
    return {
      folder,
      path: canonical,
      title: textFor(labelOfFolder(nameOf(canonical) || '/', metadata), languages).join(' '),
      metadata,
      pages,
      isWhole: wanted.length === entries.length,
      isOpen: folder.isOpen && pages.every(({ image }) => image.isOpen),
      chapters: chaptersOf(metadata, pages),
    };
  };
}

function chaptersOf(
  { structures = [] }: FolderMetadata,
  pages: readonly SelectedPage[],
): readonly Chapter<SelectedPage>[] {
  const byName = new Map<string, SelectedPage[]>();
  for (const page of pages) {
    const { name, page: pageInFile } = page.image;
    for (const key of new Set([name, `${name};${pageInFile}`])) byName.set(key, [...(byName.get(key) ?? []), page]);
  }
  return chaptersIn(structures, (name) => byName.get(name) ?? []);
}
