import { expect, test } from 'vitest';
import { endOfUntil } from '../../../../../src/core/image/model/until.ts';

const endOf = (text: string): string | undefined => {
  const end = endOfUntil(text);
  return end === undefined ? undefined : new Date(end).toISOString();
};

test.each([
  ['2061', '2062-01-01T00:00:00.000Z'],
  ['2061-07', '2061-08-01T00:00:00.000Z'],
  ['2061-12', '2062-01-01T00:00:00.000Z'],
  ['2061-07-31', '2061-08-01T00:00:00.000Z'],
  ['2061-12-31', '2062-01-01T00:00:00.000Z'],
  ['2028-02-29', '2028-03-01T00:00:00.000Z'],
  ['0099', '0100-01-01T00:00:00.000Z'],
])('%s ends at %s', (text, expected) => expect(endOf(text)).toBe(expected));

test.each([
  '',
  '61',
  '2061-7',
  '2061-00',
  '2061-13',
  '2061-02-29',
  '2061-04-31',
  '2061-04-00',
  ' 2061',
  '2061-07-31T00:00',
  '20611',
])('%j is no date', (text) => expect(endOfUntil(text)).toBeUndefined());
