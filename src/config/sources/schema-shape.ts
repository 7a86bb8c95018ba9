/** Looks into the schema: which settings an object holds, and in which form a value of one is written. */
import { z } from 'zod';

/** What stands behind defaults, optional marks and transformations. */
function inner(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return inner(schema.unwrap());
  }
  return schema instanceof z.ZodPipe ? inner(schema.in) : schema;
}

/** The members of a schema for objects; undefined for any other. */
export function membersOf(schema: unknown): Readonly<Record<string, z.ZodType>> | undefined {
  const plain = inner(schema);
  return plain instanceof z.ZodObject ? (plain.shape as Record<string, z.ZodType>) : undefined;
}

/** The schema at a place in another one, through members and lists. */
export function schemaAt(schema: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((current: unknown, key) => {
    const plain = inner(current);
    if (plain instanceof z.ZodArray) return plain.element;
    return membersOf(plain)?.[String(key)];
  }, schema);
}

/** Whether a value of this schema is a text. */
export const isText = (schema: z.ZodType): boolean =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).type === 'string';
