/** The settings that name files and folders: resolves relative paths, and checks that what they name exists. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { folderStateOf } from '../../core/storage/disk/mount-table.ts';
import { kindOf } from '../../core/storage/storages.ts';
import type { Naming } from '../sources/source.ts';
import { formatKeyPath, isTree, type KeyPath, type Tree } from '../sources/tree.ts';
import { readLogo } from './logo-file.ts';
import { readMark } from './mark-file.ts';
import { readPicture } from './picture-file.ts';
import { readRobotsFile } from './robots-file.ts';
import { readTypeface } from './typeface-file.ts';
import { readUnitsFile } from './units-file.ts';

/** Whether there is a folder at an absolute path, or a disk that does not answer now. */
export const isFolder = (location: string): boolean => folderStateOf(location).kind !== 'none';

/** What is wrong with what a setting names, a sentence each. */
type Check = (location: string) => readonly string[];

const checkFolder: Check = (address) => kindOf(address).faultsOf(address);

/** A check of a file that is read at start, for which the start does not wait where its disk hangs. */
const ifAnswering =
  (check: Check): Check =>
  (location) =>
    folderStateOf(path.dirname(location)).kind === 'hanging'
      ? [`the disk that holds ${location} does not answer`]
      : check(location);

const checkPicture: Check = (location) => {
  const picture = readPicture(location);
  return 'problem' in picture ? [picture.problem] : [];
};

const checkLogo: Check = (location) => {
  const logo = readLogo(location);
  return 'problem' in logo ? [logo.problem] : [];
};

const checkTypeface: Check = (location) => {
  const typeface = readTypeface(location);
  return 'problem' in typeface ? [typeface.problem] : [];
};

const checkMark: Check = (location) => {
  const mark = readMark(location);
  return 'problem' in mark ? [mark.problem] : [];
};

const checkUnits: Check = (location) => readUnitsFile(location).faults;

const checkRobots: Check = (location) => readRobotsFile(location).faults;

const checkLogFile: Check = (location) =>
  isFolder(path.dirname(location)) ? [] : [`there is no folder ${path.dirname(location)}`];

const checkFile: Check = (location) =>
  statSync(location, { throwIfNoEntry: false })?.isFile() ? [] : [`there is no file ${location}`];

/** The server makes this directory where it is missing. */
const unchecked: Check = () => [];

/** Every setting that holds a path, with its check; `*` stands for every entry of a list. */
const pathSettings: readonly (readonly [name: string, check: Check])[] = [
  ['library.folders.*', checkFolder],
  ['library.virtualFolders.*.folder', checkFolder],
  ['http.webapp', checkFolder],
  ['robots.trainingRobots', ifAnswering(checkRobots)],
  ['readingRoom.units', ifAnswering(checkUnits)],
  ['readingRoom.logo', ifAnswering(checkLogo)],
  ['readingRoom.typefaces.headings', ifAnswering(checkTypeface)],
  ['readingRoom.typefaces.text', ifAnswering(checkTypeface)],
  ['digilib.errorPictures.notFound', ifAnswering(checkPicture)],
  ['digilib.errorPictures.denied', ifAnswering(checkPicture)],
  ['digilib.errorPictures.error', ifAnswering(checkPicture)],
  ['cache.directory', unchecked],
  ['pyramids.directory', unchecked],
  ['index.directory', unchecked],
  ['search.directory', unchecked],
  ['search.openSearch.authorizationFile', checkFile],
  ['objectStorage.spoolDirectory', unchecked],
  ['objectStorage.secretAccessKeyFile', checkFile],
  ['redis.passwordFile', checkFile],
  ['catalogue.passwordFile', checkFile],
  ['catalogue.eventsTokenFile', checkFile],
  ['signIn.keysFile', checkFile],
  ['signIn.usersFile', checkFile],
  ['signIn.provider.clientSecretFile', checkFile],
  ['signedLinks.keysFile', checkFile],
  ['purge.targets.*.secretFile', checkFile],
  ['signedLinks.usedFolder', unchecked],
  ['audit.folder', unchecked],
  ['shield.systemsFile', checkFile],
  ['changes.directory', unchecked],
  ['pdf.directory', unchecked],
  ['dataSets.directory', unchecked],
  ['pdf.logo', ifAnswering(checkLogo)],
  ['pdf.fonts.*', ifAnswering(checkFile)],
  ['access.tiers.*.watermark.picture', ifAnswering(checkMark)],
  ['accessLog.file', checkLogFile],
];

type Change = (location: string, at: KeyPath) => string;

/** Changes every path that a name leads to; values of another type stay, and the schema refuses them. */
function mapPaths(value: unknown, [key, ...rest]: readonly string[], change: Change, at: KeyPath = []): unknown {
  if (key === undefined) return typeof value === 'string' && value !== '' ? change(value, at) : value;
  if (key === '*') {
    return Array.isArray(value) ? value.map((entry, index) => mapPaths(entry, rest, change, [...at, index])) : value;
  }
  if (!isTree(value) || !Object.hasOwn(value, key)) return value;
  return { ...value, [key]: mapPaths(value[key], rest, change, [...at, key]) };
}

/** The values with all paths made absolute. */
export const resolvePaths = (values: Tree, folder: string): Tree =>
  pathSettings.reduce<Tree>(
    (tree, [name]) => mapPaths(tree, name.split('.'), (location) => kindOf(location).resolve(folder, location)) as Tree,
    values,
  );

/** What is wrong with the files and folders that the values name; a base directory is named by its path alone. */
export function problemsOnDisk(values: Tree, nameOf: Naming): readonly string[] {
  const problems: string[] = [];
  for (const [setting, check] of pathSettings) {
    mapPaths(values, setting.split('.'), (location, at) => {
      const name = nameOf(at) ?? (setting === 'library.folders.*' ? undefined : formatKeyPath(at));
      problems.push(...check(location).map((problem) => (name === undefined ? problem : `${name}: ${problem}`)));
      return location;
    });
  }
  return problems;
}
