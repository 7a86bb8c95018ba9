/** The recipes of a fetched IIIF cookbook: their files at the newest commit, with the addresses that its site would give them. */
import { execFileSync } from 'node:child_process';
import { isObject } from '../../web/src/model/json-value.ts';

/** A git directory or a work tree of github.com/IIIF/cookbook-recipes; `scripts/check-cookbook.mjs` names it. */
const folder = process.env['LECTERN_TEST_COOKBOOK'] ?? '';

function git(...args: readonly string[]): Buffer {
  if (folder === '')
    throw new Error('LECTERN_TEST_COOKBOOK has to name a checkout of github.com/IIIF/cookbook-recipes.');
  return execFileSync('git', ['-C', folder, ...args], { maxBuffer: 100_000_000, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The commit and its day, as in `31efecaa of 2026-07-20`. */
export const cookbookVersion = (): string => git('log', '-1', '--format=%h of %cs', '--abbrev=8').toString().trim();

/** The paths below `recipe/` of the files that a viewer may ask for. */
export const cookbookFiles = (): readonly string[] =>
  git('ls-tree', '-r', '--name-only', 'HEAD', 'recipe')
    .toString()
    .split('\n')
    .filter((name) => /\.(?:json|css|vtt|xml|txt)$/.test(name));

export const readCookbookFile = (name: string): Buffer => git('show', `HEAD:${name}`);

/** The number of each recipe with its title. */
export function cookbookRecipes(): ReadonlyMap<string, string> {
  const names = git('ls-tree', '--name-only', 'HEAD', 'recipe/').toString().split('\n');
  const numbers = names.flatMap((name) => /^recipe\/(\d{4})-/.exec(name)?.[1] ?? []);
  return new Map(
    numbers.map((number, index) => {
      const name = names.filter((one) => /^recipe\/\d{4}-/.test(one))[index] ?? '';
      const [, title = name] = /^title: *"?(.+?)"?$/m.exec(readCookbookFile(`${name}/index.md`).toString()) ?? [];
      return [number, title.replaceAll('&mdash;', '—')];
    }),
  );
}

/** A value with all of its strings changed. */
export function withStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => withStrings(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withStrings(member, change)]));
}

/** A recipe's document as the site of the cookbook would serve it below `base`. */
export function documentAt(name: string, base: string): unknown {
  const [address, around] = [`${base}/${name}`, `${base}/${name.replace(/\/[^/]*$/, '')}`];
  return withStrings(JSON.parse(readCookbookFile(name).toString()), (text) =>
    text
      .replace(/\{\{\s*id\.url\s*\}\}/g, address)
      .replace(/\{\{\s*id\.path\s*\}\}/g, around)
      .replaceAll('https://iiif.io/api/cookbook/recipe/', `${base}/recipe/`)
      .trim(),
  );
}
