/** Says what is wrong with values, each with its place and what would be right. */
import type { z } from 'zod';
import { suggestion } from '../../text/nearest.ts';
import { membersOf, schemaAt } from './schema-shape.ts';
import type { Source } from './source.ts';
import { placeOf } from './tree.ts';

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

/** What would be right, where the schema itself does not say it. */
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

function unknownKeys(issue: z.core.$ZodIssueUnrecognizedKeys, schema: z.ZodType): readonly string[] {
  const known = Object.keys(membersOf(schemaAt(schema, issue.path)) ?? {});
  const placed = (name: string): string => placeOf([...issue.path, name]);
  return issue.keys.map((key) => `unknown setting ${placed(key)}${suggestion(key, known, placed)}`);
}

/** Everything that is wrong with a source's values, a sentence each. */
export function problemsOf(
  schema: z.ZodType,
  { values, nameOf }: Pick<Source, 'values' | 'nameOf'>,
): readonly string[] {
  const result = schema.safeParse(values, { error: sentenceFor });
  if (result.success) return [];
  return result.error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return unknownKeys(issue, schema);
    return [`${nameOf(issue.path) ?? placeOf(issue.path)}: ${issue.message}`];
  });
}
