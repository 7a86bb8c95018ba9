/** Annotations of other manifests: places in both versions, on a part of a canvas, and hostile ones. */
import { describe, expect, it } from 'vitest';
import { nameMatcher } from '../../../../../src/core/image/folder/page-labels.ts';
import {
  type AnnotatedCanvas,
  annotationAt,
  filtered,
  kindsOf,
  nextPageOf,
  readAnnotations,
  stylesOf,
} from '../../../../../web/src/model/notes/canvas-annotations.ts';

const canvas: AnnotatedCanvas = {
  id: 'https://other.example/c1',
  size: { width: 1000, height: 500 },
  place: { x: 0, y: 0, width: 1, height: 1 },
};

const body = (value: string): object => ({ type: 'TextualBody', value, format: 'text/html' });

const page = (...items: readonly object[]): object => ({ type: 'AnnotationPage', items });

describe('annotations', () => {
  it.each([
    ['a fragment', `${canvas.id}#xywh=100,100,200,50`],
    ['a fragment on the other scheme', 'http://other.example/c1#xywh=100,100,200,50'],
    ['percent', `${canvas.id}#xywh=percent:10,20,20,10`],
    ['a selector', { source: canvas.id, selector: { type: 'FragmentSelector', value: 'xywh=100,100,200,50' } }],
  ])('are placed by %s', (_name, target) => {
    const [found] = readAnnotations(page({ type: 'Annotation', body: body('a'), target }), canvas);
    for (const [name, value] of Object.entries({ x: 0.1, y: 0.2, width: 0.2, height: 0.1 })) {
      expect(found?.bounds?.[name as 'x']).toBeCloseTo(value, 9);
    }
  });

  it('of version 2 are placed in the same way', () => {
    const list = {
      resources: [{ resource: { chars: '<p>old</p>', format: 'text/html' }, on: `${canvas.id}#xywh=0,0,500,250` }],
    };
    expect(readAnnotations(list, canvas)).toMatchObject([
      { text: 'old', bounds: { x: 0, y: 0, width: 0.5, height: 0.5 } },
    ]);
  });

  it('lie on the image, where that covers a part of the canvas', () => {
    const half = { ...canvas, place: { x: 0.5, y: 0, width: 0.5, height: 1 } };
    const target = `${canvas.id}#xywh=500,0,250,500`;
    expect(readAnnotations(page({ body: body('a'), target }), half)[0]?.bounds).toEqual({
      x: 0,
      y: 0,
      width: 0.5,
      height: 1,
    });
  });

  it('of other canvases, and those that paint, are left out', () => {
    const others = page(
      { body: body('a'), target: 'https://other.example/c2#xywh=0,0,1,1' },
      { motivation: 'painting', body: body('b'), target: canvas.id },
    );
    expect(readAnnotations(others, canvas)).toEqual([]);
  });

  it('have no markup and no script, and huge numbers draw nothing', () => {
    const items = [
      { body: body('<img src=x onerror=alert(1)>text<script>alert(1)</script>'), target: canvas.id },
      { body: body('far'), target: `${canvas.id}#xywh=1e300,0,1e300,1` },
    ];
    const found = readAnnotations(page(...items), canvas);
    expect(found.map(({ text, outlines }) => [text, outlines.length])).toEqual([
      ['text', 0],
      ['far', 0],
    ]);
  });

  it.each([[null], [5], [[]], [{ items: null }], [{ items: [null, 5, { target: null }] }]])(
    'of the shape %j break nothing',
    (json) => {
      expect(() => readAnnotations(json, canvas)).not.toThrow();
    },
  );

  it('are found by words and by kind, and the smallest of those at a point', () => {
    const tag = { type: 'TextualBody', purpose: 'tagging', value: 'Initial' };
    const list = readAnnotations(
      page(
        { motivation: 'commenting', body: [body('Große Zeile')], target: `${canvas.id}#xywh=0,0,1000,500` },
        { motivation: 'commenting', body: [body('small'), tag], target: `${canvas.id}#xywh=100,100,100,100` },
      ),
      canvas,
    );
    expect(kindsOf(list)).toEqual(['Initial', 'commenting']);
    const texts = (words: string, kind = ''): readonly string[] =>
      filtered(list, { words, kind }, nameMatcher).map(({ text }) => text);
    expect([texts('grosse'), texts('INITIAL'), texts('', 'Initial'), texts('')]).toEqual([
      ['Große Zeile'],
      ['small'],
      ['small'],
      ['Große Zeile', 'small'],
    ]);
    expect(annotationAt(list, { x: 0.15, y: 0.3 })?.text).toBe('small');
    expect(annotationAt(list, { x: 0.9, y: 0.9 })?.text).toBe('Große Zeile');
  });

  it('name the next page of them only by an address of the web', () => {
    expect(nextPageOf({ next: 'https://other.example/p2' })).toBe('https://other.example/p2');
    expect(nextPageOf({ next: 'javascript:alert(1)' })).toBeUndefined();
  });
});

describe('bodies of annotations', () => {
  const context = {
    languages: ['ja', 'en'],
    group: 'Layout',
    layer: 2,
    styles: new Map([['https://other.example/s.css', '.a{color:#f00}']]),
  };
  const read = (more: object) =>
    readAnnotations(page({ type: 'Annotation', target: canvas.id, ...more }), canvas, context)[0];
  const text = (value: string, language: string): object => ({ type: 'TextualBody', value, language });

  it('to choose from are that in the language of the reader', () => {
    expect(
      read({ body: { type: 'Choice', items: [text('Koto', 'en'), text('琴', 'ja'), text('Zither', 'de')] } })?.text,
    ).toBe('琴');
    expect(read({ body: { type: 'Choice', items: [text('Zither', 'de'), text('Cithare', 'fr')] } })?.text).toBe(
      'Zither',
    );
  });

  it('lead to addresses, canvases and places, and have pictures', () => {
    const found = read({
      body: [
        { type: 'SpecificResource', source: 'https://data.example/Q1' },
        {
          type: 'SpecificResource',
          source: {
            id: 'https://other.example/c2',
            type: 'Canvas',
            partOf: [{ id: 'https://other.example/m', type: 'Manifest' }],
          },
        },
        {
          type: 'Feature',
          properties: { label: { en: ['Rome'] } },
          geometry: { type: 'Point', coordinates: [12.5, 41.9] },
        },
        { id: 'https://other.example/night.jpg', type: 'Image' },
        { type: 'SpecificResource', source: 'javascript:alert(1)' },
        text('All of it', 'en'),
      ],
    });
    expect(found).toMatchObject({
      text: 'Rome\nAll of it',
      links: [
        { kind: 'address', address: 'https://data.example/Q1' },
        { kind: 'canvas', manifest: 'https://other.example/m', canvas: 'https://other.example/c2' },
        { kind: 'address', address: 'geo:41.9,12.5' },
      ],
      pictures: ['https://other.example/night.jpg'],
      group: 'Layout',
      layer: 2,
    });
  });

  it('have the color of their style sheet', () => {
    const styled = { type: 'SpecificResource', styleClass: 'a', source: text('Red', 'en') };
    const json = { body: styled, stylesheet: 'https://other.example/s.css' };
    expect(read(json)).toMatchObject({ text: 'Red', textColor: '#f00' });
    expect(stylesOf(page({ ...json, target: canvas.id }))).toEqual(['https://other.example/s.css']);
    expect(read({ ...json, stylesheet: { value: '.a { color: url(x) }' } })?.textColor).toBeUndefined();
  });
});

it('an annotation of a region of one image lies there (recipe 0326)', () => {
  const selector = { type: 'ImageApiSelector', region: '100,50,200,100', size: '1000,500' };
  const image = { id: undefined, size: { width: 2000, height: 1000 }, place: canvas.place };
  const [found] = readAnnotations(page({ body: body('Skulls'), target: { source: 'x', selector } }), image);
  for (const [name, value] of Object.entries({ x: 0.1, y: 0.1, width: 0.2, height: 0.2 }))
    expect(found?.bounds?.[name as 'x']).toBeCloseTo(value, 9);
});

it('what is about the whole of a canvas that the book does not have is about the one that names it', () => {
  const other = { ...canvas, isOther: (address: string) => address === 'https://other.example/c2' };
  const about = (target: string) => readAnnotations(page({ body: body('a'), target }), other).length;
  expect(['c2', 'c9', 'c9#xywh=0,0,9,9'].map((name) => about(`https://other.example/${name}`))).toEqual([0, 1, 0]);
});
