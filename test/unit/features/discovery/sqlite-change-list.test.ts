/** The list of changes: in order, paged, bounded, told incrementally after 10,000 changes, and whole after a restart. */
import { copyFileSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { SeenManifest } from '../../../../src/core/storage/change-list.ts';
import { changesPath, collectionDocument, pageDocument } from '../../../../src/features/discovery/activities.ts';
import { Changes } from '../../../../src/features/discovery/changes.ts';
import { SqliteChangeList } from '../../../../src/features/discovery/sqlite-change-list.ts';
import { type Activity, collectionAt, faultsOf, harvest, pagesOf, type Read } from '../../../harvester.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-changes-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const base = 'https://library.example/';
const pageSize = 1000;
let count = 0;
let file = '';
let nowMs = 0;
beforeEach(() => {
  file = path.join(scratch, `${count++}`, 'changes.sqlite');
  nowMs = Date.UTC(2026, 10, 1);
});

const open = (maxBytes = 2 ** 30): SqliteChangeList =>
  new SqliteChangeList({ file, maxBytes, pageSize, now: () => nowMs });

const book = (number: number, version = 'v1'): SeenManifest => ({ path: `books/${number}`, version, changedMs: 1000 });
const books = (length: number, version?: string): SeenManifest[] =>
  Array.from({ length }, (_, index) => book(index, version));

/** A walk of the library that sees these. */
async function walk(list: SqliteChangeList, seen: readonly SeenManifest[], sawAll = true): Promise<void> {
  nowMs += 60_000;
  await list.begin();
  for (let from = 0; from < seen.length; from += 100) await list.note(seen.slice(from, from + 100));
  await list.end(sawAll);
}

const places = { base, iiifSlash: '!', dataSetAddress: undefined };

/** Answers as the addresses do. */
const readerOf =
  (list: SqliteChangeList): Read =>
  async (address) => {
    const name = address.slice(base.length);
    if (name === changesPath) return collectionDocument(await list.state(), places);
    const number = Number(/page-(\d+)/.exec(name)?.[1]);
    const page = await list.page(number);
    if (page === undefined) throw new Error(`there is no ${address}`);
    return pageDocument(number, page, places, () => true);
  };

const address = base + changesPath;
const idOf = (number: number): string => `${base}presentation/3/books/${number}/manifest.json`;
const kindsOf = (activities: readonly Activity[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...new Set(activities.map(({ type }) => type))].map((kind) => [
      kind,
      activities.filter((one) => one.type === kind).length,
    ]),
  );

async function activitiesOf(list: SqliteChangeList): Promise<readonly Activity[]> {
  const read = readerOf(list);
  return (await pagesOf(await collectionAt(address, read), read)).flatMap(({ orderedItems }) => orderedItems);
}

describe('a list of 10,000 manifests', () => {
  it('is read in pages, and again by what has changed alone', async () => {
    const list = open();
    const read = readerOf(list);
    await walk(list, books(10_000));
    const first = await harvest(address, read, { manifests: new Set(), sinceMs: undefined });
    expect([first.manifests.size, first.pagesRead]).toEqual([10_000, 11]);
    const sinceMs = nowMs + 1;

    // Nothing happens: one page tells it.
    await walk(list, books(10_000));
    const idle = await harvest(address, read, { manifests: first.manifests, sinceMs });
    expect([idle.processed.length, idle.pagesRead]).toEqual([0, 1]);

    // Some are changed, some are gone, and some are new.
    const seen = [...books(10_000).slice(0, 9990), ...Array.from({ length: 5 }, (_, index) => book(10_000 + index))];
    await walk(
      list,
      seen.map((one, index) => (index % 100 === 0 ? { ...one, version: 'v2' } : one)),
    );
    const second = await harvest(address, read, { manifests: first.manifests, sinceMs });
    expect(second.pagesRead).toBe(2);
    expect(kindsOf(second.processed)).toEqual({ Update: 100, Delete: 10, Create: 5 });
    const numbers = [...Array(9990).keys(), 10_000, 10_001, 10_002, 10_003, 10_004];
    expect(second.manifests).toEqual(new Set(numbers.map(idOf)));

    // 10,000 changes later.
    await walk(list, books(10_000, 'v3'));
    const third = await harvest(address, read, { manifests: second.manifests, sinceMs: nowMs });
    expect(kindsOf(third.processed)).toEqual({ Create: 10, Update: 9990, Delete: 5 });
    expect(third.manifests).toEqual(new Set(books(10_000).map((_, index) => idOf(index))));
    // Whoever comes anew reads each once.
    const anew = await harvest(address, read, { manifests: new Set(), sinceMs: undefined });
    expect(anew.manifests).toEqual(third.manifests);
    expect((await list.state()).total).toBe(1 + 10_005);
    await list.close();
  });
});

describe('the pages', () => {
  it('are in the order of their times, none of them empty, and keep their numbers', async () => {
    const list = open();
    await walk(list, books(2500));
    expect((await list.state()).first).toBe(0);
    // All of the second page move to the end.
    await walk(
      list,
      books(2500).map((one, index) => (index >= 999 && index < 1999 ? { ...one, version: 'v2' } : one)),
    );
    expect(await list.page(1)).toBeUndefined();
    expect(await list.page(0)).toMatchObject({ before: undefined, after: 2 });
    expect(await list.page(2)).toMatchObject({ before: 0, after: 3 });
    const times = (await activitiesOf(list)).map(({ endTime, startTime }) => endTime ?? startTime ?? '');
    expect(times).toEqual([...times].sort());
    await list.close();
  });

  it('begin with a refresh, also of a library without manifests', async () => {
    const list = open();
    await walk(list, []);
    expect(await activitiesOf(list)).toEqual([{ type: 'Refresh', startTime: '2026-11-01T00:00:00.000Z' }]);
    await list.close();
  });

  it('are in order also where the clock was set back', async () => {
    const list = open();
    await walk(list, [book(1)]);
    nowMs -= 3_600_000;
    await walk(list, [book(1), book(2)]);
    const [, one, two] = await activitiesOf(list);
    expect(two?.endTime).toBe(one?.endTime);
    await list.close();
  });
});

describe('a walk', () => {
  it('deletes nothing where it could not see all', async () => {
    const list = open();
    await walk(list, books(3));
    await walk(list, [book(0)], false);
    expect(kindsOf(await activitiesOf(list))).toEqual({ Refresh: 1, Create: 3 });
    await list.close();
  });

  it('leaves a manifest as it is that can’t be read now, and lists none that could never be read', async () => {
    const list = open();
    await walk(list, [book(0)]);
    await walk(list, [
      { ...book(0), version: undefined },
      { ...book(1), version: undefined },
    ]);
    expect(kindsOf(await activitiesOf(list))).toEqual({ Refresh: 1, Create: 1 });
    await list.close();
  });

  it('that ends early changes nothing of what it has not seen; the next one goes on', async () => {
    const list = open();
    await walk(list, books(3));
    await list.begin();
    await list.note([book(0, 'v2')]);
    await walk(list, [book(0, 'v2'), book(1)]);
    expect(kindsOf(await activitiesOf(list))).toEqual({ Refresh: 1, Create: 1, Update: 1, Delete: 1 });
    await list.close();
  });

  it('creates again what was deleted', async () => {
    const list = open();
    await walk(list, [book(0)]);
    await walk(list, []);
    await walk(list, [book(0)]);
    const [, only, ...others] = await activitiesOf(list);
    expect([only?.type, only?.object?.id, others]).toEqual(['Create', idOf(0), []]);
    await list.close();
  });

  it('of another server with the same file is taken together with it', async () => {
    const [one, other] = [open(), open()];
    await one.begin();
    await other.begin();
    await one.note(books(2));
    await other.note(books(2, 'v2'));
    await one.end(true);
    await other.end(true);
    expect(kindsOf(await activitiesOf(one))).toEqual({ Refresh: 1, Update: 2 });
    await one.close();
    await other.close();
  });
});

describe('the file', () => {
  it('has the list after a restart', async () => {
    const list = open();
    await walk(list, books(3));
    const before = await activitiesOf(list);
    await list.close();
    const again = open();
    expect((await again.state()).isWhole).toBe(true);
    expect(await activitiesOf(again)).toEqual(before);
    await again.close();
  });

  it.each([
    ['no database', () => writeFileSync(file, 'no database '.repeat(1000))],
    ['cut short', () => truncateSync(file, Math.floor(statSync(file).size / 8192) * 4096)],
  ])('is made anew, with a refresh, where it is %s', async (_name, damage) => {
    const list = open();
    await walk(list, books(3000));
    await list.close();
    // Another file, as after a restart: this process has the first one open until its memory is collected.
    const copy = path.join(scratch, `${count++}.sqlite`);
    copyFileSync(file, copy);
    file = copy;
    damage();
    const faults: string[] = [];
    const changes = new Changes({
      open: async () => open(),
      refreshMs: 60_000,
      now: () => nowMs,
      onFault: (message) => void faults.push(message),
    });
    const all = async function* (): AsyncGenerator<SeenManifest> {
      yield* books(3000);
    };
    changes.use({ all, isOpen: () => true });
    // What is damaged is found where it is read; the next walk is of a new list.
    await changes.walk();
    await changes.walk();
    await changes.close();
    expect(faults.length).toBeLessThan(2);
    const again = open();
    expect(kindsOf(await activitiesOf(again))).toEqual({ Refresh: 1, Create: 3000 });
    await again.close();
  });

  it('takes nothing new where it is full, and still what has changed', async () => {
    const list = open(2 ** 20);
    let refused = 0;
    for (let seen = 0; refused === 0; seen += 100)
      refused += (await list.note(books(100).map((one) => ({ ...one, path: `${one.path}-${seen}` })))).refused;
    expect(statSync(file).size).toBeLessThan(1.2 * 2 ** 20);
    expect(await list.note([{ ...book(0), path: 'books/0-0', version: 'v2' }])).toMatchObject({
      update: 1,
      refused: 0,
    });
    await list.close();
  });
});

/** Documents as in the specification (sections 2 and 3), with what each shows. */
describe('the schemas', () => {
  const context = 'http://iiif.io/api/discovery/1/context.json';
  const object = { id: 'https://example.org/iiif/1/manifest', type: 'Manifest' };
  const endTime = '2017-09-20T00:00:00Z';
  const page = {
    '@context': context,
    id: 'https://example.org/activity/page-1',
    type: 'OrderedCollectionPage',
    startIndex: 20,
    partOf: { id: 'https://example.org/activity/all-changes', type: 'OrderedCollection' },
    prev: { id: 'https://example.org/activity/page-0', type: 'OrderedCollectionPage' },
    orderedItems: [{ type: 'Update', object, endTime }],
  };
  const collection = {
    '@context': context,
    id: 'https://example.org/activity/all-changes',
    type: 'OrderedCollection',
    totalItems: 21_456,
    last: { id: 'https://example.org/activity/page-214', type: 'OrderedCollectionPage' },
  };

  it.each([
    ['ChangeActivity', { type: 'Update', object }],
    ['ChangeActivity', { type: 'Create', object, endTime }],
    ['ChangeActivity', { type: 'Move', object, target: { ...object, id: 'https://example.org/a' }, endTime }],
    ['ChangeActivity', { type: 'Refresh', summary: 'System refresh initiated', startTime: '2020-06-21T00:00:00Z' }],
    ['ChangePage', page],
    ['ChangePage', { ...page, '@context': ['http://example.org/extension/context.json', context] }],
    ['ChangeCollection', collection],
  ] as const)('take what the specification shows: %s %#', (name, document) =>
    expect(faultsOf(name, document)).toEqual([]),
  );

  it.each([
    ['ChangeActivity', { object, endTime }],
    ['ChangeActivity', { type: 'Update', endTime }],
    ['ChangeActivity', { type: 'Update', object: { id: 'urn:x', type: 'Manifest' } }],
    ['ChangeActivity', { type: 'Update', object, endTime: '2017-09-20' }],
    ['ChangeActivity', { type: 'Update', object, endTime: '2017-09-20T00:00:00+02:00' }],
    ['ChangeActivity', { type: 'Move', object, endTime }],
    ['ChangeActivity', { type: 'Refresh', object, startTime: endTime }],
    ['ChangeActivity', { type: 'Update', object: { ...object, seeAlso: [] } }],
    ['ChangePage', { ...page, orderedItems: [] }],
    ['ChangePage', { ...page, '@context': 'http://iiif.io/api/presentation/3/context.json' }],
    ['ChangePage', { ...page, prev: 'https://example.org/activity/page-0' }],
    ['ChangeCollection', { ...collection, last: undefined }],
    ['ChangeCollection', { ...collection, totalItems: -1 }],
    ['ChangeCollection', { ...collection, type: 'Collection' }],
  ] as const)('refuse what it forbids: %s %#', (name, document) =>
    expect(faultsOf(name, JSON.parse(JSON.stringify(document)))).not.toEqual([]),
  );
});
