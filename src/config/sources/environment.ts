/** Reads settings from environment variables, whose names follow from the schema: `LECTERN_MAX_AREA`. */
import path from 'node:path';
import type { z } from 'zod';
import { suggestion } from '../../text/nearest.ts';
import { isText, membersOf } from './schema-shape.ts';
import type { Source } from './source.ts';
import { mergeTrees, placeOf, type Tree, treeAt } from './tree.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable and the setting that it gives. */
export interface Variable {
  readonly name: string;
  /** The setting's names from the outermost inward. */
  readonly path: readonly string[];
  /** As it stands, as JSON, or as a list of folders, which may be JSON too. */
  readonly form: 'text' | 'json' | 'folders';
}

const prefix = 'LECTERN_';

/** The project's own tests are told by such variables where a browser is. */
const testPrefix = 'LECTERN_TEST_';

const upperSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

const formOf = (name: string, schema: z.ZodType): Variable['form'] => {
  if (name === 'folders') return 'folders';
  return isText(schema) ? 'text' : 'json';
};

/** Every variable, those of nested settings behind the one of the whole. */
export function variablesOf(schema: z.ZodType, outer: readonly string[] = []): readonly Variable[] {
  return Object.entries(membersOf(schema) ?? {}).flatMap(([name, member]): readonly Variable[] => {
    const place = [...outer, name];
    const variable = { name: prefix + place.map(upperSnake).join('__'), path: place, form: formOf(name, member) };
    return [variable, ...variablesOf(member, place)];
  });
}

/** Names that hosts give to every server, below those that follow from the schema. */
export const plainVariables: readonly Variable[] = [
  { name: 'PORT', path: ['port'], form: 'json' },
  { name: 'HOST', path: ['host'], form: 'text' },
];

/** The value that a variable's text stands for; a text that is no JSON stays one, and the schema says what is right. */
function meaningOf({ form }: Variable, text: string): unknown {
  if (form === 'text') return text;
  if (form === 'folders' && !text.trimStart().startsWith('[')) {
    return text.split(path.delimiter).filter((folder) => folder !== '');
  }
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const isPrefixOf = (start: readonly string[], whole: readonly PropertyKey[]): boolean =>
  start.every((name, index) => name === whole[index]);

/** What all variables begin with tells nothing of which was meant. */
const nearestVariable = (name: string, known: readonly string[]): string => {
  const behind = (variable: string): string => variable.slice(prefix.length);
  return suggestion(behind(name), known.map(behind), (nearest) => prefix + nearest);
};

/** The settings that the environment gives; an empty variable gives none. */
export function readEnvironment(schema: z.ZodType, environment: Environment): Source {
  const variables = variablesOf(schema);
  const known = variables.map(({ name }) => name);
  const isGiven = ({ name }: Variable): boolean => Boolean(environment[name]);
  const given = [...plainVariables, ...variables].filter(isGiven);
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith(prefix) && !name.startsWith(testPrefix) && !known.includes(name),
  );
  return {
    values: given.reduce<Tree>(
      (values, variable) =>
        mergeTrees(values, treeAt(variable.path, meaningOf(variable, environment[variable.name] ?? ''))),
      {},
    ),
    problems: unknown.map((name) => `unknown variable ${name}${nearestVariable(name, known)}`),
    nameOf(place) {
      const variable = given.findLast(({ path: start }) => isPrefixOf(start, place));
      if (variable === undefined || variable.path.length === place.length) return variable?.name;
      return `${variable.name}, ${placeOf(place)}`;
    },
  };
}
