import { expect, it } from 'vitest';
import { cellByKey, layoutTable, renderedCells, scrollToSee } from '../../../../../web/src/ui/table/layout.ts';

const wish = { width: 1000, height: 800, total: 10_000, size: 200, columns: undefined, rows: undefined };

it.each([
  ['as many columns as fit', {}, { columns: 5, rows: 2000, cellWidth: 200, cellHeight: 250 }],
  ['one column where none fits', { width: 150 }, { columns: 1, rows: 10_000, cellWidth: 150, cellHeight: 188 }],
  ['the columns that are named', { columns: 4 }, { columns: 4, rows: 2500, cellWidth: 250, cellHeight: 313 }],
  ['the rows that are named', { columns: 4, rows: 5 }, { columns: 4, rows: 2500, cellWidth: 250, cellHeight: 160 }],
  ['cells that can be seen', { columns: 500, rows: 90 }, { columns: 20, rows: 500, cellWidth: 50, cellHeight: 48 }],
])('lays out %s', (_name, change, expected) => {
  expect(layoutTable({ ...wish, ...change })).toEqual(expected);
});

const layout = layoutTable(wish);

it.each([
  ['the top', 0, { first: 0, end: 30 }],
  ['the middle', 250_000, { first: 4990, end: 5030 }],
  ['the end', 500_000 - 800, { first: 9970, end: 10_000 }],
])('renders few cells at %s', (_name, scrolled, expected) => {
  expect(renderedCells(layout, scrolled, wish.height, wish.total)).toEqual(expected);
});

it.each([
  ['ArrowRight', 7, 8],
  ['ArrowLeft', 0, 0],
  ['ArrowDown', 7, 12],
  ['ArrowUp', 3, 0],
  ['PageDown', 7, 22],
  ['PageUp', 22, 7],
  ['Home', 22, 0],
  ['End', 22, 9999],
  ['ArrowDown', 9998, 9999],
  ['x', 22, undefined],
  ['toString', 22, undefined],
])('%s moves from cell %i to %s', (key, cell, expected) => {
  expect(cellByKey(key, cell, layout, wish.height, wish.total)).toBe(expected);
});

it.each([
  ['is seen', 7, 0, 0],
  ['lies above', 7, 1000, 250],
  ['lies below', 27, 0, 700],
])('scrolls no further than needed to a cell that %s', (_name, cell, scrolled, expected) => {
  expect(scrollToSee(cell, layout, scrolled, wish.height)).toBe(expected);
});
