import { describe, expect, it } from 'vitest';
import {
  append,
  colorAt,
  describeAt,
  hitTest,
  maxTags,
  movementOnImage,
  moveTo,
  nearestOnImage,
  rectangleBetween,
  removeAt,
  removeLast,
  tagAt,
  untagAt,
} from '../../../../../web/src/model/notes/mark-edits.ts';
import type { Mark } from '../../../../../web/src/model/view-state.ts';

const one: Mark = { x: 0.1, y: 0.1, text: 'one' };
const two: Mark = { x: 0.2, y: 0.2 };
const three: Mark = { x: 0.3, y: 0.3, text: 'three' };
const marks: readonly Mark[] = [one, two, three];

describe('marks', () => {
  it.each<[string, readonly Mark[], readonly Mark[]]>([
    ['get the next number', append([one], two), [one, two]],
    ['move up where one before them goes', removeAt(marks, 0), [two, three]],
    ['stay where none is at the place', removeAt(marks, 3), marks],
    ['lose their last', removeLast(marks), [one, two]],
    ['can be none', removeLast([]), []],
    [
      'move and keep number and text',
      moveTo(marks, 0, { x: 0.9, y: 0.8 }),
      [{ x: 0.9, y: 0.8, text: 'one' }, two, three],
    ],
    ['get a text', describeAt(marks, 1, ' two '), [one, { ...two, text: 'two' }, three]],
    ['lose a text', describeAt(marks, 0, ' '), [{ x: 0.1, y: 0.1 }, two, three]],
    ['get tags', tagAt(marks, 1, ' red  ink, gold ; '), [one, { ...two, tags: ['red ink', 'gold'] }, three]],
    ['get a tag once', tagAt([{ ...two, tags: ['gold'] }], 0, 'gold,ink'), [{ ...two, tags: ['gold', 'ink'] }]],
    ['get no tag without letters', tagAt(marks, 1, ' , '), marks],
    ['lose a tag', untagAt([{ ...two, tags: ['gold', 'ink'] }], 0, 'gold'), [{ ...two, tags: ['ink'] }]],
    ['lose their last tag', untagAt([{ ...two, tags: ['gold'] }], 0, 'gold'), [two]],
    ['get a color', colorAt(marks, 1, '#d5303e'), [one, { ...two, color: '#d5303e' }, three]],
    ['get the usual color back', colorAt([{ ...two, color: 'red' }], 0, undefined), [two]],
  ])('%s', (_, actual, expected) => expect(actual).toEqual(expected));

  it('have no more tags than are read back from a file', () => {
    const typed = Array.from({ length: maxTags + 5 }, (_, at) => `tag ${at}`).join(',');
    expect(tagAt([two], 0, typed)[0]?.tags).toHaveLength(maxTags);
  });

  it('are immutable', () => {
    const frozen = Object.freeze(marks.map((mark) => Object.freeze({ ...mark })));
    removeLast(removeAt(describeAt(moveTo(append(frozen, one), 1, three), 2, 'x'), 0));
    expect(frozen).toEqual(marks);
  });
});

it('keeps the size of a rectangle that moves', () => {
  const rectangle = { x: 0, y: 0, width: 0.2, height: 0.1, text: 'a' };
  expect(moveTo([rectangle], 0, { x: 0.5, y: 0.5 })).toEqual([{ ...rectangle, x: 0.5, y: 0.5 }]);
});

it.each([
  [
    { x: 0.1, y: 0.2 },
    { x: 0.5, y: 0.8 },
  ],
  [
    { x: 0.5, y: 0.8 },
    { x: 0.1, y: 0.2 },
  ],
  [
    { x: 0.1, y: 0.8 },
    { x: 0.5, y: 0.2 },
  ],
])('spans a rectangle between %j and %j', (from, to) => {
  const { x, y, width, height } = rectangleBetween(from, to);
  expect([x, y]).toEqual([0.1, 0.2]);
  expect(width).toBeCloseTo(0.4);
  expect(height).toBeCloseTo(0.6);
});

const alone = { x: 0, y: 0, width: 1, height: 1 };
const onTheRight = { x: 0, y: 0, width: 1.9, height: 1 };
const onTheLeft = { x: -0.9, y: 0, width: 1.9, height: 1 };
/** The page beside is higher than the main one. */
const foldout = { x: 0, y: 0, width: 3, height: 2 };
const slack = { x: 0.01, y: 0.02 };

describe('a hit test', () => {
  it.each([
    [0.5, 0.5, alone, 'image'],
    [0, 1, alone, 'image'],
    [-0.009, 1.019, alone, 'image'],
    [-0.02, 0.5, alone, 'nowhere'],
    [0.5, 1.03, alone, 'nowhere'],
    [1.2, 0.5, alone, 'nowhere'],
    [1.2, 0.5, onTheRight, 'beside'],
    [1.2, 1.5, onTheRight, 'nowhere'],
    [1.2, 1.5, foldout, 'beside'],
    [0.5, 1.5, foldout, 'nowhere'],
    [-0.2, 0.5, onTheRight, 'nowhere'],
    [-0.2, 0.5, onTheLeft, 'beside'],
  ] as const)('at %d, %d with pages over %o is on: %s', (x, y, spread, aim) => {
    expect(hitTest({ x, y }, spread, slack)).toBe(aim);
  });

  it('moves a point beside the edge to the edge', () =>
    expect(nearestOnImage({ x: -0.01, y: 1.01 })).toEqual({ x: 0, y: 1 }));
});

describe('a limited movement', () => {
  it.each([
    [0.1, 0.1, 0.1, 0.1],
    [-0.5, 0.5, -0.2, 0.3],
    [0.9, -0.9, 0.4, -0.1],
  ])('of %d, %d keeps all points on the image: %d, %d', (x, y, right, down) => {
    const points = [
      { x: 0.2, y: 0.1 },
      { x: 0.6, y: 0.7 },
    ];
    const moved = movementOnImage(points, { x, y });
    expect(moved.x).toBeCloseTo(right);
    expect(moved.y).toBeCloseTo(down);
  });
});
