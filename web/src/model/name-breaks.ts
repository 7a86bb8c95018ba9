/** Where a name may be broken into lines: after the characters that divide it, so that its parts stay whole. */

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
