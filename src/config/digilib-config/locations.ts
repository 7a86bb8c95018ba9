/** Where digilib looks for what its configuration names: relative to the webapp's folder, or to its WEB-INF. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { isFolder } from '../files/paths.ts';

export const isFile = (place: string): boolean => statSync(place, { throwIfNoEntry: false })?.isFile() ?? false;

/** The two folders around a site's digilib-config.xml. */
export interface DigilibPlaces {
  readonly configFile: string;
  readonly webInf: string;
  /** The parent of WEB-INF; the file's own folder where that has another name. */
  readonly webapp: string;
}

/** The places around a file; a folder stands for the digilib-config.xml in it or in its WEB-INF. */
export function digilibPlaces(named: string): DigilibPlaces {
  const given = path.resolve(named);
  const inside = [path.join(given, 'digilib-config.xml'), path.join(given, 'WEB-INF', 'digilib-config.xml')];
  const configFile = (isFolder(given) && inside.find(isFile)) || given;
  const webInf = path.dirname(configFile);
  const webapp = path.basename(webInf).toUpperCase() === 'WEB-INF' ? path.dirname(webInf) : webInf;
  return { configFile, webInf, webapp };
}

/** A folder or picture that a parameter names. */
export const inWebapp = ({ webapp }: DigilibPlaces, name: string): string => path.resolve(webapp, name);

/**
 * A configuration file that a parameter names: as it stands or in WEB-INF, else in the webapp's folder. digilib looks in
 * WEB-INF also for the last name of an absolute path that is not there. Where there is none, the first place is told.
 */
export function configFileOf({ webInf, webapp }: DigilibPlaces, name: string): string {
  const first = path.resolve(webInf, name);
  const others = [path.resolve(webapp, name), path.join(webInf, path.basename(name))];
  return [first, ...others].find(isFile) ?? first;
}

/** The folder that a mapping leads to: digilib takes any path as one below the first base directory. */
export function mappedFolder(first: string | undefined, name: string): string | undefined {
  const below = first === undefined ? [] : [path.join(first, name)];
  return [...below, ...(path.isAbsolute(name) ? [name] : [])].find(isFolder);
}
