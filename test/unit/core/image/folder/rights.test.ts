import { expect, it } from 'vitest';
import { rightsName } from '../../../../../src/core/image/folder/rights.ts';
import { rightsWords } from '../../../../../web/src/model/text/metadata-text.ts';

it.each([
  ['http://creativecommons.org/licenses/by-nc-sa/3.0/de/', 'CC BY-NC-SA 3.0 DE'],
  ['https://creativecommons.org/licenses/by/4.0/', 'CC BY 4.0'],
  ['https://creativecommons.org/licenses/by/4.0/legalcode', 'CC BY 4.0'],
  ['https://creativecommons.org/publicdomain/zero/1.0/', 'CC0 1.0'],
  ['http://creativecommons.org/publicdomain/mark/1.0/', 'Public Domain Mark 1.0'],
  ['http://rightsstatements.org/vocab/InC-EDU/1.0/', 'In Copyright – Educational Use Permitted'],
  ['https://rightsstatements.org/page/NKC/1.0/?language=de', 'No Known Copyright'],
  ['http://rightsstatements.org/vocab/constructor/1.0/', 'http://rightsstatements.org/vocab/constructor/1.0/'],
  ['https://example.org/terms', 'https://example.org/terms'],
  ['All rights reserved', 'All rights reserved'],
])('the rights %s are named %s', (rights, name) => expect(rightsName(rights)).toBe(name));

it('names all statements that the reading room says in words', () => {
  for (const word of rightsWords.filter((one) => /^[A-Z]/.test(one)))
    expect(rightsName(`http://rightsstatements.org/vocab/${word}/1.0/`)).toMatch(/Copyright/);
});
