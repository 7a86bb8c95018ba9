import { expect, it } from 'vitest';
import { numbersAround, partsOf } from '../../../../../web/src/ui/browse/list-parts.ts';

it.each([
  ['page-001.jpg', 'PAGE', '[page]-001.jpg'],
  ['Ölberg', 'olb', '[Ölb]erg'],
  ['Straße', 'strasse', '[Straße]'],
  ['Kräuterbuch', 'kraeuter', '[Kräuter]buch'],
  ['Sørensen', 'soren', '[Søren]sen'],
  ['Olberg von fern', 'fern berg', 'Ol[berg] von [fern]'],
  ['aaa', 'aa', '[aa]a'],
  ['plain', ' ', 'plain'],
  ['other', 'page', 'other'],
])('marks in "%s" the matches of "%s"', (name, query, expected) => {
  const marked = partsOf(name, query).map(({ text, isMarked }) => (isMarked ? `[${text}]` : text));
  expect(marked.join('')).toBe(expected);
});

it.each([
  [1, 1, '1'],
  [1, 3, '1 2 3'],
  [1, 10, '1 2 3 … 10'],
  [4, 10, '1 2 3 4 5 6 … 10'],
  [5, 10, '1 2 3 4 5 6 7 … 10'],
  [6, 12, '1 … 4 5 6 7 8 … 12'],
  [10, 10, '1 … 8 9 10'],
])('shows page %i of %i as %s', (current, last, expected) => {
  expect(
    numbersAround(current, last)
      .map((number) => number ?? '…')
      .join(' '),
  ).toBe(expected);
});
