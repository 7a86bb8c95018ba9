/** The parameters of a digilib-config.xml as written, and the result of reading some of them. */
import path from 'node:path';
import type { Tree } from '../sources/tree.ts';
import type { DigilibLocations } from './locations.ts';
import { elementsNamed, readXmlFile, XmlError } from './xml-file.ts';

export interface Given {
  readonly value: string;
  /** The line of the file, from 1. */
  readonly line: number;
}

/** What reading a parameter may depend on. */
export interface DigilibContext {
  readonly locations: DigilibLocations;
  readonly parameters: ReadonlyMap<string, Given>;
  /** The values of Lectern's own sources, which override those of digilib's files. */
  readonly others: Tree;
}

/** The result of reading some parameters. */
export interface Piece {
  readonly values?: Tree;
  /** A sentence each, with the parameter's name before it. */
  readonly unused?: readonly string[];
  /** A sentence each, with line and parameter. */
  readonly problems?: readonly string[];
}

/** Every parameter by its name; of a repeated one the last counts. Throws XmlError. */
export function readParameters({ configFile }: DigilibLocations): ReadonlyMap<string, Given> {
  const [config, ...more] = elementsNamed(readXmlFile(configFile), 'digilib-config');
  const name = path.basename(configFile);
  if (config === undefined || more.length > 0) throw new XmlError(`${name}: it must have one <digilib-config>`);
  const elements = elementsNamed(config, 'parameter');
  const incomplete = elements.find(
    ({ attributes }) => attributes['name'] === undefined || attributes['value'] === undefined,
  );
  if (incomplete !== undefined) {
    throw new XmlError(`${name}, line ${incomplete.line}: <parameter> must have name="…" and value="…"`);
  }
  return new Map(
    elements.map(({ attributes, line }) => [
      attributes['name']?.trim() ?? '',
      { value: attributes['value']?.trim() ?? '', line },
    ]),
  );
}

/** A parameter with its file and line, for messages. */
export const labelOf = ({ locations, parameters }: DigilibContext, name: string): string => {
  const line = parameters.get(name)?.line;
  return `${path.basename(locations.configFile)}${line === undefined ? '' : `, line ${line}`}: ${name}`;
};

/** The value of a parameter; undefined where there is none, or an empty one. */
export const textOf = ({ parameters }: DigilibContext, name: string): string | undefined =>
  parameters.get(name)?.value || undefined;

/** Whether a parameter is true; undefined where its value is neither true nor false. */
export function flagOf({ parameters }: DigilibContext, name: string): boolean | undefined {
  const { value } = parameters.get(name) ?? { value: 'false' };
  return /^true$/i.test(value) ? true : /^false$/i.test(value) ? false : undefined;
}

/** Those of the parameters that are given, each with the reason why it is not used. */
export const unusedOf = ({ parameters }: DigilibContext, names: readonly string[], reason: string): readonly string[] =>
  names.filter((name) => parameters.has(name)).map((name) => `${name}: ${reason}`);
