/** Makes of plain text what the index stores of a page, without its model: a text without boxes needs no objects for words. */

import type { PlainBlocks } from '../../../core/image/page-text/page-text.ts';
import { directionOfWords, isContinued, printed } from '../../../core/image/page-text/place-text.ts';
import { foldedWordsOf } from './fold.ts';
import { encodeText, joint, lineEnd, plain } from './page-payload.ts';
import type { IndexedPage } from './search-engine.ts';

/** Most lines have nothing that is stored otherwise than it is read. */
const special = /[\u00ad\u0000\u0001]/;

const storedWord = (word: string): string => plain(printed(word));

function* wordsIn(blocks: PlainBlocks): Generator<string> {
  for (const lines of blocks) for (const words of lines) yield* words;
}

/** The lines as they are stored, and the words that are searched. */
interface Collected {
  readonly lines: string[];
  readonly searched: string[];
}

/** Of each line, the whole word of which its last word is the first part. */
function wholeWords(lines: PlainBlocks[number]): readonly (string | undefined)[] {
  const wholes: (string | undefined)[] = [];
  for (const [index, line] of lines.entries()) {
    const [last = '', next] = [line.at(-1), lines[index + 1]?.[0]];
    // A word of three lines is joined with its first two only.
    const isSecond = line.length === 1 && wholes[index - 1] !== undefined;
    const isParted = next !== undefined && !isSecond && isContinued(last, next);
    wholes.push(isParted ? storedWord(last.slice(0, -1) + next) : undefined);
  }
  return wholes;
}

function collectBlock(lines: PlainBlocks[number], { lines: stored, searched }: Collected): void {
  const wholes = wholeWords(lines);
  for (const [index, line] of lines.entries()) {
    const text = line.join(' ');
    const words = special.test(text) ? line.map(storedWord) : line;
    const [before, whole] = [wholes[index - 1], wholes[index]];
    const end = words.length - 1;
    const isWhole = before === undefined && whole === undefined;
    const withParts = (word: string, at: number): string =>
      (at === 0 && before !== undefined ? word + joint : word) +
      (at === end && whole !== undefined ? joint + whole : '');
    stored.push(isWhole ? words.join(' ') : words.map(withParts).join(' '));
    for (let at = before === undefined ? 0 : 1; at < end; at++) searched.push(words[at] ?? '');
    if (end > 0 || before === undefined) searched.push(whole ?? words[end] ?? '');
  }
}

/** The same as of the page of these words: `encodePage(storedPageOf(…))`, and its folded words. */
export function plainPageOf(blocks: PlainBlocks): Pick<IndexedPage, 'words' | 'payload'> {
  const collected: Collected = { lines: [], searched: [] };
  for (const lines of blocks) collectBlock(lines, collected);
  const count = blocks.reduce((sum, lines) => lines.reduce((more, { length }) => more + length, sum), 0);
  const page = { direction: directionOfWords(wordsIn(blocks)), count, step: 0 };
  return {
    words: foldedWordsOf(collected.searched),
    payload: { text: encodeText(page, collected.lines.join(lineEnd)), boxes: new Uint8Array() },
  };
}
