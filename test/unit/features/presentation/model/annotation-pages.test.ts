import { describe, expect, it } from 'vitest';
import { keyOfPage, pageOfKey, presentationAddresses } from '../../../../../src/core/image/addresses/iiif-addresses.ts';
import { annotationsByVersion } from '../../../../../src/features/presentation/model/annotation-pages.ts';
import { canvasAnnotations } from '../../../../../src/features/presentation/model/web-annotations.ts';

const size = { width: 2000, height: 1000 };
const base = 'https://library.example/presentation/3';
const addresses = presentationAddresses(base, 'book');
const key = 'a-jpg';
const list = `${base}/book/annotations/a-jpg`;
const canvas = `${base}/book/canvas/a-jpg`;
const source = { id: canvas, type: 'Canvas', partOf: [{ id: `${base}/book/manifest.json`, type: 'Manifest' }] };

const shown = (json: unknown) => ({
  list: 'annotations' as const,
  key,
  size,
  annotations: [...canvasAnnotations(json, size)],
});
const page3 = (json: unknown) =>
  annotationsByVersion[3](shown(json), addresses) as { readonly items: readonly object[] };
const list2 = (json: unknown) =>
  annotationsByVersion[2](shown(json), addresses) as { readonly resources: readonly object[] };

const conformsTo = 'http://www.w3.org/TR/media-frags/';
const fragment = (value: string) => ({ type: 'FragmentSelector', conformsTo, value });
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0,0 L5,5 L0,5 Z"/></svg>';

describe('annotations of a file', () => {
  const web = {
    type: 'AnnotationPage',
    items: [
      {
        '@context': 'http://www.w3.org/ns/anno.jsonld',
        id: 'urn:uuid:1',
        type: 'Annotation',
        motivation: 'commenting',
        creator: 'Ada',
        body: { type: 'TextualBody', value: 'A dot', language: 'en' },
        target: 'https://other.example/canvas/1#xywh=percent:10,10,20,20',
      },
      {
        motivation: ['tagging'],
        body: [{ type: 'TextualBody', value: 'letter', purpose: 'tagging' }],
        target: {
          source: { id: 'any' },
          selector: [
            { type: 'SvgSelector', value: svg },
            { type: 'PointSelector', x: 5, y: 7 },
          ],
        },
      },
      { bodyValue: 'Of all of it', target: 'https://other.example/canvas/1' },
    ],
  };

  it('are about the canvas of our manifest, whatever they named, in its units', () => {
    expect(page3(web)).toEqual({
      '@context': 'http://iiif.io/api/presentation/3/context.json',
      id: list,
      type: 'AnnotationPage',
      label: { en: ['Annotations'], de: ['Anmerkungen'], fr: ['Annotations'] },
      items: [
        {
          id: 'urn:uuid:1',
          type: 'Annotation',
          motivation: 'commenting',
          creator: 'Ada',
          body: { type: 'TextualBody', value: 'A dot', language: 'en' },
          target: { type: 'SpecificResource', source, selector: fragment('xywh=200,100,400,200') },
        },
        {
          id: `${list}#2`,
          type: 'Annotation',
          motivation: 'tagging',
          body: { type: 'TextualBody', value: 'letter', purpose: 'tagging' },
          target: {
            type: 'SpecificResource',
            source,
            selector: [
              { type: 'SvgSelector', value: svg },
              { type: 'PointSelector', x: 5, y: 7 },
            ],
          },
        },
        {
          id: `${list}#3`,
          type: 'Annotation',
          motivation: 'commenting',
          body: { type: 'TextualBody', value: 'Of all of it', format: 'text/plain' },
          target: canvas,
        },
      ],
    });
  });

  it('are the same as Open Annotation in lists of version 2', () => {
    expect(list2(web)).toEqual({
      '@context': 'http://iiif.io/api/presentation/2/context.json',
      '@id': list,
      '@type': 'sc:AnnotationList',
      label: 'Annotations',
      resources: [
        {
          '@id': 'urn:uuid:1',
          '@type': 'oa:Annotation',
          motivation: 'oa:commenting',
          resource: { '@type': 'dctypes:Text', format: 'text/plain', chars: 'A dot', language: 'en' },
          on: `${canvas}#xywh=200,100,400,200`,
        },
        {
          '@id': `${list}#2`,
          '@type': 'oa:Annotation',
          motivation: 'oa:tagging',
          resource: { '@type': 'oa:Tag', format: 'text/plain', chars: 'letter' },
          on: {
            '@type': 'oa:SpecificResource',
            full: canvas,
            selector: {
              '@type': 'oa:Choice',
              default: { '@type': 'oa:FragmentSelector', value: 'xywh=5,7,1,1' },
              item: { '@type': 'oa:SvgSelector', value: svg },
            },
          },
        },
        {
          '@id': `${list}#3`,
          '@type': 'oa:Annotation',
          motivation: 'oa:commenting',
          resource: { '@type': 'dctypes:Text', format: 'text/plain', chars: 'Of all of it' },
          on: canvas,
        },
      ],
    });
  });

  it('of version 2 are the same again after both ways', () => {
    expect(page3(list2(web)).items).toMatchObject([
      {
        body: { type: 'TextualBody', value: 'A dot', language: 'en' },
        target: { selector: fragment('xywh=200,100,400,200') },
      },
      {
        motivation: 'tagging',
        body: { type: 'TextualBody', value: 'letter', purpose: 'tagging' },
        target: { selector: [{ type: 'SvgSelector', value: svg }, fragment('xywh=5,7,1,1')] },
      },
      { body: { value: 'Of all of it' }, target: canvas },
    ]);
  });

  const box = { target: 'x#xywh=1,2,3,4' };
  it.each<[string, unknown, number]>([
    ['a list', [box, box], 2],
    ['one alone', box, 1],
    ['a collection', { type: 'AnnotationCollection', first: { items: [box] } }, 1],
    [
      'an id that is repeated',
      [
        { ...box, id: 'urn:1' },
        { ...box, id: 'urn:1' },
      ],
      1,
    ],
    ['a painting', { ...box, motivation: 'sc:painting' }, 0],
    ['numbers and texts', [5, 'text', null, {}], 0],
    ['lists in lists', JSON.parse('['.repeat(2000) + ']'.repeat(2000)), 0],
    ['more than are read', Array.from({ length: 20_050 }, () => box), 20_000],
  ])('come from %s', (_, json, count) => expect([...canvasAnnotations(json, size)]).toHaveLength(count));

  it('name no unit, which Mirador does not read', () => {
    const [item] = page3({
      target: { source: 'x', selector: { type: 'FragmentSelector', value: 'xywh=pixel:1.5,2,3,4' } },
    }).items;
    expect(item).toMatchObject({ target: { selector: fragment('xywh=1.5,2,3,4') } });
  });
});

it.each([
  ['a.jpg', 1],
  ['leaf.tif', 3],
  ['with-hyphen;2.jpeg', 1],
])('the page of a key is that it was made of: %s, %d', (file, page) => {
  expect(pageOfKey(keyOfPage(file, page))).toEqual({ file, page });
});

it.each(['', 'jpg', '-jpg'])('%j is no key of a page', (text) => expect(pageOfKey(text)).toBeUndefined());
