/** Reads settings from environment variables, whose names follow from the schema: `LECTERN_LIMITS__MAX_AREA`. */
import path from 'node:path';
import type { z } from 'zod';
import { suggestion } from '../../core/parsing/nearest.ts';
import { parseJson } from '../../core/parsing/parse.ts';
import { renamedSettings } from '../renamed-settings.ts';
import { isText, schemaAt, settingPaths } from './schema-shape.ts';
import type { Source } from './source.ts';
import { formatKeyPath, type KeyPath, mergeTrees, type Tree, treeAt } from './tree.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

interface NamedSetting {
  /** The name of the variable. */
  readonly name: string;
  /** The setting's names from the outermost inward. */
  readonly path: readonly string[];
}

/** A variable and the setting that it gives. */
export interface Variable extends NamedSetting {
  /** A plain text, JSON, or a list of folders, which may be JSON too. */
  readonly form: 'text' | 'json' | 'folders';
}

const prefix = 'LECTERN_';

/** Variables for the project's own tests, such as the path of a browser. */
const testPrefix = 'LECTERN_TEST_';

const upperSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

const variableName = (path: readonly string[]): string => prefix + path.map(upperSnake).join('__');

function formOf(path: readonly string[], schema: z.ZodType): Variable['form'] {
  if (path.join('.') === 'library.folders') return 'folders';
  return isText(schemaAt(schema, path) as z.ZodType) ? 'text' : 'json';
}

const namedSettings = (schema: z.ZodType): readonly NamedSetting[] =>
  settingPaths(schema).map((path) => ({ name: variableName(path), path }));

const withForm =
  (schema: z.ZodType) =>
  (setting: NamedSetting): Variable => ({ ...setting, form: formOf(setting.path, schema) });

/** Every variable; those of nested settings follow the one of the whole group. */
export const variablesOf = (schema: z.ZodType): readonly Variable[] => namedSettings(schema).map(withForm(schema));

/** Names that hosts give to every server, below those that follow from the schema. */
export const plainVariables: readonly Variable[] = [
  { name: 'PORT', path: ['http', 'port'], form: 'json' },
  { name: 'HOST', path: ['http', 'host'], form: 'text' },
];

/** The value that a variable's text stands for; a text that is no JSON stays a text, and the schema refuses it. */
function parseValue({ form }: Variable, text: string): unknown {
  if (form === 'text') return text;
  if (form === 'folders' && !text.trimStart().startsWith('[')) {
    // The colon of s3:// ends no path.
    return text.split(path.delimiter === ':' ? /:(?!\/\/)/ : path.delimiter).filter((folder) => folder !== '');
  }
  const value = parseJson(text);
  return value === undefined ? text : value;
}

const isPrefixOf = (start: readonly string[], whole: KeyPath): boolean =>
  start.every((name, index) => name === whole[index]);

/** Compares names without their common prefix, and also with those of variables without their groups. */
function nearestVariable(name: string, names: readonly string[]): string {
  const withoutPrefix = (variable: string): string => variable.slice(prefix.length);
  const candidates = new Map([
    ...names.map((variable) => [variable.split('__').at(-1)?.replace(prefix, '') ?? '', variable] as const),
    ...names.map((variable) => [withoutPrefix(variable), variable] as const),
  ]);
  return suggestion(withoutPrefix(name), [...candidates.keys()], (nearest) => candidates.get(nearest) ?? nearest);
}

/** The present name of a variable of version 0.1.0; undefined for any other. */
function renamedVariable(name: string): string | undefined {
  for (const [from, to] of Object.entries(renamedSettings)) {
    const [old, present] = [from, to].map((path) => variableName(path.split('.')));
    if (name === old || name.startsWith(`${old}__`)) return name.replace(old ?? '', present ?? '');
  }
  return undefined;
}

function problemOfName(name: string, names: readonly string[]): string {
  const renamed = renamedVariable(name);
  if (renamed !== undefined) return `the variable ${name} is now called ${renamed}`;
  return `unknown variable ${name}${nearestVariable(name, names)}`;
}

/** The settings that the environment gives; an empty variable gives none. */
export function readEnvironment(schema: z.ZodType, environment: Environment): Source {
  const settings = namedSettings(schema);
  const names = settings.map(({ name }) => name);
  const isGiven = ({ name }: NamedSetting): boolean => Boolean(environment[name]);
  // The form of one takes 0.2 ms to find, and hardly any is given.
  const given = [...plainVariables.filter(isGiven), ...settings.filter(isGiven).map(withForm(schema))];
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith(prefix) && !name.startsWith(testPrefix) && !names.includes(name),
  );
  return {
    values: given.reduce<Tree>(
      (values, variable) =>
        mergeTrees(values, treeAt(variable.path, parseValue(variable, environment[variable.name] ?? ''))),
      {},
    ),
    problems: unknown.map((name) => problemOfName(name, names)),
    nameOf(path) {
      const variable = given.findLast(({ path: start }) => isPrefixOf(start, path));
      if (variable === undefined || variable.path.length === path.length) return variable?.name;
      return `${variable.name}, ${formatKeyPath(path)}`;
    },
  };
}
