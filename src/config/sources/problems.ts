/** Describes what is wrong with values: each with its name and what would be right. */
import type { z } from 'zod';
import { suggestion } from '../../core/parsing/nearest.ts';
import { renamedSettings } from '../renamed-settings.ts';
import { membersOf, schemaAt, settingPaths } from './schema-shape.ts';
import type { Source } from './source.ts';
import { formatKeyPath } from './tree.ts';

const kinds: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

const boundsOf = (issue: z.core.$ZodRawIssue): string => {
  const [word, bound] =
    issue.code === 'too_small' ? ['at least', issue.minimum] : ['at most', (issue as { maximum?: unknown }).maximum];
  const unit = issue['origin'] === 'array' ? ' entries' : issue['origin'] === 'string' ? ' characters' : '';
  return String(bound) === '1' && unit !== '' ? 'must not be empty' : `must be ${word} ${String(bound)}${unit}`;
};

/** What is expected, unless the schema has a message of its own. */
function sentenceFor(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${kinds[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'too_small':
    case 'too_big':
      return boundsOf(issue);
    default:
      return undefined;
  }
}

function problemsOfKeys(issue: z.core.$ZodIssueUnrecognizedKeys, schema: z.ZodType): readonly string[] {
  const inFull = (name: string): string => formatKeyPath([...issue.path, name]);
  // At the top level, a setting may have been written without its group.
  const elsewhere = issue.path.length === 0 ? settingPaths(schema) : [];
  const candidates = new Map([
    ...elsewhere.map((path) => [path.at(-1) ?? '', formatKeyPath(path)] as const),
    ...Object.keys(membersOf(schemaAt(schema, issue.path)) ?? {}).map((name) => [name, inFull(name)] as const),
  ]);
  return issue.keys.map((key) => {
    const name = inFull(key);
    if (Object.hasOwn(renamedSettings, name)) return `the setting ${name} is now called ${renamedSettings[name]}`;
    const nearest = suggestion(key, [...candidates.keys()], (candidate) => candidates.get(candidate) ?? candidate);
    return `unknown setting ${name}${nearest}`;
  });
}

/** All problems of a source's values, a sentence each. */
export function problemsOf(
  schema: z.ZodType,
  { values, nameOf }: Pick<Source, 'values' | 'nameOf'>,
): readonly string[] {
  const result = schema.safeParse(values, { error: sentenceFor });
  if (result.success) return [];
  return result.error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return problemsOfKeys(issue, schema);
    return [`${nameOf(issue.path) ?? formatKeyPath(issue.path)}: ${issue.message}`];
  });
}
