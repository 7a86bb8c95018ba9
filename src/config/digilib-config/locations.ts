/** Where digilib searches for the files and folders of its configuration: relative to the webapp's folder, or to its WEB-INF. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { folderStateOf } from '../../core/storage/disk/mount-table.ts';
import { isFolder } from '../files/paths.ts';

export const isFile = (location: string): boolean => statSync(location, { throwIfNoEntry: false })?.isFile() ?? false;

/** The two folders around a site's digilib-config.xml. */
export interface DigilibLocations {
  readonly configFile: string;
  readonly webInf: string;
  /** The parent of WEB-INF; the file's own folder where that has another name. */
  readonly webapp: string;
}

/** The locations around a file; a folder stands for the digilib-config.xml in it or in its WEB-INF. */
export function digilibLocations(named: string): DigilibLocations {
  const given = path.resolve(named);
  const inside = [path.join(given, 'digilib-config.xml'), path.join(given, 'WEB-INF', 'digilib-config.xml')];
  const configFile = (isFolder(given) && inside.find(isFile)) || given;
  const webInf = path.dirname(configFile);
  const webapp = path.basename(webInf).toUpperCase() === 'WEB-INF' ? path.dirname(webInf) : webInf;
  return { configFile, webInf, webapp };
}

/** A folder or picture that a parameter names. */
export const inWebapp = ({ webapp }: DigilibLocations, name: string): string => path.resolve(webapp, name);

/**
 * The configuration file that a parameter names: as given or in WEB-INF, else in the webapp's folder. digilib searches
 * WEB-INF also for the last name of an absolute path that does not exist. Where there is none, the first location is returned.
 */
export function configFileOf({ webInf, webapp }: DigilibLocations, name: string): string {
  const first = path.resolve(webInf, name);
  const others = [path.resolve(webapp, name), path.join(webInf, path.basename(name))];
  return [first, ...others].find(isFile) ?? first;
}

/**
 * The folder that a mapping leads to: digilib takes any path as one below the first base directory. A folder on a disk that
 * does not answer counts only where there is no other.
 */
export function mappedFolder(first: string | undefined, name: string): string | undefined {
  const below = first === undefined ? [] : [path.join(first, name)];
  const candidates = [...below, ...(path.isAbsolute(name) ? [name] : [])];
  return candidates.find((folder) => folderStateOf(folder).kind === 'folder') ?? candidates.find(isFolder);
}
