import { expect, it } from 'vitest';
import { foldName } from '../../../../src/core/access/path-rules.ts';
import { isWhole } from '../../../sweep.ts';

/** Spellings of a name that are equal on a file system that ignores case and Unicode form. */
const spellings = (text: string): readonly string[] => [
  text.toUpperCase(),
  text.toLowerCase(),
  text.normalize('NFC'),
  text.normalize('NFD'),
  text.normalize('NFD').toUpperCase(),
  text.toUpperCase().toLowerCase(),
  text.toLowerCase().toUpperCase(),
  foldName(text),
];

it('is the same for all spellings of every character of the first two planes', { tags: 'sampled' }, () => {
  const different: string[] = [];
  // Beyond the first alphabets a sample.
  for (let code = 0; code < 0x2_0000; code += isWhole || code < 0x600 ? 1 : 7) {
    const character = String.fromCodePoint(code);
    const folded = foldName(character);
    if (spellings(character).some((spelling) => foldName(spelling) !== folded)) different.push(code.toString(16));
  }
  expect(different).toEqual([]);
});

it('is different for different names', () => {
  const names = ['a', 'b', 'ä', 'á', 'а', 'a b', 'ab', 'a.b', 'a-b', '中', '文', '1', '2', 'א', 'ב', '🙂', '🙃'];
  expect(new Set(names.map(foldName)).size).toBe(names.length);
});
