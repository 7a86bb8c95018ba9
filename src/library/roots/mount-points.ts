/** Under which paths the library shows one place of the disk. */
import path from 'node:path';
import { childOf, formatIdentifier, type Identifier, rootIdentifier } from '../../image/model/identifier.ts';

/** Where the disk enters the library. */
export interface MountPoint {
  /** Absolute, links resolved. */
  readonly directory: string;
  /** The path that it has in the library. */
  readonly identifier: Identifier;
}

/** The path of a real place behind an entrance; undefined where it lies elsewhere. */
function behind({ directory, identifier }: MountPoint, realPath: string): Identifier | undefined {
  if (realPath === directory) return identifier;
  const prefix = directory.endsWith(path.sep) ? directory : directory + path.sep;
  if (!realPath.startsWith(prefix)) return undefined;
  return realPath.slice(prefix.length).split(path.sep).reduce(childOf, identifier);
}

/**
 * The canonical identifier, then the others under which the entrances show these real paths (absolute, links resolved).
 * An identifier among the others may have names that nothing can be asked by: it is there for rules to be compared with.
 */
export function placesOf(
  canonical: Identifier,
  realPaths: readonly string[],
  entrances: readonly MountPoint[],
): readonly Identifier[] {
  const shown = realPaths.flatMap((real) => entrances.flatMap((entrance) => behind(entrance, real) ?? []));
  return [...new Map([canonical, ...shown].map((place) => [formatIdentifier(place), place])).values()];
}

/** The entrance of a base directory. */
export const rootMountPoint = (directory: string): MountPoint => ({ directory, identifier: rootIdentifier });
