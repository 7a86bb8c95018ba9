/** Long labels in few characters, and where long names may be broken into lines. */

/** Stands for what is left out. */
const ellipsis = '…';

/** Words with the separators before them. */
const wordsOf = (label: string): readonly string[] => label.match(/[\s_.\-/]*[^\s_.\-/]+/gu) ?? [label];

const hasDigit = (word: string): boolean => /\p{Nd}/u.test(word);

/** The text without separators at its ends. */
const trimmed = (text: string): string => text.replace(/^[\s_.\-/]+|[\s_.\-/]+$/gu, '');

function fromStart(label: string, most: number): string {
  return trimmed([...label].slice(0, most - 1).join('')) + ellipsis;
}

/**
 * A label in at most `most` characters. The last word with a digit stays, since numbers tell pages apart, and as many words
 * after and then before it as fit: `Folio 12 recto` becomes `…12 recto`. A label without digits keeps its beginning.
 */
export function shortLabel(label: string, most: number): string {
  if ([...label].length <= most) return label;
  const words = wordsOf(label);
  const numbered = words.findLastIndex(hasDigit);
  if (numbered < 0) return fromStart(label, most);
  const written = (from: number, to: number): string =>
    (from > 0 ? ellipsis : '') + trimmed(words.slice(from, to).join('')) + (to < words.length ? ellipsis : '');
  const fits = (from: number, to: number): boolean => [...written(from, to)].length <= most;
  let [from, to] = [numbered, numbered + 1];
  if (!fits(from, to)) return ellipsis + [...trimmed(words[numbered] ?? '')].slice(1 - most).join('');
  while (to < words.length && fits(from, to + 1)) to += 1;
  while (from > 0 && fits(from - 1, to)) from -= 1;
  return written(from, to);
}

/** A part of fewer characters is not worth a line. */
const leastLength = 3;

/** After a divider, after a dot that begins no extension, and before a capital after a small letter. */
const breaks = /(?<=[_/,+=&])(?!$)|(?<=\.)(?!\w{2,4}$)(?!$)|(?<=\p{Ll})(?=\p{Lu})/u;

/** The parts of a name between which a line may break. Spaces and hyphens break of themselves. */
export function namePieces(name: string): readonly string[] {
  const pieces: string[] = [];
  for (const piece of name.split(breaks)) {
    const last = pieces.at(-1);
    const isShort = last !== undefined && (last.length < leastLength || piece.length < leastLength);
    if (isShort) pieces[pieces.length - 1] = last + piece;
    else pieces.push(piece);
  }
  return pieces;
}
