/** Values as the sources of settings give them, before the schema has checked them. */
import { isJsonObject, type JsonObject } from '../../core/parsing/parse.ts';

/** Settings by name, nested ones as objects; the values have any type. */
export type Tree = JsonObject;

/** The names and list indexes that lead to a value, from the outermost inward. */
export type KeyPath = readonly PropertyKey[];

export const isTree: (value: unknown) => value is Tree = isJsonObject;

/** Merges two objects: nested objects are merged, any other value of the later one replaces that of the earlier. */
export function mergeTrees(earlier: Tree, later: Tree): Tree {
  const merged: Record<string, unknown> = { ...earlier };
  for (const [name, value] of Object.entries(later)) {
    const before = merged[name];
    merged[name] = isTree(before) && isTree(value) ? mergeTrees(before, value) : value;
  }
  return merged;
}

/** An object with one value at a key path. */
export const treeAt = ([name = '', ...rest]: readonly string[], value: unknown): Tree => ({
  [name]: rest.length === 0 ? value : treeAt(rest, value),
});

/** A key path as people write it: `access.tokens[0].issuer`. */
export const formatKeyPath = (path: KeyPath): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');

/** The value at a key path; undefined where there is none. */
export const valueAt = (tree: unknown, path: KeyPath): unknown =>
  path.reduce(
    (value: unknown, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    tree,
  );
