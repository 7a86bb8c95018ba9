import { describe, expect, it } from 'vitest';
import {
  copiedText,
  gapBetween,
  partsBetween,
  readPageText,
  type SelectionStep,
  stepOfKey,
  stepped,
  wholeText,
  wholeWords,
} from '../../../../../web/src/model/text/page-text.ts';

const words = (...texts: readonly (string | readonly [string, string])[]) => ({
  words: texts.map((one) => (typeof one === 'string' ? { text: one } : { text: one[0], joined: one[1] })),
});

const text = readPageText({
  direction: 'ltr',
  width: 100,
  height: 100,
  blocks: [
    { lines: [words('Of', 'roses')] },
    {
      lines: [
        words('in', 'the', ['eve-', 'evening,']),
        words(['ning,', ''], 'so'),
        words(['long-', 'longest']),
        words(['est', '']),
      ],
    },
  ],
});

const caret = (word: number, offset: number) => ({ word, offset });
const copied = (from: ReturnType<typeof caret>, to: ReturnType<typeof caret>): string =>
  copiedText(text, partsBetween(text, from, to));

describe('copied text', () => {
  it('is whole with its lines, an empty line between paragraphs, and words that a hyphen parts joined', () => {
    expect(wholeText(text)).toBe('Of roses\n\nin the evening,\nso\nlongest');
  });

  it.each([
    ['from one character to another one', caret(0, 1), caret(1, 3), 'f ros'],
    ['backwards as forwards', caret(1, 3), caret(0, 1), 'f ros'],
    ['with the first part of a parted word alone as it is printed', caret(3, 0), caret(4, 4), 'the eve-'],
    ['with the last part alone as it is printed', caret(5, 0), caret(6, 2), 'ning, so'],
    ['with a parted word whole in its first line', caret(3, 0), caret(6, 2), 'the evening,\nso'],
    ['with the end of a parted word cut where the selection ends', caret(4, 0), caret(5, 3), 'evenin'],
    ['with its beginning cut where the selection begins', caret(4, 1), caret(5, 5), 'vening,'],
    ['without a word of which nothing is selected', caret(0, 2), caret(1, 5), 'roses'],
    ['empty for nothing', caret(2, 1), caret(2, 1), ''],
  ])('goes %s', (_, from, to, expected) => expect(copied(from, to)).toBe(expected));

  it('of some words leaves the others out', () => {
    expect(copiedText(text, wholeWords(text, [1, 4, 6]))).toBe('roses\n\neve-\nso');
  });

  it('has no spaces between Chinese and Japanese words', () => {
    expect(gapBetween('山', '川')).toBe('');
    expect(gapBetween('あ', '。')).toBe('');
    expect(gapBetween('山', 'a')).toBe(' ');
    expect(gapBetween('a', 'b')).toBe(' ');
  });
});

/** Words of 20 pixels in lines of 30, from the left. */
const line = (y: number, ...texts: readonly string[]) => ({
  words: texts.map((text, at) => ({ text, box: [at * 30, y, 20, 20] as const })),
});

const lines = readPageText({
  direction: 'ltr',
  width: 100,
  height: 100,
  blocks: [{ lines: [line(0, 'in', 'the', 'evening'), line(30, 'of', 'May')] }, { lines: [line(60, 'roses')] }],
});

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
  ])('%s', (_, to, step, expected) => expect(stepped(lines, to, step)).toEqual(expected));

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
