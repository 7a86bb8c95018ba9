/** The order of folders and the choice among them: dates as they are written, and what a wish makes of a list. */
import { describe, expect, it } from 'vitest';
import {
  arranged,
  type FolderFacts,
  facetsOf,
  folderFactsOf,
  yearsOf,
} from '../../../../../src/core/image/folder/folder-facets.ts';
import { parseWish, wishPairs } from '../../../../../src/core/image/folder/folder-wish.ts';

describe('the years of a date', () => {
  it.each([
    ['1605', 1605, 1605],
    ['um 1480', 1480, 1480],
    ['[ca. 1450–1475]', 1450, 1475],
    ['1450-75', 1450, 1475],
    ['1490/91', 1490, 1491],
    ['12 March 1798', 1798, 1798],
    ['1605-03-12', 1605, 1605],
    ['vor 950', 950, 950],
    ['15. Jh.', 1401, 1500],
    ['2. Hälfte 15. Jahrhundert', 1401, 1500],
    ['15th century', 1401, 1500],
    ['XVe siècle', 1401, 1500],
    ['s. XII', 1101, 1200],
    ['XIV. Jh.', 1301, 1400],
  ])('%j', (date, from, to) => expect(yearsOf(date)).toEqual({ from, to }));

  it.each(['', 'undated', 'n. d.', '12', '99999', 'ex libris'])('%j has none', (date) =>
    expect(yearsOf(date)).toBeUndefined(),
  );
});

const none = (text: string) => ({ none: [text] });
const pair = (label: string, ...value: readonly string[]) => ({ label: none(label), value: { none: value } });

it('are read from the pairs of metadata, in any of their languages', () => {
  const metadata = {
    metadata: [
      pair('Verfasserin', 'Merian, Maria', 'Anon.'),
      pair('Datum', '1679'),
      pair('Sprachen', 'Latein, Deutsch'),
    ],
  };
  expect(folderFactsOf(metadata, 'Raupen', ['de'])).toEqual({
    title: 'Raupen',
    authors: ['Merian, Maria', 'Anon.'],
    languages: ['Latein', 'Deutsch'],
    years: { from: 1679, to: 1679 },
  });
});

const book = (title: string, author?: string, language?: string, year?: number): FolderFacts => ({
  title,
  authors: author === undefined ? [] : [author],
  languages: language === undefined ? [] : [language],
  years: year === undefined ? undefined : { from: year, to: year },
});

const books = [
  book('Zoo', 'Brunfels', 'Latin', 1530),
  book('Über', 'Fuchs', 'German', 1543),
  book('Arbor', undefined, undefined, undefined),
  book('Book 10', 'Bock', 'German', 1539),
  book('Book 9', 'brunfels', 'Latin', 1532),
];

const titles = (wish: Parameters<typeof arranged>[2]): readonly string[] =>
  arranged(books, (one) => one, wish, ['de']).map(({ title }) => title);

describe('folders', () => {
  it.each([
    [{ order: 'date' }, ['Zoo', 'Book 9', 'Book 10', 'Über', 'Arbor']],
    [{ order: 'date-down' }, ['Über', 'Book 10', 'Book 9', 'Zoo', 'Arbor']],
    [{ order: 'title' }, ['Arbor', 'Book 9', 'Book 10', 'Über', 'Zoo']],
    [{ order: 'author' }, ['Book 10', 'Zoo', 'Book 9', 'Über', 'Arbor']],
    [{ order: 'language' }, ['Über', 'Book 10', 'Zoo', 'Book 9', 'Arbor']],
    [{ author: 'BRUNFELS' }, ['Zoo', 'Book 9']],
    [{ language: 'German', order: 'date' }, ['Book 10', 'Über']],
    [{ after: 1532, before: 1539 }, ['Book 10', 'Book 9']],
    [{ before: 1531 }, ['Zoo']],
    [{ author: 'nobody' }, []],
  ] as const)('%j', (wish, expected) => expect(titles(wish)).toEqual(expected));

  it('tell what can be chosen', () => {
    expect(facetsOf(books)).toEqual({
      authors: [
        { value: 'Brunfels', count: 2 },
        { value: 'Fuchs', count: 1 },
        { value: 'Bock', count: 1 },
      ],
      languages: [
        { value: 'Latin', count: 2 },
        { value: 'German', count: 2 },
      ],
      years: { from: 1530, to: 1543 },
    });
    expect(facetsOf([])).toEqual({ authors: [], languages: [], years: null });
  });

  it('are ordered also for readers whose languages are no tags', () => {
    expect(arranged(books, (one) => one, { order: 'title' }, ['no tag', 'x'.repeat(99)])).toHaveLength(5);
  });
});

describe('a wish in an address', () => {
  const parse = (query: string) => {
    const values = new URLSearchParams(query);
    return parseWish((name) => values.get(name));
  };

  it.each(['order=date&author=Bock&language=German&after=1500&before=1600', 'order=date-down', 'after=900'])(
    '%s is read and written',
    (query) => {
      const written = new URLSearchParams(wishPairs(parse(query)).map(([name, value]) => [name, value]));
      expect(written.toString()).toBe(query);
    },
  );

  it.each(['', 'order=size', 'after=x', 'author=', 'q=word&lang=de'])('%j says none', (query) =>
    expect(parse(query)).toBeUndefined(),
  );
});
