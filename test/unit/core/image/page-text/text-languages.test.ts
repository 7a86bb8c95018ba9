import { describe, expect, it } from 'vitest';
import { languageTag } from '../../../../../src/core/image/page-text/text-languages.ts';

describe('the language of a text', () => {
  it.each([
    ['de', 'de'],
    ['en-US', 'en-US'],
    ['deu', 'de'],
    ['ger', 'de'],
    ['German', 'de'],
    ['frk', 'de'],
    ['lat', 'la'],
    ['chi_sim', 'zh-Hans'],
    ['grc', 'grc'],
    ['und', undefined],
    ['', undefined],
    ['no language', undefined],
    ['constructor', undefined],
    ['x'.repeat(100), undefined],
  ])('%s is the tag %s', (name, tag) => expect(languageTag(name)).toBe(tag));
});
