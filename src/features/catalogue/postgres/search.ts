/** Queries for folders and images by the words of a search, each of which ends early however common or rare the words are. */
import type { Database } from './database.ts';
import { within } from './like.ts';
import type { NameSample } from './name-sample.ts';

/** A search in a folder with all below it. */
interface Search {
  readonly database: Database;
  readonly sample: NameSample;
  readonly path: string;
  readonly words: readonly string[];
  readonly max: number;
}

/** What was found, by paths, and whether it is all. */
interface Found {
  readonly paths: readonly string[];
  readonly isAll: boolean;
}

/** Follows all that begin with a word. */
const behind = (word: string): string => `${word}\u{10ffff}`;

const likeAll = (text: string, words: readonly string[], first: number): string =>
  words.map((_, index) => `${text} like $${first + index}`).join(' and ');

const below = `(f.path = $1 or f.path > $1 || '/' and f.path < $1 || '0')`;

/** The parts of a word by which the index finds it: three letters or digits in a row. */
const trigramsOf = (word: string): readonly string[] =>
  (word.match(/[\p{L}\p{N}]{3,}/gu) ?? []).flatMap((run) => {
    const characters = [...run];
    return characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(''));
  });

interface FoundRow {
  readonly path: string;
}

async function ask(
  { database, path, max }: Search,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly string[]> {
  const rows = await database.search<FoundRow>(text, [path, max, ...values]);
  return rows.map((row) => row.path);
}

/** The folders, with the one that is searched, whose words have all of these. */
export async function foldersWith(search: Search): Promise<Found> {
  const { words, max } = search;
  const text = `select f.path from folders f where ${below} and ${likeAll('f.words', words, 3)} limit $2`;
  const paths = await ask(search, text, words.map(within));
  return { paths, isAll: paths.length < max };
}

const name = 'coalesce(o.folded, o.name)';

/** As the index of words has it. */
const hasWords = `o.name !~ '^[0-9A-Fa-f]{8}(-?[0-9A-Fa-f]{4}){3}'`;

/** Rows that an index gives, of which some may lie in other folders, where the first ones do not suffice. */
const maxCandidates = 20_000;

/** Those of the rows of an index that lie in the folder, and whether there were no more. */
async function amongCandidates(
  search: Search,
  condition: string,
  order: string,
  values: readonly unknown[],
): Promise<Found> {
  const few = await amongFirst(search, search.max, condition, order, values);
  // Rows of common words stand far from each other, so that each is read from a place of its own.
  return few.isAll || few.paths.length === search.max
    ? few
    : amongFirst(search, maxCandidates, condition, order, values);
}

async function amongFirst(
  { database, path, max }: Search,
  most: number,
  condition: string,
  order: string,
  values: readonly unknown[],
): Promise<Found> {
  const [row] = await database.search<{ candidates: number; paths: string[] }>(
    `with c as materialized (
       select o.folder, o.name from objects o where o.kind = 1 and ${condition} ${order} limit ${most}
     ) select (select count(*)::integer from c) as candidates,
       array(select f.path || '/' || c.name from c join folders f on f.id = c.folder where ${below} limit $2) as paths`,
    [path, max, ...values],
  );
  const { candidates = most, paths = [] } = row ?? {};
  return { paths, isAll: candidates < most && paths.length < max };
}

/** Parts up to these numbers are read folder by folder, which takes some hundredths of a second. */
const [smallFolders, smallImages] = [2000, 50_000];

const sizeSql = `
  select count(*)::integer as folders, coalesce(sum(images), 0)::float8 as images
  from (select f.images from folders f where ${below} limit ${smallFolders + 1}) f`;

async function isSmall({ database, path }: Search): Promise<boolean> {
  const [size] = await database.search<{ folders: number; images: number }>(sizeSql, [path]);
  return size !== undefined && size.folders <= smallFolders && size.images <= smallImages;
}

/** Reads folder by folder until there are enough: for small parts, and for common words. */
async function throughFolders(search: Search): Promise<Found> {
  const { words, max } = search;
  const text = `
    select f.path || '/' || o.name as path from folders f cross join lateral (
      select o.name from objects o where o.folder = f.id and o.kind = 1 and ${likeAll(name, words, 3)} limit $2
    ) o where ${below} and f.images > 0 limit $2`;
  const paths = await ask(search, text, words.map(within));
  return { paths, isAll: paths.length < max };
}

/** Rows of chance that are read for common words. */
const maxRead = 200_000;

/** Enough for an answer that says it is not whole. */
const enough = 200;

/** Some of very many, from all over the table; folder by folder where few of these lie in the folder. */
async function someOfMany(search: Search, total: number): Promise<Found> {
  const { words } = search;
  const percentage = Math.min(100, (100 * maxRead) / Math.max(1, total));
  const text = `
    select f.path || '/' || o.name as path from objects o tablesample system (${percentage})
    join folders f on f.id = o.folder where o.kind = 1 and ${likeAll(name, words, 3)} and ${below} limit $2`;
  const paths = await ask(search, text, words.map(within));
  return paths.length >= enough ? { paths, isAll: false } : throughFolders(search);
}

/** Those whose names begin with a word, which takes no longer where there are very many. */
const beginningWith = (search: Search, [first, ...others]: readonly string[]): Promise<Found> =>
  amongCandidates(
    search,
    `${name} >= $3 and ${name} < $4${others.length > 0 ? ` and ${likeAll(name, others, 5)}` : ''}`,
    `order by ${name}`,
    [first, behind(first ?? ''), ...others.map(within)],
  );

/**
 * All words that the index can find are looked up in it: it goes through the rows of the rarest one, which a sample does not tell of
 * words that few names have. The others are compared.
 */
function havingInside(search: Search, words: readonly string[]): Promise<Found> {
  const conditions = words.map(
    (word, index) => `${trigramsOf(word).length > 0 ? name : `(${name} || '')`} like $${index + 3}`,
  );
  return amongCandidates(search, [hasWords, ...conditions].join(' and '), '', words.map(within));
}

/** Of parts of words that more names have, the index has too many to be read within a tenth of a second. */
const maxIndexed = 500_000;

/** Of words that this part of names has, enough are found by chance. */
const commonPart = 0.01;

/** The images whose names have all words. Names that are identifiers are found by what they begin with. */
export async function imagesWith(search: Search): Promise<Found> {
  const { sample, words, max } = search;
  if (await isSmall(search)) return throughFolders(search);
  const names = await sample.read();
  if (names.partWith(words) >= commonPart) return someOfMany(search, names.total);
  const byRarity = [...words].sort((a, b) => names.partWith([a]) - names.partWith([b]) || b.length - a.length);
  const beginning = await beginningWith(search, byRarity);
  if (beginning.paths.length >= max) return beginning;
  const [indexed] = byRarity.filter((word) => trigramsOf(word).length > 0);
  if (indexed === undefined) return { ...beginning, isAll: false };
  // Who asks for a whole name of digits has it; each three of them are in very many names.
  const rarest = Math.min(...trigramsOf(indexed).map((trigram) => names.partWith([trigram])));
  const isLong = rarest * names.total > maxIndexed;
  if (isLong && (beginning.paths.length > 0 || names.partWith([indexed]) * names.total > maxIndexed))
    return { ...beginning, isAll: false };
  const inside = await havingInside(search, words);
  // Names that begin with the word are among those inside, but for identifiers.
  return { paths: [...new Set([...beginning.paths, ...inside.paths])], isAll: beginning.isAll && inside.isAll };
}
