/** Which way a text runs, by its letters. */
import type { TextDirection } from './page-text.ts';
import type { SourceBlock, SourcePage } from './source-page.ts';

const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** As many words of a page tell enough of it. */
const sampledWords = 200;

/** The first letter of each word that has one. */
function* firstLetters(blocks: readonly SourceBlock[]): Generator<string> {
  for (const { lines } of blocks) {
    for (const { words } of lines) {
      for (const { text } of words) {
        const letter = /\p{L}/u.exec(text)?.[0];
        if (letter !== undefined) yield letter;
      }
    }
  }
}

/** The direction of most words of a page that does not say it: right to left where their first letters are of such a script. */
export function directionOf({ direction, blocks }: Pick<SourcePage, 'direction' | 'blocks'>): TextDirection {
  if (direction !== undefined) return direction;
  let [sampled, fromRight] = [0, 0];
  for (const letter of firstLetters(blocks)) {
    if (rightToLeft.test(letter)) fromRight++;
    if (++sampled === sampledWords) break;
  }
  return fromRight * 2 > sampled ? 'rtl' : 'ltr';
}
