/** A word as a part of a text; the words are parameters, of which `_` and `%` stand for themselves. */
export const within = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`;
