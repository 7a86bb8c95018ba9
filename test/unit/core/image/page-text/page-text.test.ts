import { expect, it } from 'vitest';
import { type PageText, plainText } from '../../../../../src/core/image/page-text/page-text.ts';

const line = (text: string) => ({ words: text.split(' ').map((word) => ({ text: word })) });

it('gives the lines of a page, and an empty line between blocks', () => {
  const text: PageText = {
    direction: 'ltr',
    blocks: [{ lines: [line('Of the virtues'), line('of herbs')] }, { lines: [line('Chap. 2')] }],
  };
  expect(plainText(text)).toBe('Of the virtues\nof herbs\n\nChap. 2');
});
