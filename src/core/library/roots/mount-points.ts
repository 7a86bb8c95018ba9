/** Finds the paths under which the library shows a file or folder of the disk. */
import path from 'node:path';
import { childOf, formatIdentifier, type Identifier, rootIdentifier } from '../../image/model/identifier.ts';
import { prefixOf } from './containment.ts';

/** A directory of the disk, and the path at which the library shows it. */
export interface MountPoint {
  /** Absolute, links resolved. */
  readonly directory: string;
  readonly identifier: Identifier;
}

/** The path of a real file or folder below a mount point; undefined where it lies elsewhere. */
function pathBelow({ directory, identifier }: MountPoint, realPath: string): Identifier | undefined {
  if (realPath === directory) return identifier;
  const prefix = prefixOf(directory);
  if (!realPath.startsWith(prefix)) return undefined;
  return realPath.slice(prefix.length).split(path.sep).reduce(childOf, identifier);
}

/**
 * The canonical identifier, then the others under which the mount points show these real paths (absolute, links resolved).
 * The others serve to compare access rules with; they may have names that no request can name.
 */
export function mountedPaths(
  canonical: Identifier,
  realPaths: readonly string[],
  mountPoints: readonly MountPoint[],
): readonly Identifier[] {
  const others = realPaths.flatMap((real) => mountPoints.flatMap((mountPoint) => pathBelow(mountPoint, real) ?? []));
  return [...new Map([canonical, ...others].map((shown) => [formatIdentifier(shown), shown])).values()];
}

export const rootMountPoint = (directory: string): MountPoint => ({ directory, identifier: rootIdentifier });
