/**
 * Searches folders and images by name and metadata, level by level or from a catalogue that has them, within a second and without
 * blocking other requests.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import pMap, { pMapSkip } from 'p-map';
import { type Admission, ifAdmitted } from '../../core/access/admit.ts';
import { type AnyFolder, isLongFolder, type ToldFolder } from '../../core/access/catalogued-folders.ts';
import { bounded, ifAnswering } from '../../core/access/if-answering.ts';
import type { Caller } from '../../core/access/policy.ts';
import {
  type FolderCards,
  type FolderMetadataSource,
  shownImages,
  titleOf,
} from '../../core/folder-descriptions/folder-cards.ts';
import { createTitlesDownTo, type TitlesDownTo } from '../../core/folder-descriptions/listed-folders.ts';
import type { FoundName } from '../../core/image/folder/folder-listing.ts';
import type { FolderMetadata } from '../../core/image/folder/folder-metadata.ts';
import {
  inDisplayOrder,
  nameEqual,
  nameMatcher,
  namesOfFile,
  positionsAmong,
  wordsOfQuery,
} from '../../core/image/folder/page-labels.ts';
import { childOf, formatIdentifier, type Identifier, splitLast } from '../../core/image/model/identifier.ts';
import type { Admitted } from '../../core/image/model/image-set.ts';
import type { Folder } from '../../core/library/library.ts';
import { type FoundIn, foundByLevel } from './catalogued-finds.ts';
import { describedImage, toldImages } from './found-images.ts';
import {
  type ChapterSearch,
  createChapterSearch,
  type ImageSearch,
  type Match,
  type MatchedImage,
  matchingImages,
  reasonAmong,
  searchedTexts,
} from './found-reasons.ts';
import type { SearchAnswer } from './search-answer.ts';

/** What is found by names, labels and metadata. */
export type FoundNames = Omit<SearchAnswer, 'texts'>;

export interface SearchQuery {
  readonly query: string;
  /** The decoded path of the folder below which to search, or of an image in it. */
  readonly path: string;
  /** The reader's language tags in lower case, the preferred one first. */
  readonly languages: readonly string[];
  /** Aborted when nobody waits for the result any more. */
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
/** Positions of images are found in folders up to this size, where access to each image has to be checked for that. */
const maxCheckedImages = 1000;
const foldersAtOnce = 32;
/** Folders, and images, that a catalogue is asked for: more where rules may close some of them. */
const [maxCatalogued, maxOpenCatalogued] = [1000, maxFound + 1];
const findsAtOnce = 100;
/** Spellings of the words that a catalogue is asked for, one after the other. */
const maxAsked = 8;

/** What was found in a folder that the caller may see. */
interface AdmittedFinds {
  readonly folder: AnyFolder;
  readonly found: FoundIn;
}

interface Search extends ChapterSearch, ImageSearch {
  readonly matched: Match[];
  /** All paths of the folders that were searched: a link may lead back to one. */
  readonly visited: Set<string>;
  /** Whether everything was searched so far: false where a disk did not answer. */
  isComplete: boolean;
}

/** Exact matches, then the others, each in the order in which they were found; what two spellings of the query found is one. */
function ranked(matches: readonly Match[]): readonly FoundName[] {
  const ordered = [...matches.filter(({ isExact }) => isExact), ...matches.filter(({ isExact }) => !isExact)];
  return [...new Map(ordered.map(({ found }) => [JSON.stringify(found), found])).values()];
}

/** Marks a folder as visited; false where it was visited before, perhaps under another path. */
function visit({ paths, identifier }: Pick<Folder, 'paths' | 'identifier'>, { visited }: Search): boolean {
  const names = [identifier, ...paths].map(formatIdentifier);
  const isNew = !names.some((name) => visited.has(name));
  for (const name of names) visited.add(name);
  return isNew;
}

const isFolder = ({ identifier }: Pick<Folder, 'identifier'>, found: FoundIn): boolean =>
  formatIdentifier(identifier) === formatIdentifier(found.identifier);

/** Whether a catalogue tells all that a search can find in a folder. */
const isWholeIn = (told: ToldFolder, { isItself, images }: FoundIn): boolean =>
  told.metadata !== undefined && !(isItself && told.mayMatchInside) && !(images.length > 0 && told.hasPages);

/** Searches names, labels and metadata below a folder. */
export class NameSearch {
  readonly #admission: Admission;
  readonly #metadata: FolderMetadataSource;
  readonly #cards: FolderCards;
  readonly #deadlineMs: number;
  readonly #titlesDownTo: TitlesDownTo;
  readonly #chaptersIn: ReturnType<typeof createChapterSearch>;

  constructor({ admission, metadata, cards, deadlineMs = defaultDeadlineMs }: SearchParts) {
    this.#admission = admission;
    this.#metadata = metadata;
    this.#cards = cards;
    this.#deadlineMs = deadlineMs;
    this.#titlesDownTo = createTitlesDownTo(admission, metadata);
    this.#chaptersIn = createChapterSearch(admission, this.#titlesDownTo);
  }

  /** Throws ImageError as admission does where the caller may not see the folder itself. */
  async find({ query, path, languages, signal }: SearchQuery, caller: Caller): Promise<FoundNames> {
    const long = await this.#admission.admitLongFolderOrImage(path, caller);
    const { folder } = long ?? (await this.#admission.admitFolderOrImage(path, caller));
    const matches = nameMatcher(query);
    const isExact = nameEqual(query);
    if (matches === undefined || isExact === undefined) return { query, found: [], complete: true };
    const matched: Match[] = [];
    const endsAt = performance.now() + this.#deadlineMs;
    let isStopped = false;
    const isOver = (): boolean =>
      isStopped || signal.aborted || matched.length > maxFound || performance.now() > endsAt;
    const search: Search = {
      caller,
      query,
      languages,
      matches,
      isExact,
      matched,
      visited: new Set(),
      isOver,
      isComplete: true,
    };
    const isComplete = await withDeadline(this.#deadlineMs, async () => {
      await this.#searchBelow(folder, search);
      return search.isComplete && !isOver();
    });
    isStopped = true;
    return { query, found: ranked(matched).slice(0, maxFound), complete: isComplete ?? false };
  }

  /** The cover of a folder with an order of its own is none of its first image. */
  async #matchFolder(folder: AnyFolder, search: Search, firstImage?: string): Promise<Match | undefined> {
    const { identifier } = folder;
    const metadata = await this.#metadata.metadataOf(identifier, isLongFolder(folder) ? 'titles' : undefined);
    const cover = metadata.pageOrder === undefined ? firstImage : undefined;
    return this.#matchTexts(identifier, metadata, () => cover ?? this.#cards.coverOf(folder, search.caller), search);
  }

  async #matchTexts(
    identifier: Identifier,
    metadata: FolderMetadata,
    coverOf: () => Promise<string | undefined> | string,
    search: Search,
  ): Promise<Match | undefined> {
    const searched = searchedTexts(identifier.segments.at(-1) ?? '', metadata, search.languages);
    const texts = searched.map(({ text }) => text);
    // The words of a query may stand in different texts, such as an author and a title.
    if (!search.matches(texts.join('\n'))) return undefined;
    const name = titleOf({ identifier, metadata, languages: search.languages });
    // The title of the folder itself is known, for which it is not listed.
    const { parent } = splitLast(identifier);
    const found: FoundName = {
      kind: 'folder',
      path: formatIdentifier(identifier),
      name,
      reason: reasonAmong(searched, search.query) ?? { kind: 'title', label: '', text: name },
      label: null,
      place: null,
      folder: identifier.segments.slice(0, -1).join('/'),
      way: parent === undefined ? [] : await this.#titlesDownTo(parent, search),
      cover: (await coverOf()) ?? null,
    };
    return { found, isExact: texts.some(search.isExact) };
  }

  /** The positions of some images, as far as they are found out quickly. */
  async #placesOf(
    folder: AnyFolder,
    names: readonly string[],
    metadata: FolderMetadata,
    { caller }: Search,
  ): Promise<ReadonlyMap<string, FoundName['place']>> {
    if (isLongFolder(folder)) {
      const placed = async (name: string) => {
        const at = await folder.positionOf(name).catch(() => undefined);
        return [name, at === undefined ? null : { at, total: folder.totalImages }] as const;
      };
      return new Map(await pMap(names, placed, bounded));
    }
    const isQuick = folder.isOpen || folder.images.length <= maxCheckedImages;
    const entries = isQuick ? await this.#admission.entriesOf(folder, caller) : [];
    const ordered = inDisplayOrder(entries, metadata.pageOrder, ({ name }) => namesOfFile(name));
    const positions = positionsAmong(ordered, ({ name }) => name, new Set(names));
    return new Map([...positions].map(([name, index]) => [name, { at: index + 1, total: ordered.length }]));
  }

  /** Adds the labels and positions of matched images. */
  async #describe(
    folder: AnyFolder,
    images: readonly MatchedImage[],
    metadata: FolderMetadata,
    search: Search,
  ): Promise<readonly Match[]> {
    if (images.length === 0) return [];
    const names = images.map(({ name }) => name);
    const places = await this.#placesOf(folder, names, metadata, search);
    const way = await this.#titlesDownTo(folder.identifier, search);
    return images.map((image) => describedImage(folder.identifier, image, { metadata, places, way, search }));
  }

  async #searchImages(folder: Admitted<Folder>, search: Search): Promise<void> {
    const metadata = folder.images.length > 0 ? await this.#metadata.metadataOf(folder.identifier) : {};
    search.matched.push(...(await this.#chaptersIn(folder, metadata, search)));
    await this.#searchNames(folder, shownImages(folder), metadata, search);
  }

  async #searchNames(
    folder: AnyFolder,
    names: readonly string[],
    metadata: FolderMetadata,
    search: Search,
  ): Promise<void> {
    const matched = await matchingImages(names, metadata, search);
    for (let from = 0; from < matched.length && !search.isOver(); from += maxFound) {
      const part = matched.slice(from, from + maxFound);
      const names = part.map(({ name }) => name);
      const visible = new Set(await this.#admission.visibleAmong(folder, names, search.caller));
      const visiblePart = part.filter(({ name }) => visible.has(name));
      if (visiblePart.length > 0) search.matched.push(...(await this.#describe(folder, visiblePart, metadata, search)));
    }
  }

  /** Searches some folders: their own names and the images in them. Returns the folders inside of them. */
  async #searchFolders(identifiers: readonly Identifier[], search: Search): Promise<readonly Identifier[]> {
    const admit = async (identifier: Identifier) => {
      const folder = await ifAnswering(
        ifAdmitted(this.#admission.admitFolder(formatIdentifier(identifier), search.caller)),
      );
      if (folder === 'no-answer') search.isComplete = false;
      return folder === undefined || folder === 'no-answer' ? pMapSkip : folder;
    };
    const folders = (await pMap(identifiers, admit, bounded)).filter((folder) => visit(folder, search));
    const match = async (folder: Admitted<Folder>) => {
      const matched = await ifAnswering(this.#matchFolder(folder, search));
      if (matched === 'no-answer') search.isComplete = false;
      return matched === undefined || matched === 'no-answer' ? pMapSkip : matched;
    };
    search.matched.push(...(await pMap(folders, match, bounded)));
    const next: Identifier[] = [];
    for (const folder of folders) {
      if (search.isOver()) break;
      const inside = await ifAnswering(this.#searchInside(folder, search));
      if (inside === 'no-answer') search.isComplete = false;
      else next.push(...inside);
    }
    return next;
  }

  /** Searches the images of a folder; with all below it where a catalogue has that. Returns the folders that are left to search. */
  async #searchInside(folder: AnyFolder, search: Search): Promise<readonly Identifier[]> {
    const left = await this.#searchCatalogue(folder, search);
    if (left !== undefined) return left;
    if (isLongFolder(folder)) return [];
    await this.#searchImages(folder, search);
    return folder.folders.map((name) => childOf(folder.identifier, name));
  }

  /** The same from a catalogue; undefined where none has the folder. */
  async #searchCatalogue(start: AnyFolder, search: Search): Promise<readonly Identifier[] | undefined> {
    const max = start.isOpen ? maxOpenCatalogued : maxCatalogued;
    let virtual: readonly Identifier[] | undefined;
    for (const words of wordsOfQuery(search.query).slice(0, maxAsked)) {
      const finds = await this.#admission.findNames(start, { words, max }, search.caller);
      if (finds === undefined) return undefined;
      virtual ??= finds.virtual;
      if (!finds.isComplete) search.isComplete = false;
      for (const level of foundByLevel(finds))
        for (let from = 0; from < level.length && !search.isOver(); from += findsAtOnce)
          await this.#takeFinds(start, { finds: level.slice(from, from + findsAtOnce), words }, search);
    }
    return virtual;
  }

  async #takeFinds(
    start: AnyFolder,
    { finds, words }: { readonly finds: readonly FoundIn[]; readonly words: readonly string[] },
    search: Search,
  ): Promise<void> {
    const others = finds.filter((found) => !isFolder(start, found));
    const told = await this.#admission.tellFound(start, { found: others, words });
    const toldOf = ({ identifier }: FoundIn): ToldFolder | undefined => told.get(formatIdentifier(identifier));
    const listed = finds.filter((found) => toldOf(found)?.metadata === undefined);
    const folders = new Map((await this.#admitFinds(start, listed, search)).map((one) => [one.found, one]));
    const match = async (found: FoundIn) => {
      const matched = await ifAnswering(
        this.#matchFind(start, { found, ...folders.get(found) }, toldOf(found), search),
      );
      if (matched === 'no-answer') search.isComplete = false;
      return matched === undefined || matched === 'no-answer' ? pMapSkip : matched;
    };
    search.matched.push(...(await pMap(finds, match, bounded)));
    for (const found of finds) {
      if (search.isOver()) return;
      const one = toldOf(found);
      const isTold = one !== undefined && isWholeIn(one, found);
      // What is told is listed for its labels and chapters alone, and not before its turn.
      const needsList = one?.metadata !== undefined && !isTold;
      const admitted = needsList ? (await this.#admitFinds(start, [found], search))[0] : folders.get(found);
      const taking = isTold ? this.#takeTold(found, one, search) : admitted && this.#takeImages(admitted, search);
      if ((await ifAnswering(Promise.resolve(taking))) === 'no-answer') search.isComplete = false;
    }
  }

  /** Those of some finds that the caller may see, and that were not searched before. */
  async #admitFinds(start: AnyFolder, finds: readonly FoundIn[], search: Search): Promise<readonly AdmittedFinds[]> {
    const admit = async (found: FoundIn): Promise<AdmittedFinds | typeof pMapSkip> => {
      const folder = await ifAnswering(this.#admitFind(start, found, search));
      if (folder === 'no-answer') search.isComplete = false;
      return folder === undefined || folder === 'no-answer' ? pMapSkip : { folder, found };
    };
    return (await pMap(finds, admit, bounded)).filter(
      ({ folder, found }) => isFolder(start, found) || visit(folder, search),
    );
  }

  async #matchFind(
    start: AnyFolder,
    { found, folder }: { readonly found: FoundIn; readonly folder?: AnyFolder },
    told: ToldFolder | undefined,
    search: Search,
  ): Promise<Match | undefined> {
    if (!found.isItself || folder === start) return undefined;
    const { cover, metadata } = told ?? {};
    if (cover !== undefined && metadata !== undefined)
      return this.#matchTexts(found.identifier, metadata, () => cover, search);
    return folder && this.#matchFolder(folder, search, cover);
  }

  /** The images that are found in a folder whose metadata names none. */
  async #takeTold({ identifier, images }: FoundIn, told: ToldFolder, search: Search): Promise<void> {
    if (images.length === 0) return;
    const { parent = identifier } = splitLast(identifier);
    const around = await this.#titlesDownTo(parent, search);
    search.matched.push(...(await toldImages(identifier, images, told, { around, search })));
  }

  async #admitFind(start: AnyFolder, found: FoundIn, { caller }: Search): Promise<AnyFolder | undefined> {
    if (isFolder(start, found)) return start;
    return ifAdmitted(this.#admission.admitAnyFolder(formatIdentifier(found.identifier), caller));
  }

  /** A folder that was found may have been so by the labels of its images, or by chapters. */
  async #takeImages({ folder, found }: AdmittedFinds, search: Search): Promise<void> {
    if (isLongFolder(folder)) return this.#searchNames(folder, found.images, {}, search);
    if (found.isItself) return this.#searchImages(folder, search);
    return this.#searchNames(folder, found.images, await this.#metadata.metadataOf(folder.identifier), search);
  }

  async #searchBelow(start: AnyFolder, search: Search): Promise<void> {
    visit(start, search);
    let level = await this.#searchInside(start, search);
    while (level.length > 0) {
      const next: Identifier[] = [];
      for (let from = 0; from < level.length; from += foldersAtOnce) {
        if (search.isOver()) return;
        for (const below of await this.#searchFolders(level.slice(from, from + foldersAtOnce), search))
          next.push(below);
      }
      level = next;
    }
  }
}

/** The result of work, or undefined where it takes longer, as on a disk that hangs. */
async function withDeadline<T>(ms: number, work: () => Promise<T>): Promise<T | undefined> {
  const timer = new AbortController();
  try {
    return await Promise.race([work(), setTimeout(ms, undefined, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}
