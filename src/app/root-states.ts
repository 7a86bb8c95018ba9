/** The states of the roots' disks, by names that say nothing of the host. */

export interface RootState {
  /** The path at which the library shows a virtual folder; undefined for a base directory. */
  readonly link?: string;
  readonly state: 'answers' | 'hanging' | 'missing';
}

/** A root's name without its path on the host, for everyone. `index` is its place among all roots, from 0. */
export const rootName = ({ link }: Pick<RootState, 'link'>, index: number): string =>
  link === undefined ? `root ${index + 1}` : `virtual folder ${link}`;
