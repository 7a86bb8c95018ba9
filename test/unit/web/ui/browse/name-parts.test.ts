import { expect, it } from 'vitest';
import { partsOf } from '../../../../../web/src/ui/browse/name-parts.ts';

it.each([
  ['page-001.jpg', 'PAGE', '[page]-001.jpg'],
  ['Ölberg', 'olb', '[Ölb]erg'],
  ['Straße', 'strasse', '[Straße]'],
  ['Olberg von fern', 'fern berg', 'Ol[berg] von [fern]'],
  ['aaa', 'aa', '[aa]a'],
  ['plain', ' ', 'plain'],
  ['other', 'page', 'other'],
])('marks in "%s" the matches of "%s"', (name, query, expected) => {
  const marked = partsOf(name, query).map(({ text, isMarked }) => (isMarked ? `[${text}]` : text));
  expect(marked.join('')).toBe(expected);
});
