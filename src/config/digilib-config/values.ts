/** The parameters of a digilib-config.xml as they stand, and what reading some of them together yields. */
import path from 'node:path';
import type { Tree } from '../sources/tree.ts';
import { elementsNamed, readXmlFile, XmlError } from '../xml.ts';
import type { DigilibPlaces } from './locations.ts';

export interface Given {
  readonly value: string;
  /** The line of the file, from 1. */
  readonly line: number;
}

/** What a reader of parameters can look at. */
export interface DigilibContext {
  readonly places: DigilibPlaces;
  readonly parameters: ReadonlyMap<string, Given>;
  /** What Lectern's own sources say, which win. */
  readonly others: Tree;
}

/** What some parameters yield. */
export interface Piece {
  readonly values?: Tree;
  /** A sentence each, with the parameter's name before it. */
  readonly unused?: readonly string[];
  /** A sentence each, with place and parameter. */
  readonly problems?: readonly string[];
}

/** Every parameter by its name; of a repeated one the last counts. Throws XmlError. */
export function readParameters({ configFile }: DigilibPlaces): ReadonlyMap<string, Given> {
  const [config, ...more] = elementsNamed(readXmlFile(configFile), 'digilib-config');
  const name = path.basename(configFile);
  if (config === undefined || more.length > 0) throw new XmlError(`${name}: it must have one <digilib-config>`);
  const elements = elementsNamed(config, 'parameter');
  const incomplete = elements.find(({ attributes }) => !attributes.has('name') || !attributes.has('value'));
  if (incomplete !== undefined) {
    throw new XmlError(`${name}, line ${incomplete.line}: <parameter> must have name="…" and value="…"`);
  }
  return new Map(
    elements.map(({ attributes, line }) => [
      attributes.get('name')?.trim() ?? '',
      { value: attributes.get('value')?.trim() ?? '', line },
    ]),
  );
}

/** A parameter with its place, as problems name it. */
export const labelOf = ({ places, parameters }: DigilibContext, name: string): string => {
  const line = parameters.get(name)?.line;
  return `${path.basename(places.configFile)}${line === undefined ? '' : `, line ${line}`}: ${name}`;
};

/** The value of a parameter; undefined where there is none, or an empty one. */
export const textOf = ({ parameters }: DigilibContext, name: string): string | undefined =>
  parameters.get(name)?.value || undefined;

/** Whether a parameter is true; undefined where its value says neither. */
export function flagOf({ parameters }: DigilibContext, name: string): boolean | undefined {
  const { value } = parameters.get(name) ?? { value: 'false' };
  return /^true$/i.test(value) ? true : /^false$/i.test(value) ? false : undefined;
}

/** Those of the parameters that are there, each with the reason for which it is not used. */
export const unusedOf = ({ parameters }: DigilibContext, names: readonly string[], reason: string): readonly string[] =>
  names.filter((name) => parameters.has(name)).map((name) => `${name}: ${reason}`);
