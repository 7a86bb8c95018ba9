/** The keys of shortcuts, from the sources as text: the modules need a page. */
import { readFileSync } from 'node:fs';

const sourceOf = (name: string): string =>
  readFileSync(new URL(`../../../../web/src/ui/${name}`, import.meta.url), 'utf8');

const keysIn = (text: string): readonly string[] =>
  [...text.matchAll(/\{ keys: \[([^\n]+?)\], name/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/'((?:[^'\\]|\\.)+)'/g)].map(([, key = '']) => key),
  );

/** All keys of a file, in its order. */
export const keysOfFile = (name: string): readonly string[] => keysIn(sourceOf(name));

/** The keys of a list in a file, with those of the lists of another file that it contains. */
export function keysOfList(name: string, list: string, sharedFile: string): readonly string[] {
  const listIn = (file: string, wanted: string): string => {
    const text = new RegExp(`const ${wanted}: readonly Shortcut\\[\\] = \\[([^]*?)\\n\\];`).exec(sourceOf(file))?.[1];
    if (text === undefined) throw new Error(`${file} has no list ${wanted}`);
    return text;
  };
  const own = listIn(name, list);
  const shared = [...own.matchAll(/\.\.\.(\w+)/g)].map(([, other = '']) => listIn(sharedFile, other));
  return [own, ...shared].flatMap(keysIn);
}

export const repeated = (keys: readonly string[]): readonly string[] =>
  keys.filter((key, index) => keys.indexOf(key) !== index);
