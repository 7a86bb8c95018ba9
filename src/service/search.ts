/** Finds folders and images by their names and metadata, level by level below a folder, within a second and without holding up others. */
import { performance } from 'node:perf_hooks';
import type { Caller } from '../access/access.ts';
import type { FoundName, SearchAnswer } from '../image/folder/folder-listing.ts';
import type { FolderMetadata } from '../image/folder/folder-metadata.ts';
import { nameEqual, nameMatcher } from '../image/folder/name-match.ts';
import { inDisplayOrder, metadataLabelOf, namesOfFile } from '../image/folder/page-labels.ts';
import { childOf, formatIdentifier, type Identifier } from '../image/model/identifier.ts';
import type { Admitted } from '../image/model/image-set.ts';
import { textFor } from '../image/model/languages.ts';
import type { Folder } from '../library/library.ts';
import { type Admission, ifAdmitted } from './admit.ts';
import { type FolderCards, titleOf } from './folder-cards.ts';
import { mapBounded } from './map-bounded.ts';
import type { FolderMetadataSource } from './present.ts';
import { type ImageSearch, type MatchedImage, matchingImages, textsOfFolder } from './search-matches.ts';

export interface SearchQuery {
  readonly query: string;
  /** The decoded path of the folder below which names are looked for, or of an image in it. */
  readonly path: string;
  /** Tags of the languages that are read, in lower case, the first one best. */
  readonly languages: readonly string[];
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export interface SearchParts {
  readonly admission: Admission;
  readonly metadata: FolderMetadataSource;
  readonly cards: FolderCards;
  /** After how many milliseconds a search ends with what it has found; a second by default. */
  readonly deadlineMs?: number;
}

const maxFound = 200;
const defaultDeadlineMs = 1000;
/** Of a folder with so many images it is told which place each has, also where each is asked for whether it may be seen. */
const quicklyTold = 1000;
/** So many folders are looked into at once. */
const foldersAtOnce = 32;

/** Something that was found; `isExact` where it is called just as the query. */
interface Ranked {
  readonly found: FoundName;
  readonly isExact: boolean;
}

/** A search under way. */
interface Search extends Pick<SearchQuery, 'languages'>, ImageSearch {
  readonly caller: Caller;
  readonly found: Ranked[];
  /** Every place of the folders that were looked into: a link may lead back to one. */
  readonly seen: Set<string>;
}

/** What is called exactly as the query, then the rest, each in the order in which it was found. */
const ranked = (all: readonly Ranked[]): readonly FoundName[] =>
  [...all.filter(({ isExact }) => isExact), ...all.filter(({ isExact }) => !isExact)].map(({ found }) => found);

/** Whether a folder was not looked into before under another of its paths. */
function isNew({ paths: places, identifier }: Folder, { seen }: Search): boolean {
  const paths = [identifier, ...places].map(formatIdentifier);
  const isKnown = paths.some((path) => seen.has(path));
  for (const path of paths) seen.add(path);
  return !isKnown;
}

/** Answers with what was found. Throws ImageError as admission does where the folder itself may not be seen. */
export function createSearch(parts: SearchParts): (asked: SearchQuery, caller: Caller) => Promise<SearchAnswer> {
  const { admission, metadata, cards, deadlineMs = defaultDeadlineMs } = parts;

  async function foundFolder(folder: Admitted<Folder>, search: Search): Promise<Ranked | undefined> {
    const { identifier } = folder;
    const said = await metadata.metadataOf(identifier);
    const texts = [identifier.segments.at(-1) ?? '', ...textsOfFolder(said)];
    // Words may stand in several of its texts: an author and a title.
    if (!search.matches(texts.join('\n'))) return undefined;
    const found: FoundName = {
      kind: 'folder',
      path: formatIdentifier(identifier),
      name: titleOf(identifier, said, search.languages),
      label: null,
      place: null,
      folder: identifier.segments.slice(0, -1).join('/'),
      cover: (await cards.coverOf(folder, search.caller)) ?? null,
    };
    return { found, isExact: texts.some(search.isExact) };
  }

  /** What the metadata calls the images that are found, and where they are. */
  async function describe(
    folder: Admitted<Folder>,
    named: readonly MatchedImage[],
    said: FolderMetadata,
    search: Search,
  ): Promise<readonly Ranked[]> {
    const isQuick = folder.isOpen || folder.images.length <= quicklyTold;
    const entries = isQuick ? await admission.entriesOf(folder, search.caller) : [];
    const shown = inDisplayOrder(entries, said.pageOrder, ({ name }) => namesOfFile(name));
    const places = new Map(shown.map(({ name }, index) => [name, { at: index + 1, total: shown.length }]));
    return named.map(({ name, isExact }) => {
      const path = formatIdentifier(childOf(folder.identifier, name));
      const label = textFor(metadataLabelOf(said, name) ?? {}, search.languages).join(' ') || null;
      const place = places.get(name) ?? null;
      const parent = formatIdentifier(folder.identifier);
      return { isExact, found: { kind: 'image', path, name, label, place, folder: parent, cover: path } };
    });
  }

  async function foundImages(folder: Admitted<Folder>, search: Search): Promise<void> {
    const said = folder.images.length > 0 ? await metadata.metadataOf(folder.identifier) : {};
    const named = await matchingImages(folder.images, said, search);
    for (let from = 0; from < named.length && !search.isOver(); from += maxFound) {
      const part = named.slice(from, from + maxFound);
      const seen = new Set(
        await admission.visibleAmong(
          folder,
          part.map(({ name }) => name),
          search.caller,
        ),
      );
      const seenPart = part.filter(({ name }) => seen.has(name));
      if (seenPart.length > 0) search.found.push(...(await describe(folder, seenPart, said, search)));
    }
  }

  const openFolder = (identifier: Identifier, caller: Caller): Promise<Admitted<Folder> | undefined> =>
    ifAdmitted(admission.admitFolder(formatIdentifier(identifier), caller));

  /** Looks into some folders: their own names, the images that lie in them, and the folders that are next. */
  async function lookInto(identifiers: readonly Identifier[], search: Search): Promise<readonly Identifier[]> {
    const opened = await mapBounded(identifiers, (identifier) => openFolder(identifier, search.caller));
    const folders = opened.filter((folder) => folder !== undefined && isNew(folder, search)) as Admitted<Folder>[];
    const named = await mapBounded(folders, (folder) => foundFolder(folder, search));
    search.found.push(...named.filter((one) => one !== undefined));
    for (const folder of folders) {
      if (search.isOver()) break;
      await foundImages(folder, search);
    }
    return folders.flatMap(({ identifier, folders: inside }) => inside.map((name) => childOf(identifier, name)));
  }

  /** Looks at everything below a folder, as long as the search is not over. */
  async function lookBelow(start: Admitted<Folder>, search: Search): Promise<void> {
    isNew(start, search);
    await foundImages(start, search);
    let level: readonly Identifier[] = start.folders.map((name) => childOf(start.identifier, name));
    while (level.length > 0) {
      const next: Identifier[] = [];
      for (let from = 0; from < level.length; from += foldersAtOnce) {
        if (search.isOver()) return;
        for (const below of await lookInto(level.slice(from, from + foldersAtOnce), search)) next.push(below);
      }
      level = next;
    }
  }

  return async ({ query, path, languages, signal }, caller) => {
    const { folder } = await admission.admitFolderOrImage(path, caller);
    const matches = nameMatcher(query);
    const isExact = nameEqual(query);
    if (matches === undefined || isExact === undefined) return { query, found: [], complete: true };
    const found: Ranked[] = [];
    const endsAt = performance.now() + deadlineMs;
    let isStopped = false;
    const isOver = (): boolean => isStopped || signal.aborted || found.length > maxFound || performance.now() > endsAt;
    const search: Search = { caller, languages, matches, isExact, found, seen: new Set(), isOver };
    const isWhole = await within(deadlineMs, async () => {
      await lookBelow(folder, search);
      return !isOver();
    });
    isStopped = true;
    return { query, found: ranked(found).slice(0, maxFound), complete: isWhole ?? false };
  };
}

/** The result of work, or undefined where it takes longer: a disk can keep everybody waiting. */
async function within<T>(ms: number, work: () => Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
