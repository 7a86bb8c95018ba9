import { expect, it } from 'vitest';
import { sizeInside } from '../../../web/src/data/picture.ts';
import { imageTag } from '../../../web/src/model/citation.ts';
import { frameTag } from '../../../web/src/model/embed-tags.ts';
import { partsOf } from '../../../web/src/ui/browse/name-parts.ts';
import { numbersAround } from '../../../web/src/ui/browse/page-numbers.ts';
import { miradorSnippet } from '../../../web/src/ui/open-with/snippets.ts';

it.each([
  [1, 1, '1'],
  [1, 3, '1 2 3'],
  [1, 10, '1 2 3 … 10'],
  [4, 10, '1 2 3 4 5 6 … 10'],
  [5, 10, '1 2 3 4 5 6 7 … 10'],
  [6, 12, '1 … 4 5 6 7 8 … 12'],
  [10, 10, '1 … 8 9 10'],
])('names the parts around %i of %i as %s', (current, last, expected) => {
  expect(
    numbersAround(current, last)
      .map((number) => number ?? '…')
      .join(' '),
  ).toBe(expected);
});

it.each([
  ['page-001.jpg', 'PAGE', '[page]-001.jpg'],
  ['Ölberg', 'olb', '[Ölb]erg'],
  ['Straße', 'strasse', '[Straße]'],
  ['Olberg von fern', 'fern berg', 'Ol[berg] von [fern]'],
  ['aaa', 'aa', '[aa]a'],
  ['plain', ' ', 'plain'],
  ['other', 'page', 'other'],
])('marks in "%s" what was searched for by "%s"', (name, query, expected) => {
  const marked = partsOf(name, query).map(({ text, isMarked }) => (isMarked ? `[${text}]` : text));
  expect(marked.join('')).toBe(expected);
});

it.each([
  [
    { width: 1200, height: 1700 },
    { width: 152, height: 216 },
  ],
  [
    { width: 4000, height: 1000 },
    { width: 176, height: 44 },
  ],
  [
    { width: 60, height: 80 },
    { width: 60, height: 80 },
  ],
  [
    { width: 90_000, height: 10 },
    { width: 176, height: 1 },
  ],
])('shows an image of %o whole and never enlarged', (image, expected) => {
  expect(sizeInside(image, { width: 176, height: 216 })).toEqual(expected);
});

it('keeps names from ending the markup or the script that they are put into', () => {
  const nasty = '"></script><b a="&';
  for (const text of [imageTag(nasty, nasty), frameTag(nasty, nasty)]) {
    expect(text).not.toContain('</script>');
    expect(text.match(/"/g)).toHaveLength(text.startsWith('<img') ? 4 : 10);
  }
  expect(miradorSnippet({ manifest: nasty, canvas: nasty }).match(/<\/script>/g)).toHaveLength(2);
});
