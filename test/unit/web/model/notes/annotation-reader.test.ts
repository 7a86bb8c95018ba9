import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../../../../web/src/messages/panel-messages.ts';
import { measureOf } from '../../../../../web/src/model/measure/extents.ts';
import { type Measure, type MeasureKind, measureKinds } from '../../../../../web/src/model/measure/measure.ts';
import {
  type AnnotatedCanvas,
  type Annotations,
  formatAnnotations,
} from '../../../../../web/src/model/notes/annotation-page.ts';
import { type FrameOf, parseAnnotations } from '../../../../../web/src/model/notes/annotation-reader.ts';
import { rectangleBetween } from '../../../../../web/src/model/notes/mark-edits.ts';
import type { NoteContent } from '../../../../../web/src/model/view-state.ts';
import { formatFault } from '../../../../../web/src/ui/common/words.ts';

const size = { width: 4000, height: 3000 };
const source = 'https://library.example/presentation/3/maps/canvas/a.tif';
const none: Annotations = { marks: [], rectangles: [], measures: [] };

const canvas: AnnotatedCanvas = {
  id: source,
  size,
  manifest: 'https://library.example/presentation/3/maps/manifest.json',
  picture: 'https://library.example/iiif/3/maps!a.tif/full/!400,400/0/default.jpg',
  service: 'https://library.example/iiif/3/maps!a.tif',
};
const whole = { x: 0, y: 0, width: 1, height: 1 };
const anyImage: FrameOf = () => ({ size, place: whole });

const read = (value: unknown, frameOf: FrameOf = anyImage) => parseAnnotations(JSON.stringify(value), frameOf);

const written: Annotations = {
  marks: [
    { x: 0.5, y: 0.5, text: 'A <b> & "c"' },
    { x: 0.25, y: 0.1 },
  ],
  rectangles: [{ x: 0.1, y: 0.2, width: 0.3, height: 0.4, text: 'box' }],
  measures: [
    {
      kind: 'angle',
      points: [
        { x: 0, y: 0 },
        { x: 0.5, y: 0 },
        { x: 0.5, y: 0.5 },
      ],
    },
    {
      kind: 'proportion',
      points: [
        { x: 0, y: 0 },
        { x: 0.5, y: 0 },
        { x: 0.5, y: 0.5 },
        { x: 0.25, y: 0.5 },
      ],
    },
    {
      kind: 'polygon',
      points: [
        { x: 0, y: 0 },
        { x: 0.5, y: 0 },
        { x: 0.5, y: 0.5 },
        { x: 0, y: 0.5 },
      ],
      text: 'field',
    },
  ],
};

function withoutIds({ marks, rectangles, measures }: Annotations): Annotations {
  const strip = <Item extends NoteContent>(items: readonly Item[]): Item[] =>
    items.map(({ id: _, ...rest }) => rest as Item);
  return { marks: strip(marks), rectangles: strip(rectangles), measures: strip(measures) };
}

describe('annotations in a file', () => {
  const page = formatAnnotations(written, canvas);

  it('are a page of Web Annotations', () => {
    expect(page).toMatchObject({ type: 'AnnotationPage' });
    expect(page['@context']).toEqual([
      'http://www.w3.org/ns/anno.jsonld',
      'http://iiif.io/api/presentation/3/context.json',
    ]);
    expect(page.items.map(({ id }) => id.replace(source, ''))).toEqual([
      '#mark-1',
      '#mark-2',
      '#rectangle-1',
      '#measure-1',
      '#measure-2',
      '#measure-3',
    ]);
    expect(page.items[2]).toEqual({
      id: `${source}#rectangle-1`,
      type: 'Annotation',
      motivation: 'commenting',
      body: [{ type: 'TextualBody', value: 'box', format: 'text/plain', purpose: 'commenting' }],
      target: {
        type: 'SpecificResource',
        source: {
          id: source,
          type: 'Canvas',
          ...size,
          partOf: [{ id: canvas.manifest, type: 'Manifest' }],
          thumbnail: [
            {
              id: canvas.picture,
              type: 'Image',
              service: [{ id: canvas.service, type: 'ImageService3', profile: 'level2' }],
            },
          ],
        },
        selector: [
          {
            type: 'FragmentSelector',
            conformsTo: 'http://www.w3.org/TR/media-frags/',
            value: 'xywh=400,600,1200,1200',
          },
        ],
      },
    });
    expect(page.items[1]).toMatchObject({
      motivation: 'commenting',
      body: [],
      target: {
        selector: [
          {
            type: 'SvgSelector',
            value:
              '<svg xmlns="http://www.w3.org/2000/svg"><path data-kind="mark" data-points="1000,300" ' +
              'd="M960,300 A40,40 0 0 1 1040,300 A40,40 0 0 1 960,300 Z" fill="none"/></svg>',
          },
          { type: 'PointSelector', x: 1000, y: 300 },
        ],
      },
    });
  });

  it('draw every outline as a path and name its box in plain pixels, which is what Mirador reads', () => {
    for (const { target } of page.items) {
      for (const selector of target.selector) {
        if (selector.type === 'SvgSelector') expect(selector.value).toMatch(/^<svg [^>]*><path [^>]*\/><\/svg>$/);
        if (selector.type === 'FragmentSelector') expect(selector.value).toMatch(/^xywh=[\d.]+(?:,[\d.]+){3}$/);
      }
    }
  });

  it('are parsed as they were formatted', () => {
    const { annotations, faults } = read(page);
    expect(faults).toEqual([]);
    expect(withoutIds(annotations)).toEqual(written);
    expect(annotations.marks.map(({ id }) => id)).toEqual([`${source}#mark-1`, `${source}#mark-2`]);
  });

  it('keep ids, tags and colors', () => {
    const content = { id: 'urn:uuid:1', tags: ['red', 'angle', 'mark'], color: '#c0ffee' };
    const corners = [
      { x: 0, y: 0 },
      { x: 0.5, y: 0 },
      { x: 0.5, y: 0.5 },
    ];
    const colored: Annotations = {
      marks: [{ x: 0.5, y: 0.5, ...content }],
      rectangles: [{ x: 0.25, y: 0.25, width: 0.5, height: 0.5, text: 'box', ...content }],
      measures: [
        { kind: 'polygon', points: corners, ...content },
        { kind: 'path', points: corners, ...content },
        { kind: 'circle', points: corners.slice(0, 2), ...content, color: 'rgb(1, 2, 3)' },
      ],
    };
    const formatted = formatAnnotations(colored, canvas);
    expect(formatted.items.map(({ motivation }) => motivation)).toEqual([
      'tagging',
      'commenting',
      'tagging',
      'tagging',
      'tagging',
    ]);
    expect(read(formatted)).toEqual({ annotations: colored, faults: [] });
  });

  const fractions = fc.integer({ min: 0, max: 10_000 }).map((value) => value / 10_000);
  const points = fc.record({ x: fractions, y: fractions });
  const texts = fc.string({ minLength: 1 }).map((text) => `t${text}`);
  const marks = fc.array(fc.record({ x: fractions, y: fractions, text: texts }, { requiredKeys: ['x', 'y'] }), {
    minLength: 1,
  });
  const kinds = fc.constantFrom(...(Object.keys(measureKinds) as readonly MeasureKind[]));
  const measures = kinds.chain((kind) => {
    const { least, most } = measureKinds[kind];
    const count = { minLength: least, maxLength: Math.min(most, 6) };
    const distinct = fc.uniqueArray(points, { ...count, selector: ({ x, y }) => `${x} ${y}` });
    return fc.record<Measure>({ kind: fc.constant(kind), points: distinct });
  });

  it('preserve all positions and values', () => {
    fc.assert(
      fc.property(marks, fc.array(measures, { maxLength: 3 }), (someMarks, someMeasures) => {
        const page = formatAnnotations({ marks: someMarks, rectangles: [], measures: someMeasures }, canvas);
        const { annotations, faults } = read(page);
        expect(faults).toEqual([]);
        expect(annotations.marks.map(({ text }) => text)).toEqual(someMarks.map(({ text }) => text));
        for (const [at, mark] of someMarks.entries()) {
          expect(annotations.marks[at]?.x).toBeCloseTo(mark.x, 6);
          expect(annotations.marks[at]?.y).toBeCloseTo(mark.y, 6);
        }
        for (const [at, measure] of someMeasures.entries()) {
          const [was, is] = [measureOf(measure, size), annotations.measures[at]];
          const now = is && measureOf(is, size);
          expect(now?.pixels.length).toBeCloseTo(was?.pixels.length ?? 0, 0);
          expect(now?.degrees ?? 0).toBeCloseTo(was?.degrees ?? 0, 2);
        }
      }),
    );
  });
});

const svgOf = (figure: string) => ({
  type: 'SvgSelector',
  value: `<svg xmlns='http://www.w3.org/2000/svg'>${figure}</svg>`,
});
const about = (selector: unknown) => ({ type: 'Annotation', target: { source, selector } });
const inPixels = (kind: MeasureKind, ...pixels: readonly (readonly [number, number])[]): Annotations => ({
  ...none,
  measures: [{ kind, points: pixels.map(([x, y]) => ({ x: x / size.width, y: y / size.height })) }],
});
const half = { x: 0.25, y: 0.25, width: 0.5, height: 0.5 };
const boxed: Annotations = { ...none, rectangles: [half] };

describe('files of other programs', () => {
  it.each<[string, unknown, Annotations]>([
    ['a fragment in the address', { type: 'Annotation', target: `${source}#xywh=1000,750,2000,1500` }, boxed],
    ['pixels that say so', about({ type: 'FragmentSelector', value: 'xywh=pixel:1000,750,2000,1500' }), boxed],
    ['percent', about({ type: 'FragmentSelector', value: 'xywh=percent:25,25,50,50' }), boxed],
    ['a point as a fragment', about({ value: 'xywh=pixel:1000,1500,0,0' }), { ...none, marks: [{ x: 0.25, y: 0.5 }] }],
    ['IIIF’s point', about({ type: 'PointSelector', x: 1000, y: 1500 }), { ...none, marks: [{ x: 0.25, y: 0.5 }] }],
    ['a target in a list', { target: [{ source, selector: [{ value: 'xywh=1000,750,2000,1500' }] }] }, boxed],
    [
      'a source with a name',
      { target: { source: { id: source }, selector: { value: 'xywh=1000,750,2000,1500' } } },
      boxed,
    ],
    ['a target with its own name', { target: { id: `${source}#xywh=1000,750,2000,1500` } }, boxed],
    ['a rectangle as a path', about(svgOf('<path d="M1000,750h2000v1500h-2000z"/>')), boxed],
    [
      'path before fragment',
      about([{ value: 'xywh=0,0,9,9' }, svgOf('<path d="M1000,750 l2000,0 0,1500 -2000,0 Z"/>')]),
      boxed,
    ],
    ['a polygon', about(svgOf('<polygon points="0,0 40,0 0,30"/>')), inPixels('polygon', [0, 0], [40, 0], [0, 30])],
    [
      'a bow tie',
      about(svgOf('<polygon points="0,0 40,30 40,0 0,30"/>')),
      inPixels('polygon', [0, 0], [40, 30], [40, 0], [0, 30]),
    ],
    [
      'a path to its beginning',
      about(svgOf('<path d="M0 0 L40 0 V30 L0 0"/>')),
      inPixels('polygon', [0, 0], [40, 0], [40, 30]),
    ],
    [
      'relative steps and exponents',
      about(svgOf('<path d="m1e1 10 30-10.5.5 7"/>')),
      inPixels('path', [10, 10], [40, -0.5], [40.5, 6.5]),
    ],
    ['a line', about(svgOf('<line x1="0" y1="0" x2="40px" y2="30"/>')), inPixels('line', [0, 0], [40, 30])],
    ['a circle', about(svgOf('<circle cx="100" cy="100" r="50"/>')), inPixels('circle', [100, 100], [150, 100])],
    [
      'an ellipse',
      about(svgOf('<ellipse cx="9" cy="9" rx="5" ry="3"/>')),
      inPixels('ellipse', [9, 9], [14, 9], [9, 12]),
    ],
    [
      'an upright rectangle of SVG',
      about(svgOf('<rect x="1" y="2" width="3" height="4"/>')),
      inPixels('rectangle', [1, 2], [4, 6]),
    ],
  ])('with %s', (_, item, annotations) => expect(read({ items: [item] })).toEqual({ annotations, faults: [] }));

  it.each<[string, object, string | undefined]>([
    ['Mirador’s', about(svgOf('<path d="M0,0 L40,0 L0,30 Z" stroke="#00BFFF"/>')), '#00bfff'],
    ['a style', about(svgOf('<polygon points="0,0 40,0 0,30" style="fill:none; stroke: red"/>')), 'red'],
    [
      'Annotorious’',
      { ...about(svgOf('<polygon points="0,0 40,0 0,30"/>')), body: { purpose: 'highlighting', value: '#ff0000' } },
      '#ff0000',
    ],
    ['no color', about(svgOf('<polygon points="0,0 40,0 0,30" stroke="none"/>')), undefined],
    ['a script', about(svgOf('<polygon points="0,0 40,0 0,30" stroke="url(javascript:1)"/>')), undefined],
  ])('with a color: %s', (_, item, color) => {
    expect(read({ items: [item] }).annotations.measures[0]?.color).toBe(color);
  });

  it('of which one is about several images count where one of them is ours', () => {
    const item = { target: ['other#xywh=1,2,3,4', `${source}#xywh=1000,750,2000,1500`] };
    const ofOurs: FrameOf = (address) => (address.source === source ? { size, place: whole } : undefined);
    expect(read([item], ofOurs)).toEqual({ annotations: boxed, faults: [] });
  });

  it('about a canvas of which our image is a part lie on the image', () => {
    const item = { target: `${source}#xywh=2000,1500,1000,750` };
    const right = { size, place: { x: 0.5, y: 0.5, width: 0.5, height: 0.5 } };
    expect(read([item], () => right).annotations.rectangles).toEqual([{ x: 0, y: 0, width: 0.5, height: 0.5 }]);
  });

  const box = { target: `${source}#xywh=1000,750,2000,1500` };
  it.each<[string, unknown]>([
    ['a collection', { type: 'AnnotationCollection', first: { type: 'AnnotationPage', items: [box] } }],
    ['a list', [box]],
    ['one alone', box],
    ['Open Annotation', { '@type': 'sc:AnnotationList', resources: [{ '@type': 'oa:Annotation', on: box.target }] }],
    [
      'Mirador 2',
      {
        resources: [
          {
            on: [
              {
                full: source,
                selector: {
                  '@type': 'oa:Choice',
                  default: { '@type': 'oa:FragmentSelector', value: 'xywh=1000,750,2000,1500' },
                },
              },
            ],
          },
        ],
      },
    ],
  ])('as %s', (_, file) => expect(read(file).annotations).toEqual(boxed));

  it.each<[string, object, string | undefined]>([
    ['plain', { body: { type: 'TextualBody', value: 'a < b' } }, 'a < b'],
    ['HTML', { body: { value: '<p>a &amp; <b>b</b></p><p>c</p>', format: 'text/html' } }, 'a & b\nc'],
    ['several', { body: [{ value: 'a' }, { value: 'tag', purpose: 'tagging' }, 'b'] }, 'a\nb'],
    ['its short form', { bodyValue: 'a' }, 'a'],
    [
      'that of Open Annotation',
      { resource: [{ chars: '<p>a&nbsp;&copy;</p>' }, { '@type': 'oa:Tag', chars: 'x' }] },
      'a &copy;',
    ],
    ['none', { body: [] }, undefined],
  ])('with a text: %s', (_, body, text) => {
    expect(read({ items: [{ ...box, ...body }] }).annotations.rectangles[0]?.text).toBe(text);
  });

  const curve = svgOf('<path d="M0,0 C1,1 2,2 3,3"/>');
  it.each<[string, unknown, string]>([
    ['curves', about(curve), 'Annotation 1 was left out: its outline has curves.'],
    [
      'curves with a rectangle',
      about([curve, { value: 'xywh=1000,750,2000,1500' }]),
      'Annotation 1 was read as the rectangle around it: its outline has curves.',
    ],
    ['several figures', about(svgOf('<line/><line/>')), 'Annotation 1 was left out: it has several outlines.'],
    [
      'several parts',
      about(svgOf('<path d="M0 0 1 1 2 2 M5 5 6 6"/>')),
      'Annotation 1 was left out: it has several outlines.',
    ],
    [
      'a moved group',
      about(svgOf('<g transform="scale(2)"><line/></g>')),
      'Annotation 1 was left out: its outline is turned or scaled.',
    ],
    [
      'a moved ellipse',
      about(svgOf('<ellipse cx="9" cy="9" rx="1" ry="2" transform="rotate(5)"/>')),
      'Annotation 1 was left out: its outline is turned or scaled.',
    ],
    [
      'a drawing of text',
      about(svgOf('<text>a</text>')),
      'Annotation 1 was left out: its outline is none that is known here.',
    ],
    [
      'no numbers',
      about(svgOf('<circle cx="a" cy="1" r="1"/>')),
      'Annotation 1 was left out: its outline is none that is known here.',
    ],
    [
      'an empty path',
      about(svgOf('<path d=""/>')),
      'Annotation 1 was left out: its outline is none that is known here.',
    ],
    [
      'a path that begins nowhere',
      about(svgOf('<path d="L 1 1"/>')),
      'Annotation 1 was left out: its outline has curves.',
    ],
    [
      'a single point',
      about(svgOf('<polyline points="1,1"/>')),
      'Annotation 1 was left out: its outline is none that is known here.',
    ],
    ['the whole image', about([]), 'Annotation 1 was left out: it names no place on the image.'],
    ['no target', { on: 5 }, 'Annotation 1 was left out: it names no place on the image.'],
    [
      'a strange fragment',
      { target: `${source}#xywh=1,2,3` },
      'Annotation 1 was left out: it names no place on the image.',
    ],
    [
      'a point without place',
      about({ type: 'PointSelector', x: '1' }),
      'Annotation 1 was left out: it names no place on the image.',
    ],
    ['nothing at all', 5, 'The file holds no annotations.'],
    ['another kind of file', { a: 1 }, 'The file holds no annotations.'],
  ])('report annotations that could not be read: %s', (_, file, sentence) =>
    expect(read(file).faults.map(formatFault)).toEqual([sentence]),
  );

  it('are reported if they are no JSON', () => {
    expect(parseAnnotations('<html>', anyImage)).toEqual({ annotations: none, faults: [{ reason: 'no-annotations' }] });
  });

  it('may contain annotations of other images, which are left out', () => {
    const ofOurs: FrameOf = (address) => (address.source === source ? { size, place: whole } : undefined);
    const { annotations, faults } = read([box, { target: 'other#xywh=1,2,3,4' }], ofOurs);
    expect(annotations).toEqual(boxed);
    expect(faults.map(formatFault)).toEqual(['Annotation 2 was left out: it is about another image.']);
  });

  const many = 200_000;
  const withText = (value: string) => ({
    ...about([]),
    target: `${source}#xywh=1,1,2,2`,
    body: { value, format: 'text/html' },
  });
  it.each([
    ['lists in lists', '['.repeat(3000) + ']'.repeat(3000), 'The file holds no annotations.'],
    ['a polygon of countless points', about(svgOf(`<polygon points="${'1,1 '.repeat(many)}"/>`)), undefined],
    ['a path of countless lines', about(svgOf(`<path d="M1,1${'L2,2L3,3'.repeat(many)}"/>`)), undefined],
    ['figures that are not closed', about(svgOf('<path '.repeat(many))), undefined],
    ['names without values', about(svgOf(`<path ${'a'.repeat(many)}>`)), undefined],
    ['tags that are not closed', withText('<'.repeat(many)), ''],
  ])('that are malicious are parsed quickly: %s', (_, file, sentence) => {
    const begin = performance.now();
    const { faults } = parseAnnotations(typeof file === 'string' ? file : JSON.stringify(file), anyImage);
    expect(performance.now() - begin).toBeLessThan(2000);
    expect(faults.map(formatFault).join()).toMatch(sentence ?? /^Annotation 1 was left out/);
  });

  it('of any content are parsed without an exception', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        expect(Array.isArray(read({ items: [{ target: value }] }).faults)).toBe(true);
        expect(Array.isArray(read({ items: [about(svgOf(`<path d="M${text}"/>`))] }).faults)).toBe(true);
      }),
    );
  });
});

it('formats a rectangle that was drawn backward as the same rectangle', () => {
  const points = [
    { x: 0.75, y: 0.75 },
    { x: 0.25, y: 0.25 },
  ] as const;
  const { annotations } = read(formatAnnotations({ ...none, measures: [{ kind: 'rectangle', points }] }, canvas));
  const [from, to] = annotations.measures[0]?.points ?? [];
  expect(from && to && rectangleBetween(from, to)).toEqual(half);
});
