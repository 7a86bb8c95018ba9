/** Virtual folders: paths of the library that lead to folders elsewhere on the disk, and back (digilib.md, section 3). */

import path from 'node:path';
import {
  childOf,
  formatIdentifier,
  type Identifier,
  parseIdentifier,
  rootIdentifier,
} from '../../image/model/identifier.ts';
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

/** A path inside the library, such as `maps/atlas`, and the absolute path of the folder that it leads to. */
export interface VirtualFolder {
  readonly link: string;
  readonly folder: string;
}

/** A virtual folder with its link parsed. */
export interface Mount extends MountPoint {
  /** The names of the link in Unicode normalization form C, for comparisons. */
  readonly names: readonly string[];
}

const normalized = (name: string): string => name.normalize('NFC');

/** The real path of a folder; undefined where there is none. */
export type RealPath = (folder: string) => string | undefined;

function mountOf({ link, folder }: VirtualFolder, realPathOf: RealPath): Mount {
  const identifier = parseIdentifier(link);
  if (identifier === undefined || identifier.segments.length === 0) {
    throw new Error(
      `The virtual folder “${link}” must have a path inside of the library, such as maps/atlas, without .. or names that begin with a dot.`,
    );
  }
  const directory = realPathOf(folder);
  if (directory === undefined) {
    throw new Error(`The virtual folder “${link}” leads to ${folder}, and there is no such folder.`);
  }
  return { identifier, directory, names: identifier.segments.map(normalized) };
}

const startsWith = (names: readonly string[], start: readonly string[]): boolean =>
  start.length <= names.length && start.every((name, index) => name === names[index]);

/** The mounts of virtual folders, longest links first. Throws where a link is no path, is given twice, or leads nowhere. */
export function mountsOf(folders: readonly VirtualFolder[], realPathOf: RealPath): readonly Mount[] {
  const mounts = folders.map((folder) => mountOf(folder, realPathOf));
  const links = mounts.map(({ names }) => names.join('/'));
  const twice = links.find((link, index) => links.indexOf(link) !== index);
  if (twice !== undefined) throw new Error(`There are two virtual folders “${twice}”; a path can lead to one folder.`);
  return mounts.sort((a, b) => b.names.length - a.names.length);
}

/** The innermost mount that a path is in; undefined where there is none. */
export function mountAround(mounts: readonly Mount[], segments: readonly string[]): Mount | undefined {
  if (mounts.length === 0) return undefined;
  const path = segments.map(normalized);
  return mounts.find(({ names }) => startsWith(path, names));
}

/** The names that mounts add to the folder of this path. */
export function mountNamesIn(mounts: readonly Mount[], segments: readonly string[]): readonly string[] {
  if (mounts.length === 0) return [];
  return mountsBelow(mounts, segments).flatMap(({ identifier }) => identifier.segments[segments.length] ?? []);
}

/** The mounts below the folder of this path. */
export function mountsBelow(mounts: readonly Mount[], segments: readonly string[]): readonly Mount[] {
  const path = segments.map(normalized);
  return mounts.filter(({ names }) => names.length > path.length && startsWith(names, path));
}
