import { describe, expect, it } from 'vitest';
import { labelPositionOf, type MeasureKind, outlinesOf } from '../../../../../web/src/model/measure/measure.ts';
import type { Annotations } from '../../../../../web/src/model/notes/annotation-page.ts';
import { isAddressOf } from '../../../../../web/src/model/notes/annotation-target.ts';
import { renumber } from '../../../../../web/src/model/notes/mark-edits.ts';
import {
  addNotes,
  describedBy,
  haveSameAddress,
  isEmpty,
  joinNotes,
  type Notes,
  noNotes,
  readNotes,
  withIds,
} from '../../../../../web/src/model/notes/own-notes.ts';
import type { Point } from '../../../../../web/src/model/view-state.ts';

const own: Notes = {
  marks: [
    { x: 0.12344, y: 0.5, text: 'mine' },
    { x: 0.7, y: 0.7 },
  ],
  rectangles: [{ x: 0.1, y: 0.1, width: 0.2, height: 0.2, text: 'box' }],
  measures: [
    {
      kind: 'line',
      points: [
        { x: 0, y: 0 },
        { x: 1, y: 1 },
      ],
    },
  ],
  scale: { x: 100, y: 100, length: 12, unit: 'centimeter@' },
};

const address = {
  marks: [
    { x: 0.9, y: 0.9 },
    { x: 0.1234, y: 0.5 },
  ],
  rectangles: [],
};

describe('notes', () => {
  it('are equal to those of an address, which has four decimals', () => {
    const said = {
      marks: [
        { x: 0.1234, y: 0.5 },
        { x: 0.7, y: 0.7 },
      ],
      rectangles: own.rectangles,
    };
    expect(haveSameAddress(said, own)).toBe(true);
    expect(haveSameAddress({ ...said, rectangles: [] }, own)).toBe(false);
    expect(haveSameAddress({ ...said, marks: said.marks.toReversed() }, own)).toBe(false);
  });

  it('add their texts to those of an address at the same positions', () => {
    expect(describedBy(address, own)).toEqual({ marks: [{ x: 0.9, y: 0.9 }, own.marks[0]], rectangles: [] });
  });

  it('come after those of an address, each position once, and nothing is lost', () => {
    expect(joinNotes(address, own)).toEqual({ ...own, marks: [{ x: 0.9, y: 0.9 }, own.marks[0], own.marks[1]] });
  });

  it('are extended by those of a file, and the scale stays', () => {
    const more = { marks: [{ x: 0, y: 0 }], rectangles: [], measures: [] };
    expect(addNotes(own, more)).toEqual({ ...own, marks: [...own.marks, { x: 0, y: 0 }] });
  });

  it('are empty without notes and without a scale', () => {
    expect([isEmpty(noNotes), isEmpty({ ...noNotes, scale: own.scale ?? { x: 1, y: 1 } })]).toEqual([true, false]);
  });
});

describe('notes of a file', () => {
  const more: Annotations = {
    marks: [
      { x: 0.7, y: 0.7, id: 'urn:1', tags: ['a'], color: 'red' },
      { x: 0.3, y: 0.3, id: 'urn:2' },
    ],
    rectangles: [{ x: 0.1, y: 0.1, width: 0.2, height: 0.2, text: 'another' }],
    measures: own.measures,
  };

  it('are added once: those at the same place with the same text are known, and those with a known id', () => {
    const once = addNotes(own, more);
    expect(once.marks).toEqual([...own.marks, more.marks[1]]);
    expect(once.rectangles).toEqual([...own.rectangles, ...more.rectangles]);
    expect(once.measures).toEqual(own.measures);
    expect(addNotes(once, more)).toEqual(once);
  });

  it('are known by their ids also after they were moved and described here', () => {
    const edited = { ...noNotes, marks: [{ x: 0.9, y: 0.1, text: 'moved', id: 'urn:2' }] };
    expect(addNotes(edited, { ...more, rectangles: [], measures: [] }).marks).toEqual([edited.marks[0], more.marks[0]]);
  });

  it('are added once also where the file itself repeats them', () => {
    const [mark] = more.marks;
    expect(addNotes(noNotes, { ...noNotes, marks: mark ? [mark, { ...mark, x: 0.1 }, mark] : [] }).marks).toEqual([
      mark,
    ]);
  });

  it('get an id each, and keep it', () => {
    let count = 0;
    const named = withIds(own, () => `urn:${++count}`);
    expect([...named.marks, ...named.rectangles, ...named.measures].map(({ id }) => id)).toEqual([
      'urn:1',
      'urn:2',
      'urn:3',
      'urn:4',
    ]);
    expect(withIds(named, () => 'another')).toBe(named);
  });
});

describe('stored notes', () => {
  it('keep ids, tags and colors, and no color that is none', () => {
    const mark = { x: 0.5, y: 0.5, id: 'urn:1', tags: ['a'], color: '#c0ffee' };
    expect(readNotes({ marks: [mark, { ...mark, color: 'url(x)', tags: [5, ''], id: 7 }] }).marks).toEqual([
      mark,
      { x: 0.5, y: 0.5 },
    ]);
  });

  it('are read as they were written', () => {
    expect(readNotes(JSON.parse(JSON.stringify(own)))).toEqual(own);
  });

  it('have the scale of earlier versions, which stored the length as a text', () => {
    expect(readNotes({ scale: { x: 100, y: 50, from: '12 cm' } }).scale).toEqual({ x: 100, y: 50 });
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a list', []],
    ['marks without a place', { marks: [{ x: 1 }, { x: '1', y: 2 }, null] }],
    ['rectangles without a size', { rectangles: [{ x: 1, y: 1, width: 1 }] }],
    [
      'measurements of no kind, or with too few points',
      { measures: [{ kind: 'toString', points: [] }, { kind: 'line' }] },
    ],
    ['a scale of nothing', { scale: { x: 0, y: 1, from: '' } }],
  ])('are ignored if malformed: %s', (_, stored) => expect(readNotes(stored)).toEqual(noNotes));
});

it.each([
  ['https://a.example/lib/iiif/3/maps!a%20b.tif', 'maps/a b.tif', true],
  ['https://other.example/iiif/3/maps%2Fa%20b.tif/info.json', 'maps/a b.tif', true],
  ['https://a.example/presentation/3/maps/canvas/a%20b.tif', 'maps/a b.tif', true],
  ['https://a.example/presentation/3/maps/canvas/a%20b-tif', 'maps/a b.tif', true],
  ['https://a.example/lib/presentation/2/books!maps/canvas/a%20b-tif', 'books/maps/a b.tif', true],
  ['https://a.example/presentation/3/maps/canvas/a%20b-tif;2', 'maps/a b.tif;2', true],
  ['https://a.example/presentation/3/maps/canvas/a%20b-tif;2', 'maps/a b.tif', false],
  ['https://a.example/presentation/3/maps/canvas/a%20b-png', 'maps/a b.tif', false],
  ['https://a.example/view/maps/a%20b.tif?rot=90', 'maps/a b.tif', true],
  ['', 'maps/a b.tif', true],
  ['https://a.example/iiif/3/maps!a%20b.tif;2', 'maps/a b.tif', false],
  ['https://a.example/iiif/3/oldmaps!a%20b.tif', 'maps/a b.tif', false],
  ['https://a.example/iiif/3/maps!other.tif', 'maps/a b.tif', false],
])('%s is an address of %s: %s', (source, path, expected) => expect(isAddressOf(source, path, '!')).toBe(expected));

it.each([
  [0, 1, ['b', 'a', 'c']],
  [2, -1, ['a', 'c', 'b']],
  [0, -1, ['a', 'b', 'c']],
  [2, 1, ['a', 'b', 'c']],
] as const)('the one at %d goes %d further: %j', (at, by, expected) =>
  expect(renumber(['a', 'b', 'c'], at, by)).toEqual(expected),
);

describe('the outlines of a measurement', () => {
  const image = { width: 200, height: 100 };
  const points: readonly Point[] = [
    { x: 0.5, y: 0.5 },
    { x: 0.6, y: 0.5 },
    { x: 0.5, y: 0.6 },
    { x: 0.9, y: 0.9 },
  ];

  it.each<[MeasureKind, number, readonly (readonly [number, boolean])[]]>([
    ['line', 2, [[2, false]]],
    ['path', 4, [[4, false]]],
    ['angle', 3, [[3, false]]],
    ['polygon', 4, [[4, true]]],
    ['rectangle', 2, [[4, true]]],
    ['circle', 2, [[90, true]]],
    ['ellipse', 2, [[2, false]]],
    ['ellipse', 3, [[90, true]]],
    ['oval', 2, [[2, false]]],
    ['oval', 3, [[4, true]]],
    ['oval', 4, [[92, true]]],
    ['grid', 1, [[1, false]]],
    ['intercolumniation', 2, [[2, false]]],
    [
      'proportion',
      3,
      [
        [2, false],
        [1, false],
      ],
    ],
  ])('%s of %d points: %j', (kind, count, expected) => {
    const outlines = outlinesOf(kind, points.slice(0, count), image);
    expect(outlines.map(({ points: drawn, closed }) => [drawn.length, closed])).toEqual(expected);
  });

  it('are round in pixels, not in fractions', () => {
    const [ring] = outlinesOf('circle', points.slice(0, 2), image);
    const radii = ring?.points.map(({ x, y }) => Math.hypot((x - 0.5) * 200, (y - 0.5) * 100)) ?? [];
    expect([Math.min(...radii), Math.max(...radii)].map((radius) => Math.round(radius * 1e6) / 1e6)).toEqual([20, 20]);
  });

  it.each<[MeasureKind, number, Point]>([
    ['line', 2, { x: 0.55, y: 0.5 }],
    ['angle', 3, { x: 0.6, y: 0.5 }],
    ['path', 3, { x: 0.5, y: 0.6 }],
    ['circle', 2, { x: 0.5, y: 0.5 }],
    ['oval', 4, { x: 0.55, y: 0.55 }],
    ['intercolumniation', 3, { x: 0.55, y: 0.5 }],
  ])('of a %s have their label at its own position', (kind, count, expected) => {
    const { x, y } = labelPositionOf({ kind, points: points.slice(0, count) }, image);
    expect([x, y].map((value) => Math.round(value * 1e6) / 1e6)).toEqual([expected.x, expected.y]);
  });
});
