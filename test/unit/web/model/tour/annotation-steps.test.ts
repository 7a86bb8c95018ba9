import { describe, expect, it } from 'vitest';
import { parseTour } from '../../../../../src/core/image/tour/tour.ts';
import { tourCollection, tourPage } from '../../../../../src/core/image/tour/tour-annotations.ts';
import { annotatedSteps } from '../../../../../web/src/model/tour/annotation-steps.ts';

const tour = parseTour({
  title: 'Whole',
  steps: [
    { page: 'a', title: { en: 'One', de: 'Eins' }, text: { en: 'First.\nLine.', de: 'Erstes.' } },
    { page: 'b', text: 'Only a text' },
    { page: 'c', title: 'Only a title' },
    { page: 'd' },
  ],
});
const targets = ['a', 'b', 'c', 'd'].map((name) => ({
  canvas: `https://one.example/canvas/${name}`,
  manifest: 'https://one.example/manifest',
  size: { width: 100, height: 50 },
  part: { x: 0.5, y: 0, width: 0.5, height: 1 },
  address: `https://one.example/view/${name}`,
}));
const addresses = { page: 'https://one.example/page', collection: 'https://one.example/collection' };

describe('annotations of guided views', () => {
  it.each([
    ['page', tourPage],
    ['collection', tourCollection],
  ])('are read as they were written: a %s', (_name, write) => {
    if (tour === undefined) throw new Error('no tour');
    const read = annotatedSteps(JSON.parse(JSON.stringify(write(tour, targets, addresses))));
    expect(read.map(({ title, text }) => ({ title, text }))).toEqual(
      tour.steps.map(({ title, text }) => ({ title, text })),
    );
    expect(read.map(({ canvas, manifest, via }) => [canvas, manifest, via])).toEqual(
      targets.map(({ canvas, manifest, address }) => [canvas, manifest, address]),
    );
  });
});

describe('annotations of others', () => {
  it.each([
    [
      'a target with a fragment',
      { target: 'https://x.example/c#xywh=1,2,3,4', body: { value: 'text' } },
      'https://x.example/c',
      { none: ['text'] },
    ],
    [
      'HTML',
      { target: 'c', body: { type: 'TextualBody', format: 'text/html', value: '<p>a <b>b</b></p>' } },
      'c',
      { none: ['a b'] },
    ],
    [
      'Open Annotation',
      { on: { full: 'c', selector: {} }, resource: { '@type': 'dctypes:Text', chars: 'old' } },
      'c',
      { none: ['old'] },
    ],
    ['a language', { target: { source: { id: 'c' } }, body: [{ value: 'ja', language: 'de' }] }, 'c', { de: ['ja'] }],
    ['a tag alone', { target: 'c', body: [{ value: 'tag', purpose: 'tagging' }] }, 'c', {}],
    ['a short body', { target: 'c', bodyValue: 'short' }, 'c', { none: ['short'] }],
  ])('are steps: %s', (_name, annotation, canvas, text) => {
    expect(annotatedSteps({ items: [{ type: 'Annotation', ...annotation }] })).toMatchObject([{ canvas, text }]);
  });

  it('are none where they paint the canvas, or where there are none', () => {
    expect(annotatedSteps({ items: [{ motivation: 'painting', body: {}, target: 'c' }] })).toEqual([]);
    for (const json of [undefined, null, 7, 'text', {}, []]) expect(annotatedSteps(json)).toEqual([]);
  });
});
