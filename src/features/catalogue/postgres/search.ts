/** Queries for folders and images by the words of a search. */
import type { Database } from './database.ts';

/** A word as a part of a text; the words are parameters, of which `_` and `%` stand for themselves. */
const within = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`;

/** Follows all that begin with a word. */
const behind = (word: string): string => `${word}\u{10ffff}`;

const likeAll = (text: string, words: readonly string[], first: number): string =>
  words.map((_, index) => `${text} like $${first + index}`).join(' and ');

const below = `f.path > $1 || '/' and f.path < $1 || '0'`;

/** The paths of folders below a folder, and of itself, whose words have all of these. */
export async function foldersWith(
  database: Database,
  path: string,
  words: readonly string[],
  max: number,
): Promise<readonly string[]> {
  const rows = await database.search<{ path: string }>(
    `select f.path from folders f where (f.path = $1 or ${below}) and ${likeAll('f.words', words, 3)} limit $2`,
    [path, max, ...words.map(within)],
  );
  return rows.map((row) => row.path);
}

interface FoundRow {
  readonly path: string;
  readonly name: string;
}

const name = 'coalesce(o.folded, o.name)';
const images = `objects o join folders f on f.id = o.folder where o.kind = 1 and (f.path = $1 or ${below})`;
const hasWords = `o.name !~ '^[0-9A-Fa-f]{8}(-?[0-9A-Fa-f]{4}){3}'`;

/**
 * The paths of images below a folder whose names have all of these words: first those that begin with the longest word, which
 * are found at once however many there are.
 */
export async function imagesWith(
  database: Database,
  path: string,
  words: readonly string[],
  max: number,
): Promise<readonly string[]> {
  const [longest = ''] = [...words].sort((a, b) => b.length - a.length);
  const pathsOf = (rows: readonly FoundRow[]): readonly string[] => rows.map((row) => `${row.path}/${row.name}`);
  const patterns = words.map(within);
  const beginning = await database.search<FoundRow>(
    `select f.path, o.name from ${images} and ${name} >= $3 and ${name} < $4 and ${likeAll(name, words, 5)} limit $2`,
    [path, max, longest, behind(longest), ...patterns],
  );
  if (beginning.length === max) return pathsOf(beginning);
  const inside = await database.search<FoundRow>(
    `select f.path, o.name from ${images} and ${hasWords} and ${likeAll(name, words, 3)} limit $2`,
    [path, max, ...patterns],
  );
  return [...new Set([...pathsOf(beginning), ...pathsOf(inside)])].slice(0, max);
}
