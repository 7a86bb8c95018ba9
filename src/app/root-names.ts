/** The names of the roots, which say nothing of the host. */
import type { RootState } from '../core/library/library.ts';

/** A root's name without its path on the host, for everyone. `index` is its place among all roots, from 0. */
export const rootName = ({ link }: Pick<RootState, 'link'>, index: number): string =>
  link === undefined ? `root ${index + 1}` : `virtual folder ${link}`;
