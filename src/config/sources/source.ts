/** One source of settings, such as the environment. */
import type { KeyPath, Tree } from './tree.ts';

/** How a source names the value at a key path, such as by its environment variable; undefined for the key path itself. */
export type Naming = (path: KeyPath) => string | undefined;

export interface Source {
  /** Settings by name; the schema has not checked them yet. */
  readonly values: Tree;
  /** What is wrong with the source itself, a sentence each. */
  readonly problems: readonly string[];
  readonly nameOf: Naming;
}

/** A source that names values by their key paths. */
export const plainSource = (values: Tree, problems: readonly string[] = []): Source => ({
  values,
  problems,
  nameOf: () => undefined,
});
