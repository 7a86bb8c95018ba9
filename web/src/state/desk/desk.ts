/** What the reader keeps at the desk, in the browser's own storage. */
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import {
  type Backup,
  type DeskNote,
  joinEntry,
  type Kept,
  type NotedPage,
  notesOnPage,
  type RecentBook,
  readKept,
  readNotedPages,
  readRecent,
} from '../../model/desk/desk.ts';
import { isEmpty, readNotes } from '../../model/notes/own-notes.ts';
import { onStoredChange, readStored, store, storedNames, storedSignal } from '../stored-preferences.ts';

const noteNames = 'notes:';

interface StoredList<Item> {
  readonly items: Signal<readonly Item[]>;
  readonly change: (change: (before: readonly Item[]) => readonly Item[]) => void;
  readonly read: () => void;
}

/** A list that is stored with each change; other windows may have changed it before. */
function storedList<Item>(name: string, parse: (value: unknown) => readonly Item[]): StoredList<Item> {
  const items = signal(parse(readStored(name)));
  const read = (): void => {
    items.value = parse(readStored(name));
  };
  onStoredChange((changed) => {
    if (changed === name) read();
  });
  const change = (by: (before: readonly Item[]) => readonly Item[]): void => {
    items.value = by(parse(readStored(name)));
    store(name, items.value.length === 0 ? undefined : items.value);
  };
  return { items, change, read };
}

const recentList = storedList<RecentBook>('desk:recent', readRecent);
const keptList = storedList<Kept>('desk:kept', readKept);
const notedList = storedList<NotedPage>('desk:pages', readNotedPages);

/** The books that were open, the last one first. */
export const recent: ReadonlySignal<readonly RecentBook[]> = recentList.items;
/** Bookmarks and details, the last one first. */
export const kept: ReadonlySignal<readonly Kept[]> = keptList.items;

export const changeRecent = recentList.change;
export const changeKept = keptList.change;
export const changeNoted = notedList.change;

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** Whether books that are opened are remembered. */
export const remembersBooks = storedSignal<boolean>('desk:remembers', true, isBoolean);

/** The page of a path without a name: of notes that were written before names were kept. */
function unnamed(path: string): NotedPage {
  const names = path.split('/');
  const label = names.at(-1) ?? path;
  return { path, label, folder: names.slice(0, -1).join('/'), title: names.at(-2) ?? '' };
}

/** All notes in the browser, in the order of their books and pages. */
export function allNotes(): readonly DeskNote[] {
  const pages = new Map(notedList.items.value.map((page) => [page.path, page]));
  const collator = new Intl.Collator(undefined, { numeric: true });
  return storedNames()
    .filter((name) => name.startsWith(noteNames))
    .map((name) => name.slice(noteNames.length))
    .toSorted(collator.compare)
    .flatMap((path) => {
      const notes = readNotes(readStored(noteNames + path));
      return isEmpty(notes) ? [] : notesOnPage(pages.get(path) ?? unnamed(path), notes);
    });
}

const isKeptName = (name: string): boolean => name.startsWith(noteNames) || name.startsWith('desk:');

/** All that the desk has, to be saved as a file. */
export const backupNow = (): Backup => ({
  type: 'lectern-desk',
  version: 1,
  entries: Object.fromEntries(
    storedNames()
      .filter(isKeptName)
      .map((name) => [name, readStored(name)]),
  ),
});

/** Adds what a backup has, and replaces nothing. Returns whether the browser could store all of it. */
export function restore({ entries }: Backup): boolean {
  const stored = Object.entries(entries).map(([name, value]) => {
    const joined = joinEntry(name, readStored(name), value);
    return joined === undefined || store(name, joined);
  });
  for (const list of [recentList, keptList, notedList]) list.read();
  return stored.every((isStored) => isStored);
}
