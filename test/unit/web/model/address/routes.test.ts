import { describe, expect, it } from 'vitest';
import { chapterAround, takenPath } from '../../../../../web/src/model/address/routes.ts';

describe('the address of what is taken along', () => {
  it.each([
    [['pdf', 'books/herbal', 'de'], 'pdf/books/herbal.pdf?lang=de'],
    [['pdf', 'books/herbal', 'en', [1, 2, 3, 7]], 'pdf/books/herbal.pdf?at=1-3,7&lang=en'],
    [['zip', 'a b', 'fr', [4]], 'zip/a%20b.zip?at=4&lang=fr'],
  ] as const)('%j is %s', (parameters, path) => {
    const [form, folder, language, at] = parameters;
    expect(takenPath(form, folder, language, at)).toBe(path);
  });
});

describe('the chapter around a page', () => {
  const contents = [
    { label: 'One', at: 2, contents: [{ label: 'One and a half', at: 4, contents: [] }] },
    { label: 'Two', at: 6, contents: [] },
  ];

  it.each([
    [1, undefined],
    [2, ['One', [2, 3]]],
    [3, ['One', [2, 3]]],
    [5, ['One and a half', [4, 5]]],
    [7, ['Two', [6, 7, 8]]],
  ])('%d of 8 is %j', (at, expected) => {
    const found = chapterAround(contents, at, 8);
    expect(found && [found.label, found.at]).toEqual(expected);
  });

  it('is none without chapters', () => expect(chapterAround([], 1, 3)).toBeUndefined());
});
