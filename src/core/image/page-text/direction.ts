/** Which way a text runs, by its letters and lines. */
import type { TextDirection } from './page-text.ts';
import type { SourceBlock, SourcePage } from './source-page.ts';
import { isVertical } from './vertical.ts';

const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** As many words of a page tell enough of it. */
const sampledWords = 200;

function* wordsIn(blocks: readonly SourceBlock[]): Generator<string> {
  for (const { lines } of blocks) {
    for (const { words } of lines) {
      for (const { text } of words) yield text;
    }
  }
}

/** The direction of most of some words: right to left where their first letters are of such a script. */
export function directionOfWords(words: Iterable<string>): TextDirection {
  let [sampled, fromRight] = [0, 0];
  for (const word of words) {
    const letter = /\p{L}/u.exec(word)?.[0];
    if (letter === undefined) continue;
    if (rightToLeft.test(letter)) fromRight++;
    if (++sampled === sampledWords) break;
  }
  return fromRight * 2 > sampled ? 'rtl' : 'ltr';
}

/** The direction of a page: what it says, else that of its lines and words. */
export function directionOf({ direction, blocks }: Pick<SourcePage, 'direction' | 'blocks'>): TextDirection {
  if (direction !== undefined) return direction;
  return isVertical(blocks) ? 'ttb' : directionOfWords(wordsIn(blocks));
}
