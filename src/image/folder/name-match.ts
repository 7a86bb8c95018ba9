/** Whether a name holds the words that somebody looks for, whatever their case and accents. */

/** Letters without case and without marks: `É` and `e` are one, and so are `ß` and `ss`. */
function plainLetters(text: string): string {
  // Most names are ASCII, and a search looks at very many.
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase();
}

/** Says whether a name holds every word of the query; undefined for a query without words. */
export function nameMatcher(query: string): ((name: string) => boolean) | undefined {
  const words = plainLetters(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return undefined;
  return (name) => {
    const letters = plainLetters(name);
    return words.every((word) => letters.includes(word));
  };
}

/** Says whether a name is the query, but for case, accents and the space around it; undefined for an empty query. */
export function nameEqual(query: string): ((name: string) => boolean) | undefined {
  const wanted = plainLetters(query).trim();
  return wanted === '' ? undefined : (name) => plainLetters(name).trim() === wanted;
}
