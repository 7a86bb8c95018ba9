import { describe, expect, it } from 'vitest';
import {
  formatPageNumbers,
  pageNumbersOf,
  parsePageNumbers,
} from '../../../../../src/core/image/folder/page-labels.ts';

const numbersIn = (text: string, count: number): readonly number[] | undefined => {
  const ranges = parsePageNumbers(text);
  return ranges && pageNumbersOf(ranges, count);
};

describe('a list of page numbers', () => {
  it.each([
    ['1-', 4, [1, 2, 3, 4]],
    ['1-5', 4, [1, 2, 3, 4]],
    ['5,10,15', 12, [5, 10]],
    ['1-3,9-11', 10, [1, 2, 3, 9, 10]],
    ['3,1,3,2-4', 9, [3, 1, 2, 4]],
    [' 2 - 3 , 7 ', 9, [2, 3, 7]],
    ['2-,', 3, [2, 3]],
    ['9', 3, []],
  ])('%s of %d pages', (text, count, numbers) => expect(numbersIn(text, count)).toEqual(numbers));

  it.each(['', ',', '0', '0-3', '3-1', '-3', 'a', '1..3', '1;2', '1-2-3', '99999999'])('%j is none', (text) =>
    expect(parsePageNumbers(text)).toBeUndefined(),
  );

  it('with very many ranges is none', () => {
    expect(parsePageNumbers(Array.from({ length: 5001 }, () => '1').join(','))).toBeUndefined();
  });

  it.each([[[1, 2, 3, 9, 11, 12]], [[3, 1, 2]], [[7]]])('of %j is read back as it was', (numbers) => {
    expect(numbersIn(formatPageNumbers(numbers), 100)).toEqual(numbers);
  });
});
