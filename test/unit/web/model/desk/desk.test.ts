import { describe, expect, it } from 'vitest';
import {
  collectionsOf,
  findNotes,
  joinEntry,
  keptAt,
  notesOnPage,
  readBackup,
  readKept,
  readRecent,
  withBook,
} from '../../../../../web/src/model/desk/desk.ts';
import { readNotes } from '../../../../../web/src/model/notes/own-notes.ts';

const page = { path: 'herbal/p1.jpg', label: '1r', folder: 'herbal', title: 'Herbarium' };
const book = (folder: string, time: number) => ({ ...page, folder, at: 3, total: 9, time });
const kept = (id: string, more: object = {}) => ({
  ...page,
  id,
  address: 'view/herbal/p1.jpg',
  region: null,
  collection: '',
  note: '',
  time: 1,
  ...more,
});
const detail = { x: 0.1, y: 0.2, width: 0.3, height: 0.4 };

describe('the books of the desk', () => {
  it('are there once each, the last one first', () =>
    expect(withBook([book('b', 2), book('a', 1)], book('a', 3)).map(({ folder, time }) => [folder, time])).toEqual([
      ['a', 3],
      ['b', 2],
    ]));

  it('are no more than a hundred', () => {
    const many = Array.from({ length: 100 }, (_, at) => book(`b${at}`, at));
    expect(withBook(many, book('new', 1000))).toHaveLength(100);
  });

  it.each([[undefined], ['text'], [[{ path: 'a' }]], [[{ ...book('a', 1), at: 'three' }]]])('leave out %j', (value) =>
    expect(readRecent(value)).toEqual([]),
  );
});

describe('what is kept', () => {
  it.each(['https://elsewhere.example/', '//elsewhere.example/view/', 'javascript:alert(1)', ''])(
    'never leads to %j',
    (address) => expect(readKept([kept('1', { address })])).toEqual([]),
  );

  it('is found by page and detail', () => {
    const list = readKept([kept('page'), kept('detail', { region: detail })]);
    expect(keptAt(list, page.path, null)?.id).toBe('page');
    expect(keptAt(list, page.path, { ...detail, x: 0.1001 })?.id).toBe('detail');
    expect(keptAt(list, page.path, { ...detail, x: 0.2 })).toBeUndefined();
  });

  it('has the names of its collections in order', () =>
    expect(
      collectionsOf(readKept(['Roots', '', 'Flowers', 'Roots'].map((collection, at) => kept(`${at}`, { collection })))),
    ).toEqual(['Flowers', 'Roots']));
});

describe('the notes of all images', () => {
  const notes = notesOnPage(
    page,
    readNotes({
      marks: [{ x: 0.5, y: 0.5, text: 'Mandragöra root', tags: ['plant'] }],
      rectangles: [{ ...detail, text: 'A red initial' }],
      measures: [
        {
          kind: 'line',
          points: [
            { x: 0.1, y: 0.1 },
            { x: 0.2, y: 0.2 },
          ],
        },
      ],
    }),
  );

  it('picture what is around them', () =>
    expect(notes.map(({ kind, region }) => [kind, Number(region.width.toFixed(6))])).toEqual([
      ['mark', 0.2],
      ['region', 0.3],
      ['measure', 0.2],
    ]));

  it.each([
    ['', undefined, 3],
    ['mandragora', undefined, 1],
    ['ROOT plant', undefined, 1],
    ['root red', undefined, 0],
    ['herbarium', undefined, 3],
    ['', 'herbal', 3],
    ['', 'other', 0],
  ])('with the words %j in the book %s are %i', (query, folder, count) =>
    expect(findNotes(notes, query, folder)).toHaveLength(count),
  );
});

describe('a backup', () => {
  it.each([[undefined], [{}], [{ type: 'other', entries: {} }], [{ type: 'lectern-desk', entries: 3 }]])(
    'is not %j',
    (json) => expect(readBackup(json)).toBeUndefined(),
  );

  it('adds notes, and replaces none', () => {
    const joined = readNotes(
      joinEntry(
        'notes:a.jpg',
        { marks: [{ x: 0.1, y: 0.1, text: 'mine' }], scale: { x: 1, y: 1 } },
        {
          marks: [
            { x: 0.1, y: 0.1, text: 'mine' },
            { x: 0.2, y: 0.2, text: 'other' },
          ],
          scale: { x: 9, y: 9 },
        },
      ),
    );
    expect(joined.marks.map(({ text }) => text)).toEqual(['mine', 'other']);
    expect(joined.scale).toEqual({ x: 1, y: 1 });
  });

  it('adds bookmarks by their ids, and takes of a book the later page', () => {
    expect(
      readKept(joinEntry('desk:kept', [kept('1', { note: 'mine' })], [kept('1'), kept('2')])).map(({ id, note }) => [
        id,
        note,
      ]),
    ).toEqual([
      ['1', 'mine'],
      ['2', ''],
    ]);
    const recent = readRecent(joinEntry('desk:recent', [book('a', 1), book('b', 5)], [book('a', 7)]));
    expect(recent.map(({ folder, time }) => [folder, time])).toEqual([
      ['a', 7],
      ['b', 5],
    ]);
  });

  it('changes nothing else', () => expect(joinEntry('theme', 'light', 'dark')).toBeUndefined());
});
