/** Compares names with the text of a search, ignoring case and accents. */

/** Folds case and removes marks: `É` becomes `e`, and `ß` becomes `ss`. */
function folded(text: string): string {
  // Most names are ASCII, and a search compares very many.
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase();
}

/** Returns a test whether a name contains every word of the query; undefined for a query without words. */
export function nameMatcher(query: string): ((name: string) => boolean) | undefined {
  const words = folded(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return undefined;
  return (name) => {
    const text = folded(name);
    return words.every((word) => text.includes(word));
  };
}

/** Returns a test whether a name equals the query except for surrounding space; undefined for an empty query. */
export function nameEqual(query: string): ((name: string) => boolean) | undefined {
  const wanted = folded(query).trim();
  return wanted === '' ? undefined : (name) => folded(name).trim() === wanted;
}
