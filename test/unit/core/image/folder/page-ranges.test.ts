/** Pages as readers write them, by positions and labels. */
import { describe, expect, it } from 'vitest';
import { findTypedPages } from '../../../../../src/core/image/folder/page-ranges.ts';

/** 1r, 1v, 2r … 6v, then pages whose labels have dashes. */
const labels = [
  ...Array.from({ length: 12 }, (_, index) => `${Math.floor(index / 2) + 1}${index % 2 === 0 ? 'r' : 'v'}`),
  'plate-1',
  'plate-2',
  'xii–xiii',
];

const positionOfLabel = (label: string): number | undefined => labels.indexOf(label) + 1 || undefined;

const find = (text: string) => findTypedPages(text, labels.length, positionOfLabel);

describe('finds', () => {
  it.each([
    ['3r–5v', [5, 6, 7, 8, 9, 10]],
    ['3r-5v', [5, 6, 7, 8, 9, 10]],
    [' 3r — 3v , 1r ', [5, 6, 1]],
    ['2v', [4]],
    ['6r–', [11, 12, 13, 14, 15]],
    // Numbers alone are positions, with any dash.
    ['3–5', [3, 4, 5]],
    ['2-3, 9', [2, 3, 9]],
    ['14-', [14, 15]],
    // A position and a label.
    ['2–2v', [2, 3, 4]],
    // Labels with dashes.
    ['plate-1', [13]],
    ['plate-1–plate-2', [13, 14]],
    ['plate-1-plate-2', [13, 14]],
    ['6v-plate-1', [12, 13]],
    ['xii–xiii', [15]],
    ['1r;1v', [1, 2]],
  ])('%j', async (text, positions) => expect(await find(text)).toEqual({ positions }));
});

describe('names the part that is no page', () => {
  it.each([
    ['9r', '9r'],
    ['1r, 3r–9v', '3r–9v'],
    ['5v–3r', '5v–3r'],
    ['99', '99'],
    ['x', 'x'],
    ['', ''],
    [' , ', ','],
  ])('of %j', async (text, unknown) => expect(await find(text)).toEqual({ unknown }));
});

it('looks for no more than a hundred labels', async () => {
  let asked = 0;
  const count = (): undefined => {
    asked += 1;
  };
  expect(await findTypedPages(Array.from({ length: 5000 }, () => 'x').join(','), 10, count)).toHaveProperty('unknown');
  expect(asked).toBe(0);
});
