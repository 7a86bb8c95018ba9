/** The schemas of the reading room's answers as JSON Schema, from the zod schemas that give their types. */
import * as z from 'zod';
import { searchAnswer } from '../../../features/search/search-answer.ts';
import { contentsEntry, folderListing } from '../../image/folder/folder-listing.ts';
import { unitList } from '../../image/model/units.ts';
import { textAnswer } from '../../image/page-text/text-answer.ts';
import { reference, type Schema } from './operation.ts';

const readingRoomError = z
  .strictObject({
    error: z.string().describe('A code for programs: `login-needed`, `denied`, `not-found` …'),
    message: z.string().describe('What is wrong and what would be right, in one sentence.'),
  })
  .readonly()
  .describe('An error of the reading room’s addresses.');

/** The schemas by their names in the description. */
const named = {
  FolderListing: folderListing,
  ContentsEntry: contentsEntry,
  SearchAnswer: searchAnswer,
  TextAnswer: textAnswer,
  UnitList: unitList,
  ReadingRoomError: readingRoomError,
} as const satisfies Record<string, z.ZodType>;

const registry = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });

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

const { schemas } = z.toJSONSchema(registry, {
  uri: (id) => reference('schemas', id).$ref,
  override: simplify,
});

export const readingRoomSchemas = Object.fromEntries<Schema>(
  Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema]),
) as Record<keyof typeof named, Schema>;
