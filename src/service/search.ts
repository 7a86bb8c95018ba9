/** Finds folders and images by their names, level by level below a folder, within a second and without holding up others. */
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Caller } from '../access/access.ts';
import type { FoundName, SearchAnswer } from '../image/folder-page.ts';
import { childOf, formatIdentifier, type Identifier } from '../image/identifier.ts';
import type { Admitted } from '../image/image-set.ts';
import { nameMatcher } from '../image/name-match.ts';
import type { Folder } from '../library/library.ts';
import { type Admission, ifAdmitted } from './admit.ts';
import { type FolderCards, titleOf } from './folder-cards.ts';
import { mapBounded } from './map-bounded.ts';
import type { FolderMetadataSource } from './present.ts';

export interface AskedSearch {
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
/** So many names are looked at before others have their turn: it takes a few milliseconds. */
const namesAtOnce = 5000;
/** So many folders are looked into at once. */
const foldersAtOnce = 32;

type Matches = (name: string) => boolean;

/** A search under way. */
interface Search extends Pick<AskedSearch, 'languages'> {
  readonly caller: Caller;
  readonly matches: Matches;
  readonly found: FoundName[];
  /** Every place of the folders that were looked into: a link may lead back to one. */
  readonly seen: Set<string>;
  readonly isOver: () => boolean;
}

/** The names that match. Fewer where the search is over meanwhile. */
async function matching(names: readonly string[], { matches, isOver }: Search): Promise<readonly string[]> {
  const found: string[] = [];
  for (let from = 0; from < names.length && !isOver(); from += namesAtOnce) {
    if (from > 0) await nextTurn();
    found.push(...names.slice(from, from + namesAtOnce).filter(matches));
  }
  return found;
}

/** Whether a folder was not looked into before under another of its paths. */
function isNew({ places, identifier }: Folder, { seen }: Search): boolean {
  const paths = [identifier, ...places].map(formatIdentifier);
  const isKnown = paths.some((path) => seen.has(path));
  for (const path of paths) seen.add(path);
  return !isKnown;
}

/** Answers with what was found. Throws ImageError as admission does where the folder itself may not be seen. */
export function createSearch(parts: SearchParts): (asked: AskedSearch, caller: Caller) => Promise<SearchAnswer> {
  const { admission, metadata, cards, deadlineMs = defaultDeadlineMs } = parts;

  async function foundFolder(folder: Admitted<Folder>, search: Search): Promise<FoundName | undefined> {
    const { identifier } = folder;
    const said = await metadata.metadataOf(identifier);
    const titles = Object.values(said.label ?? {}).map((paragraphs) => paragraphs.join(' '));
    if (![identifier.segments.at(-1) ?? '', ...titles].some(search.matches)) return undefined;
    return {
      kind: 'folder',
      path: formatIdentifier(identifier),
      name: titleOf(identifier, said, search.languages),
      folder: identifier.segments.slice(0, -1).join('/'),
      cover: (await cards.coverOf(folder, search.caller)) ?? null,
    };
  }

  async function foundImages(folder: Admitted<Folder>, search: Search): Promise<void> {
    const names = await matching(folder.images, search);
    for (let from = 0; from < names.length && !search.isOver(); from += maxFound) {
      const seen = await admission.seenAmong(folder, names.slice(from, from + maxFound), search.caller);
      for (const name of seen) {
        const path = formatIdentifier(childOf(folder.identifier, name));
        search.found.push({ kind: 'image', path, name, folder: formatIdentifier(folder.identifier), cover: path });
      }
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
    const { folder } = await admission.admitPlace(path, caller);
    const matches = nameMatcher(query);
    if (matches === undefined) return { query, found: [], complete: true };
    const found: FoundName[] = [];
    const endsAt = performance.now() + deadlineMs;
    let isStopped = false;
    const isOver = (): boolean => isStopped || signal.aborted || found.length > maxFound || performance.now() > endsAt;
    const search: Search = { caller, languages, matches, found, seen: new Set(), isOver };
    const isWhole = await within(deadlineMs, async () => {
      await lookBelow(folder, search);
      return !isOver();
    });
    isStopped = true;
    return { query, found: found.slice(0, maxFound), complete: isWhole ?? false };
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
