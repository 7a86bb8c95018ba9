import { describe, expect, it } from 'vitest';
import { formatTour, parseTour, partOfView, type Tour, tourLimits } from '../../../../../src/core/image/tour/tour.ts';

const tour: Tour = {
  title: { none: ['Wonders'] },
  summary: { en: ['A summary'], de: ['Ein Überblick'] },
  steps: [
    { page: 'herbal/page-001.jpg', view: 'wx=0.1&ww=0.5', title: { none: ['One'] }, text: { none: ['a\nb'] } },
    { page: 'herbal/page-002.jpg', view: '', title: {}, text: {} },
    { page: 'maps/world.jpg', view: '', title: {}, text: { en: ['else'] } },
    { page: '//manifest/https%3A%2F%2Fone.example%2Fm/https%3A%2F%2Fone.example%2Fc', view: '', title: {}, text: {} },
  ],
};

describe('guided views in a file', () => {
  it('name pages beside the file by their names, and are read back as they were', () => {
    const written = formatTour(tour);
    expect(written).toMatchObject({
      folder: 'herbal',
      title: 'Wonders',
      steps: [
        { page: 'page-001.jpg' },
        { page: 'page-002.jpg' },
        { page: '/maps/world.jpg' },
        tour.steps[3]?.page ? {} : {},
      ],
    });
    expect(parseTour(JSON.parse(JSON.stringify(written)))).toEqual(tour);
  });

  it('are read in the folder where the file lies, whichever it names', () => {
    const moved = parseTour(formatTour(tour), 'moved');
    expect(moved?.steps.map(({ page }) => page.split('/').slice(0, -1).join('/'))).toEqual([
      'moved',
      'moved',
      'maps',
      expect.stringContaining('//manifest'),
    ]);
    expect(parseTour({ steps: [{ page: 'a.jpg' }] }, '')?.steps[0]?.page).toBe('a.jpg');
  });

  it.each([
    undefined,
    null,
    1,
    'text',
    [],
    {},
    { steps: 'x' },
    { steps: [] },
    { steps: [{}, 1, { page: 7 }, { page: ' ' }] },
  ])('are none where nothing is a step: %j', (json) => expect(parseTour(json)).toBeUndefined());

  it('keep to bounds, and skip what is malformed', () => {
    const long = 'x'.repeat(100_000);
    const steps = Array.from({ length: 1000 }, () => ({
      page: 'a',
      title: long,
      text: { '<b>': 'no', de: [1, 'ja'] },
      view: long,
    }));
    const read = parseTour({ steps });
    expect(read?.steps).toHaveLength(tourLimits.steps);
    expect(read?.steps[0]).toEqual({
      page: 'a',
      view: '',
      title: { none: ['x'.repeat(tourLimits.title)] },
      text: { de: ['ja'] },
    });
  });
});

it.each([
  ['', undefined],
  ['rot=90', undefined],
  ['wx=0.5', { x: 0.5, y: 0, width: 0.5, height: 1 }],
  ['wx=0.25&wy=0.5&ww=0.5&wh=0.25', { x: 0.25, y: 0.5, width: 0.5, height: 0.25 }],
  ['wx=-0.5&ww=1', { x: 0, y: 0, width: 0.5, height: 1 }],
  ['wx=0.5&mo=clip', undefined],
  ['wx=2&ww=1', undefined],
  ['wx=nan', undefined],
])('the part that the view %j shows', (view, part) => expect(partOfView(view)).toEqual(part));
