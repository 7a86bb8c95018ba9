/** The settings that name folders and files: where relative ones start, and whether there are such folders and files. */
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Naming } from '../sources/source.ts';
import { isTree, placeOf, type Tree } from '../sources/tree.ts';
import { readPicture } from './picture-file.ts';
import { readUnitsFile } from './units-file.ts';

const resolved = (value: unknown, folder: string): unknown =>
  typeof value === 'string' && value !== '' ? path.resolve(folder, value) : value;

const eachOf = (value: unknown, change: (one: unknown) => unknown): unknown =>
  Array.isArray(value) ? value.map(change) : value;

const eachMember = (value: unknown, change: (one: unknown) => unknown): unknown =>
  isTree(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one)])) : value;

const ownDirectory = (value: unknown, change: (one: unknown) => unknown): unknown =>
  isTree(value) && 'directory' in value ? { ...value, directory: change(value['directory']) } : value;

/** How each setting that holds paths is changed, whatever else stands in it. */
const changers: Readonly<Record<string, (value: unknown, change: (one: unknown) => unknown) => unknown>> = {
  folders: eachOf,
  webapp: (value, change) => change(value),
  units: (value, change) => change(value),
  virtualFolders: (value, change) =>
    eachOf(value, (one) => (isTree(one) ? { ...one, folder: change(one['folder']) } : one)),
  errorPictures: eachMember,
  cache: ownDirectory,
  index: ownDirectory,
  pyramids: ownDirectory,
};

/** The values with all paths made absolute. */
export const resolvePaths = (values: Tree, folder: string): Tree =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      (Object.hasOwn(changers, name) ? changers[name]?.(value, (one) => resolved(one, folder)) : undefined) ?? value,
    ]),
  );

export const isFolder = (place: string): boolean => statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;

interface NamedPaths {
  readonly folders: readonly string[];
  readonly webapp?: string | undefined;
  readonly units?: string | undefined;
  readonly virtualFolders: readonly { readonly folder: string }[];
  readonly errorPictures: { readonly [name: string]: string | undefined };
}

/** Which folders there are not, and which pictures can't be sent; a base directory is named by its path alone. */
export function problemsOnDisk(paths: NamedPaths, nameOf: Naming): readonly string[] {
  const { folders, webapp, units, virtualFolders, errorPictures } = paths;
  const labeled = (place: readonly PropertyKey[], message: string): string => {
    const name = nameOf(place) ?? (place[0] === 'folders' ? undefined : placeOf(place));
    return name === undefined ? message : `${name}: ${message}`;
  };
  const places: readonly (readonly [readonly PropertyKey[], string])[] = [
    ...folders.map((folder, index) => [['folders', index], folder] as const),
    ...(webapp === undefined ? [] : [[['webapp'], webapp] as const]),
    ...virtualFolders.map(({ folder }, index) => [['virtualFolders', index, 'folder'], folder] as const),
  ];
  const faults = units === undefined ? [] : readUnitsFile(units).faults;
  const missing = places.filter(([, folder]) => !isFolder(folder));
  return [
    ...missing.map(([place, folder]) => labeled(place, `there is no folder ${folder}`)),
    ...faults.map((fault) => labeled(['units'], fault)),
    ...Object.entries(errorPictures).flatMap(([name, file]) => {
      const picture = file === undefined ? undefined : readPicture(file);
      return picture && 'problem' in picture ? [labeled(['errorPictures', name], picture.problem)] : [];
    }),
  ];
}
