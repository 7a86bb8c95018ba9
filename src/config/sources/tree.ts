/** Values as sources give them, before the schema has read them: objects, of which later ones win over earlier ones. */

/** Settings by name, nested ones as objects; nothing is known of the values yet. */
export type Tree = Readonly<Record<string, unknown>>;

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Both objects in one: nested objects are merged, anything else is the later one's. */
export function mergeTrees(earlier: Tree, later: Tree): Tree {
  const merged: Record<string, unknown> = { ...earlier };
  for (const [name, value] of Object.entries(later)) {
    const before = merged[name];
    merged[name] = isTree(before) && isTree(value) ? mergeTrees(before, value) : value;
  }
  return merged;
}

/** An object in which one value stands at a place. */
export const treeAt = ([name = '', ...rest]: readonly string[], value: unknown): Tree => ({
  [name]: rest.length === 0 ? value : treeAt(rest, value),
});

/** A place as people write it: `access.tokens[0].issuer`. */
export const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');

/** What stands at a place; undefined where nothing does. */
export const valueAt = (tree: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce(
    (value: unknown, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    tree,
  );
