import { describe, expect, it } from 'vitest';
import type { Tour } from '../../../../../src/core/image/tour/tour.ts';
import { joinEntry } from '../../../../../web/src/model/desk/desk.ts';
import {
  emptyTour,
  languagesOf,
  readDrafts,
  storedDrafts,
  textIn,
  withMovedStep,
  withoutStep,
  withStep,
  withText,
} from '../../../../../web/src/model/tour/draft.ts';

const step = (page: string, title: string) => ({ page, view: '', title: { none: [title] }, text: {} });
const tour: Tour = {
  title: { en: ['Title'] },
  summary: {},
  steps: [step('book/a.jpg', 'one'), step('book/b.jpg', 'two'), step('maps/c.tif', 'three')],
};
const titles = ({ steps }: Tour): readonly unknown[] => steps.map(({ title }) => title['none']?.[0]);

describe('guided views in the making', () => {
  it.each([
    [0, 1, ['two', 'one', 'three']],
    [2, -1, ['one', 'three', 'two']],
    [0, -1, ['one', 'two', 'three']],
    [2, 1, ['one', 'two', 'three']],
  ] as const)('have step %j moved by %j', (at, by, order) =>
    expect(titles(withMovedStep(tour, at, by))).toEqual(order),
  );

  it('have steps changed and deleted', () => {
    expect(titles(withoutStep(tour, 1))).toEqual(['one', 'three']);
    expect(titles(withStep(tour, 1, { title: { none: ['new'] } }))).toEqual(['one', 'new', 'three']);
  });

  it('have a text in each language, and none where nothing is written', () => {
    const both = withText(withText({}, 'en', 'Day'), 'de', 'Tag ');
    expect(both).toEqual({ en: ['Day'], de: ['Tag '] });
    expect(textIn(both, 'de')).toBe('Tag ');
    expect(withText(both, 'en', '  ')).toEqual({ de: ['Tag '] });
    expect(languagesOf(tour)).toEqual(['en', 'none']);
  });

  it('are stored and read, also without steps', () => {
    const drafts = [
      { id: 'x', tour },
      { id: 'y', tour: { ...emptyTour, title: { none: ['Begun'] } } },
    ];
    expect(readDrafts(JSON.parse(JSON.stringify(storedDrafts(drafts))))).toEqual(drafts);
    for (const other of [undefined, 'x', [{}], [1], [{ tour: {} }]]) expect(readDrafts(other)).toEqual([]);
  });

  it('come back from a backup beside those that are there', () => {
    const [one, other] = [
      storedDrafts([{ id: 'x', tour }]),
      storedDrafts([
        { id: 'x', tour: emptyTour },
        { id: 'z', tour },
      ]),
    ];
    expect(
      readDrafts(joinEntry('desk:tours', one, other)).map(({ id, tour: { steps } }) => [id, steps.length]),
    ).toEqual([
      ['x', 3],
      ['z', 3],
    ]);
  });
});
