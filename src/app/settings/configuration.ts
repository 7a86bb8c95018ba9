/** Reads all settings: flags override the environment, the file, and last digilib's own files. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { DigilibSource } from '../../config/digilib-config/read.ts';
import { problemsOnDisk, resolvePaths } from '../../config/files/paths.ts';
import { SettingsError } from '../../config/settings-error.ts';
import { type Environment, readEnvironment } from '../../config/sources/environment.ts';
import { problemsOf } from '../../config/sources/problems.ts';
import { groupMembersOf } from '../../config/sources/schema-shape.ts';
import { plainSource, type Source } from '../../config/sources/source.ts';
import { isTree, mergeTrees, type Tree, valueAt } from '../../config/sources/tree.ts';
import { type Settings, type SettingsInput, settingsSchema, sourceSchema } from './settings.ts';

/** The sources of settings. */
export interface SettingsSources {
  /** What holds where no source gives a value. */
  readonly fallback?: SettingsInput;
  /** digilib's own files, read by `readDigilibConfig`; takes what the other sources give together. */
  readonly digilib?: ((own: Tree) => DigilibSource) | undefined;
  /** The path of a JSON file. */
  readonly file?: string | undefined;
  readonly environment: Environment;
  readonly flags: SettingsInput;
}

export interface Configuration {
  readonly settings: Settings;
  /** What the sources give together, with absolute paths and without defaults: the content of a JSON file with the same effect. */
  readonly given: Tree;
  /** What has no effect in digilib's own files, a sentence each. */
  readonly notes: readonly string[];
}

/** Relative paths of flags start at the working directory, as in a shell. */
const flagSource = (values: SettingsInput): Source => plainSource(resolvePaths(values, process.cwd()));

const merged = (sources: readonly Source[]): Tree =>
  sources.reduce<Tree>((values, source) => mergeTrees(values, source.values), {});

/** Whether certainly no source names a folder: a source with problems may be meant to name one. */
function lacksFolders(sources: readonly Source[], values: Tree): boolean {
  const named = valueAt(values, ['library', 'folders']) ?? values['folders'];
  return named === undefined && sources.every(({ problems }) => problems.length === 0);
}

/** Reads all settings. Throws SettingsError that names every problem of every source at once, a line each. */
export function readConfiguration(sources: SettingsSources): Configuration {
  const { fallback = {}, file, environment, flags } = sources;
  const fromEnvironment = readEnvironment(settingsSchema, environment);
  const own: readonly Source[] = [
    flagSource(fallback),
    ...(file === undefined ? [] : [readSettingsFile(file)]),
    { ...fromEnvironment, values: resolvePaths(fromEnvironment.values, process.cwd()) },
    flagSource(flags),
  ];
  const digilib = sources.digilib?.(merged(own));
  const all = digilib === undefined ? own : [digilib, ...own];
  const given = merged(all);
  const problems = [
    ...all.flatMap((source) => [...source.problems, ...problemsOf(sourceSchema, source)]),
    ...(lacksFolders(all, given)
      ? ['needs at least one folder, as an argument or as the setting library.folders']
      : []),
    ...problemsOnDisk(given, (path) => all.findLast(({ values }) => valueAt(values, path) !== undefined)?.nameOf(path)),
  ];
  if (problems.length > 0) throw new SettingsError(problems);
  return { settings: settingsSchema.parse(given), given, notes: digilib?.notes ?? [] };
}

/** The settings of flags, environment and a JSON file. Throws SettingsError that names every problem at once. */
export const readSettings = (flags: SettingsInput, environment: Environment, file: string | undefined): Settings =>
  readConfiguration({ flags, environment, file }).settings;

/** The given values of a group that differ from the defaults; undefined where none does. */
function differing(schema: z.ZodType, given: unknown, value: unknown): unknown {
  const members = groupMembersOf(schema);
  if (members === undefined || !isTree(given) || !isTree(value)) {
    return isDeepStrictEqual(schema.safeParse(undefined).data, value) ? undefined : given;
  }
  const entries = Object.entries(members).flatMap(([name, member]) => {
    const own = name in given ? differing(member, given[name], value[name]) : undefined;
    return own === undefined ? [] : [[name, own]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The given settings that differ from the defaults: the shortest JSON file that gives the same settings. */
export const differingSettings = ({ given, settings }: Configuration): Tree =>
  (differing(settingsSchema, given, settings) as Tree | undefined) ?? {};

const sourceWith = (problem: string): Source => plainSource({}, [problem]);

/** The settings of the file, without its `$schema`, which is for editors. */
export function readSettingsFile(file: string): Source {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    if (!(error instanceof SyntaxError)) return sourceWith(`there is no configuration file ${file}`);
    return sourceWith(`${file} is not JSON: ${error.message}`);
  }
  if (!isTree(value))
    return sourceWith(`${file} must hold a JSON object, such as { "library": { "folders": ["/scans"] } }`);
  const { $schema: _schema, ...values } = value;
  return plainSource(resolvePaths(values, path.dirname(path.resolve(file))));
}
