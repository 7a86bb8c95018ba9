/** JSON Schemas of answers from the zod schemas that give their types. */
import * as z from 'zod';
import { contentsEntry } from '../../image/folder/folder-listing.ts';
import { reference, type Schema } from './operation.ts';

interface Override {
  readonly zodSchema: z.core.$ZodTypes;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}

/** Removes what says nothing to readers of the description. */
function simplify({ zodSchema, jsonSchema }: Override): void {
  delete jsonSchema.readOnly;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // Not a reference to itself: many programs that read descriptions follow it without end.
  if (zodSchema === contentsEntry) jsonSchema.properties = { ...jsonSchema.properties, contents: nestedContents };
}

const nestedContents: z.core.JSONSchema.BaseSchema = {
  description: contentsEntry.shape.contents.description ?? '',
  type: 'array',
  items: { type: 'object' },
};

/** The schemas by their names in the description. */
export function schemasOf(named: Readonly<Record<string, z.ZodType>>): Readonly<Record<string, Schema>> {
  const registry = z.registry<{ id: string }>();
  registry.add(contentsEntry, { id: 'ContentsEntry' });
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => reference('schemas', id).$ref, override: simplify });
  return Object.fromEntries(Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema]));
}
