import { expect, test } from 'vitest';
import { nearestName, suggestion } from '../../../../src/core/parsing/nearest.ts';

const names = ['port', 'host', 'maxArea', 'maxWidth'] as const;

test.each<[string, string | undefined]>([
  ['maxAera', 'maxArea'],
  ['MAXAREA', 'maxArea'],
  ['max-area', 'maxArea'],
  ['max_aera', 'maxArea'],
  ['maxAra', 'maxArea'],
  ['prot', 'port'],
  ['pt', undefined],
  ['zebra', undefined],
  ['', undefined],
  ['maxArea'.repeat(10), undefined],
])('the name nearest to %j is %j', (word, nearest) => expect(nearestName(word, names)).toBe(nearest));

test('a suggestion ends a sentence with the nearest name as it is written there, or is empty', () => {
  expect(suggestion('prot', names)).toBe('; did you mean port?');
  expect(suggestion('prot', names, (name) => `<${name}>`)).toBe('; did you mean <port>?');
  expect(suggestion('zebra', names)).toBe('');
});
