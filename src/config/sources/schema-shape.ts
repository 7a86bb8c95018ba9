/** Reads the structure of a schema: its members, and whether a value is written as a plain text. */
import { z } from 'zod';
import type { KeyPath } from './tree.ts';

/** The schema inside of defaults, optional marks and transformations. */
function unwrap(schema: unknown): unknown {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNullable
  ) {
    return unwrap(schema.unwrap());
  }
  return schema instanceof z.ZodPipe ? unwrap(schema.in) : schema;
}

/** The members of a schema for objects; undefined for any other. */
export function membersOf(schema: unknown): Readonly<Record<string, z.ZodType>> | undefined {
  const inner = unwrap(schema);
  return inner instanceof z.ZodObject ? (inner.shape as Record<string, z.ZodType>) : undefined;
}

/** The members of a group, whose settings all have values of their own; undefined for a setting that is given as a whole. */
export const groupMembersOf = (schema: z.ZodType): ReturnType<typeof membersOf> =>
  schema instanceof z.ZodOptional ? undefined : membersOf(schema);

/** The key paths of all settings, those inside of a group after the group's own; list entries are left out. */
export const settingPaths = (schema: unknown, outer: readonly string[] = []): readonly (readonly string[])[] =>
  Object.entries(membersOf(schema) ?? {}).flatMap(([name, member]) => {
    const path = [...outer, name];
    return [path, ...settingPaths(member, path)];
  });

/** The schema at a key path of another one, through members and lists. */
export function schemaAt(schema: unknown, path: KeyPath): unknown {
  return path.reduce((current: unknown, key) => {
    const inner = unwrap(current);
    if (inner instanceof z.ZodArray) return inner.element;
    return membersOf(inner)?.[String(key)];
  }, schema);
}

/** Whether a value of this schema is a text. */
export const isText = (schema: z.ZodType): boolean =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).type === 'string';
