import { describe, expect, it } from 'vitest';
import { type SelectionStep, stepOfKey, stepped } from '../../../../web/src/model/text/carets.ts';
import { readPageText } from '../../../../web/src/model/text/page-text.ts';

/** Words of 20 pixels in lines of 30, from the left. */
const line = (y: number, ...texts: readonly string[]) => ({
  words: texts.map((text, at) => ({ text, box: [at * 30, y, 20, 20] as const })),
});

const text = readPageText({
  direction: 'ltr',
  width: 100,
  height: 100,
  blocks: [{ lines: [line(0, 'in', 'the', 'evening'), line(30, 'of', 'May')] }, { lines: [line(60, 'roses')] }],
});

const caret = (word: number, offset: number) => ({ word, offset });

describe('the end of a selection', () => {
  it.each<[string, ReturnType<typeof caret>, SelectionStep, ReturnType<typeof caret>]>([
    ['goes to the end of its word', caret(1, 1), 'next-word', caret(1, 3)],
    ['goes to the end of the next word', caret(1, 3), 'next-word', caret(2, 7)],
    ['goes on in the next line', caret(2, 7), 'next-word', caret(3, 2)],
    ['stays at the end of the text', caret(5, 5), 'next-word', caret(5, 5)],
    ['goes to the start of its word', caret(1, 2), 'previous-word', caret(1, 0)],
    ['goes to the start of the word before', caret(3, 0), 'previous-word', caret(2, 0)],
    ['stays at the start of the text', caret(0, 0), 'previous-word', caret(0, 0)],
    ['goes to the word below', caret(1, 3), 'next-line', caret(4, 3)],
    ['goes to the nearest word of a shorter line', caret(2, 7), 'next-line', caret(4, 3)],
    ['goes to the end of the text from the last line', caret(5, 0), 'next-line', caret(5, 5)],
    ['goes to the word above', caret(4, 3), 'previous-line', caret(1, 0)],
    ['goes to the start of the text from the first line', caret(2, 7), 'previous-line', caret(0, 0)],
  ])('%s', (_, to, step, expected) => expect(stepped(text, to, step)).toEqual(expected));

  it('goes to the first word of a line whose words are nowhere', () => {
    const unplaced = readPageText({
      direction: 'ltr',
      width: 100,
      height: 100,
      blocks: [{ lines: [{ words: [{ text: 'a' }, { text: 'b' }] }, { words: [{ text: 'c' }, { text: 'd' }] }] }],
    });
    expect(stepped(unplaced, caret(1, 1), 'next-line')).toEqual(caret(2, 1));
  });
});

it.each([
  ['ltr', 'ArrowRight', 'next-word'],
  ['rtl', 'ArrowLeft', 'next-word'],
  ['ttb', 'ArrowDown', 'next-word'],
  ['ttb', 'ArrowLeft', 'next-line'],
  ['rtl', 'ArrowUp', 'previous-line'],
  ['ltr', 'Enter', undefined],
] as const)('in a %s line %s means %s', (direction, key, step) => expect(stepOfKey(key, direction)).toBe(step));
