import { describe, expect, it } from 'vitest';
import { chapterAfter } from '../../../../../web/src/model/contents/chapter-steps.ts';
import { chapterAt, chaptersInOrder } from '../../../../../web/src/model/contents/chapters.ts';
import type { Rect } from '../../../../../web/src/model/view-state.ts';

interface Entry {
  readonly label: string;
  readonly path: string;
  readonly at: number;
  readonly region?: Rect;
  readonly contents: readonly Entry[];
}

const entry = (label: string, at: number, contents: readonly Entry[] = [], path = `book/p${at}.jpg`): Entry => ({
  label,
  path,
  at,
  contents,
});

const chapters = chaptersInOrder([
  entry('Preface', 2),
  entry('Songs', 4, [entry('First song', 4), entry('Last song', 8)]),
  entry('Colophon', 9, [], 'book/p9.tif;3'),
]);

const at = (position: number, inner = 1) => ({ at: position, inner });

describe('the chapter of a page', () => {
  it.each([
    [at(1), undefined],
    [at(2), 'Preface'],
    [at(3), 'Preface'],
    [at(4), 'First song'],
    [at(7), 'First song'],
    [at(8), 'Last song'],
    [at(9, 2), 'Last song'],
    [at(9, 3), 'Colophon'],
    [at(12), 'Colophon'],
  ])('at %j is %s', (page, label) => expect(chapterAt(chapters, page)?.entry.label).toBe(label));

  it('says what it is inside of', () => expect(chapterAt(chapters, at(5))?.way).toEqual(['Songs', 'First song']));
});

describe('a step between chapters', () => {
  it.each([
    [[at(1)], 1, 'Preface'],
    [[at(2)], 1, 'Songs'],
    [[at(4)], 1, 'Last song'],
    [[at(2), at(3)], 1, 'Songs'],
    [[at(3), at(4)], 1, 'Last song'],
    [[at(9)], 1, 'Colophon'],
    [[at(10)], 1, undefined],
    [[at(2)], -1, undefined],
    [[at(3)], -1, 'Preface'],
    [[at(4)], -1, 'Preface'],
    [[at(6)], -1, 'Songs'],
    [[at(4), at(5)], -1, 'Preface'],
    [[at(12)], -1, 'Colophon'],
    [[], 1, undefined],
  ] as const)('from %j by %d leads to %s', (shown, by, label) =>
    expect(chapterAfter(chapters, shown, by)?.entry.label).toBe(label),
  );
});

describe('chapters that are parts of a page', () => {
  const part = (label: string, page: number, y: number): Entry => ({
    ...entry(label, page),
    region: { x: 0, y, width: 1, height: 0.3 },
  });
  const news = chaptersInOrder([part('Weather', 1, 0), part('Harvest', 1, 0.3), part('Ships', 2, 0.6)]);
  const seen = (y: number): Rect => ({ x: 0.1, y, width: 0.8, height: 0.2 });

  it.each([
    [0.05, 'Weather'],
    [0.35, 'Harvest'],
  ])('are told apart by what is seen at %d', (y, label) =>
    expect(chapterAt(news, at(1), seen(y))?.entry.label).toBe(label),
  );

  it.each([
    [undefined, 1, 'Weather'],
    [seen(0.05), 1, 'Harvest'],
    [seen(0.35), 1, 'Ships'],
    [seen(0.35), -1, 'Weather'],
    [seen(0.05), -1, undefined],
  ] as const)('follow each other: from %j by %d to %s', (now, by, label) =>
    expect(chapterAfter(news, [at(1)], by, now)?.entry.label).toBe(label),
  );
});

describe('chapters of parts that go on elsewhere', () => {
  const part = (label: string, position: number, y: number, contents: readonly Entry[] = []): Entry => ({
    ...entry(label, position, contents),
    region: { x: 0, y, width: 0.5, height: 0.2 },
  });
  const articles = chaptersInOrder([
    part('News', 2, 0.5, [part('News (2)', 2, 0.1), part('News (3)', 5, 0.3)]),
    part('Tournament', 3, 0.2),
  ]);
  const step = (position: number, y: number, by: 1 | -1): string | undefined =>
    chapterAfter(articles, [at(position)], by, { x: 0, y, width: 0.5, height: 0.2 })?.entry.label;

  it('are followed from part to part, and then the next one comes', () => {
    expect([step(2, 0.5, 1), step(2, 0.1, 1), step(5, 0.3, 1), step(3, 0.2, -1)]).toEqual([
      'News (2)',
      'News (3)',
      'Tournament',
      'News (2)',
    ]);
    expect([step(5, 0.3, -1), step(2, 0.1, -1), step(2, 0.5, -1)]).toEqual(['News (2)', 'News', undefined]);
  });
});
