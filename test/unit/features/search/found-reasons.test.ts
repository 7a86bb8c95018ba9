/** Which text explains a find, and which part of it is shown. */
import { describe, expect, it } from 'vitest';
import { nameMatcher } from '../../../../src/core/image/folder/page-labels.ts';
import { excerptOf, reasonAmong } from '../../../../src/features/search/found-reasons.ts';

const texts = [
  { kind: 'title', label: '', text: 'A codex' },
  { kind: 'metadata', label: 'Author', text: 'Ada Example' },
  { kind: 'summary', label: '', text: 'Ada on the motion of comets, a codex' },
] as const;

describe('the reason of a find', () => {
  it.each([
    ['codex', texts[0]],
    ['ada', texts[1]],
    ['ada comets', texts[2]],
    ['example codex', texts[0]],
    ['zebra', undefined],
  ])('for “%s”', (query, reason) => expect(reasonAmong(texts, query)).toEqual(reason));
});

describe('the excerpt of a text', () => {
  const has = (word: string) => nameMatcher(word) ?? (() => false);
  const long = `${'word '.repeat(60)}the Comet of 1680 ${'more '.repeat(60)}`;

  it('is the whole of a short one', () => expect(excerptOf('  A  short\ntext ', has('text'))).toBe('A short text'));

  it('is around the first word that was searched for', () => {
    const excerpt = excerptOf(long, has('comet'));
    expect(excerpt).toMatch(/^… (?:word )+the Comet of 1680 (?:more )+…$/);
    expect(excerpt.length).toBeLessThan(190);
  });

  it('is the beginning where no word is found', () =>
    expect(excerptOf(long, has('zebra'))).toMatch(/^word word .* …$/));
});
