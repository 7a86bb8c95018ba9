/** What a source of settings says. */
import type { Tree } from './tree.ts';

/** How a source names the place of a value, such as its environment variable; undefined for the place itself. */
export type Naming = (path: readonly PropertyKey[]) => string | undefined;

export interface Source {
  /** Settings by name; only how they are written has been understood. */
  readonly values: Tree;
  /** What is wrong with the source itself, a sentence each. */
  readonly problems: readonly string[];
  readonly nameOf: Naming;
}

/** A source that names places as they are. */
export const plainSource = (values: Tree, problems: readonly string[] = []): Source => ({
  values,
  problems,
  nameOf: () => undefined,
});
