/** Moves the end of a selection of words by keys: by a word, or by a line. */
import type { Caret } from './copied-text.ts';
import { isBefore } from './copied-text.ts';
import type { PageText, TextDirection } from './page-text.ts';
import type { Rect } from './view-state.ts';

export type SelectionStep = 'next-word' | 'previous-word' | 'next-line' | 'previous-line';

/** What the arrow keys mean by how the line of the end runs, however the image is turned. */
const stepsByKey: Readonly<Record<TextDirection, Readonly<Record<string, SelectionStep>>>> = {
  ltr: {
    ArrowRight: 'next-word',
    ArrowLeft: 'previous-word',
    ArrowDown: 'next-line',
    ArrowUp: 'previous-line',
  },
  rtl: {
    ArrowLeft: 'next-word',
    ArrowRight: 'previous-word',
    ArrowDown: 'next-line',
    ArrowUp: 'previous-line',
  },
  ttb: {
    ArrowDown: 'next-word',
    ArrowUp: 'previous-word',
    ArrowLeft: 'next-line',
    ArrowRight: 'previous-line',
  },
};

/** Undefined for keys that are no arrows. */
export const stepOfKey = (key: string, direction: TextDirection): SelectionStep | undefined =>
  stepsByKey[direction][key];

/** Before the first character of a word. */
const startOf = (word: number): Caret => ({ word, offset: 0 });

/** Behind the last character of a word. */
const endOf = ({ words }: PageText, word: number): Caret => ({ word, offset: words[word]?.text.length ?? 0 });

function nextWord(text: PageText, to: Caret): Caret {
  const end = endOf(text, to.word);
  if (isBefore(to, end)) return end;
  return to.word + 1 < text.words.length ? endOf(text, to.word + 1) : end;
}

const previousWord = ({ word, offset }: Caret): Caret => startOf(offset > 0 ? word : Math.max(0, word - 1));

const middleAlong = ({ x, y, width, height }: Rect, direction: TextDirection): number =>
  direction === 'ttb' ? y + height / 2 : x + width / 2;

/** The word of a line that is nearest to another word along the line; its first where nothing says where they are. */
function nearestWord({ words, lines }: PageText, line: number, word: number): number | undefined {
  const target = lines[line];
  const box = words[word]?.box;
  if (target === undefined) return undefined;
  let [nearest, least] = [target.from, Number.POSITIVE_INFINITY];
  for (let at = target.from; at < target.to; at += 1) {
    const other = words[at]?.box;
    if (box === undefined || other === undefined) continue;
    const distance = Math.abs(middleAlong(other, target.direction) - middleAlong(box, target.direction));
    if (distance < least) [nearest, least] = [at, distance];
  }
  return nearest;
}

/** Selects at least one word more: the last word of the text after the last line, the first one before the first. */
function byLine(text: PageText, to: Caret, by: 1 | -1): Caret {
  const word = nearestWord(text, (text.words[to.word]?.line ?? 0) + by, to.word);
  if (by === 1) return endOf(text, word ?? text.words.length - 1);
  return startOf(word ?? 0);
}

/** The end of the selection after a step; the same place where the text ends. */
export function stepped(text: PageText, to: Caret, step: SelectionStep): Caret {
  if (step === 'next-word') return nextWord(text, to);
  if (step === 'previous-word') return previousWord(to);
  return byLine(text, to, step === 'next-line' ? 1 : -1);
}
