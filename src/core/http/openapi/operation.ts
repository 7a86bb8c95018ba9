/** The types of the API description: operations, parameters and answers as plain data (OpenAPI 3.1). */

/** A reference to a shared component. */
export interface Reference {
  readonly $ref: string;
}

export const reference = (kind: 'headers' | 'parameters' | 'responses' | 'schemas', name: string): Reference => ({
  $ref: `#/components/${kind}/${name}`,
});

/** A JSON Schema (2020-12). */
export type Schema = Reference | Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly required?: true;
  readonly description: string;
  readonly schema: Schema;
  /** The examples of all parameters of an operation together make one valid request. */
  readonly example?: unknown;
  readonly style?: 'form';
  readonly explode?: false;
}

export interface Content {
  readonly schema?: Schema;
}

export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference | object>>;
  readonly content?: Readonly<Record<string, Content>>;
}

/** Answers by status code; `default` for all others. */
export type Answers = Readonly<Record<string, Answer | Reference>>;

export type Tag = 'digilib' | 'IIIF Image' | 'IIIF Presentation' | 'reading room' | 'server';

/**
 * Which errors an operation can answer, and in which form: pictures in digilib's error forms (`digilib-picture`) or with a
 * sentence (`picture`), documents, JSON of the reading room, pages that are hidden from most callers, or only the errors
 * of every address (`any`).
 */
export type ErrorFamily = 'digilib-picture' | 'picture' | 'document' | 'readingRoom' | 'page' | 'hidden' | 'any';

/** A GET request at one path, or at several equivalent ones. */
export interface Operation {
  readonly id: string;
  readonly tag: Tag;
  /** Below the context path; the first is the usual one. */
  readonly paths: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly string[];
  /** Answers of successful requests; the example request gets the one with the lowest status. */
  readonly answers: Answers;
  readonly errors: ErrorFamily;
}

/** An image that the caller may see, for the examples. */
export interface Example {
  readonly image: string;
  /** The path of its folder; a slash for the root. */
  readonly folder: string;
  /** The replacement of slashes in identifiers. */
  readonly slash: string;
}

/** What the core or a feature adds to the API description. Parameters and schemas have the names that operations refer to. */
export interface ApiPart {
  readonly operations: readonly Operation[];
  /** What is asked by POST, as OpenAPI has it, by the path. */
  readonly posts?: Readonly<Record<string, object>>;
  readonly parameters?: Readonly<Record<string, Parameter>>;
  readonly schemas?: Readonly<Record<string, Schema>>;
}

export const inQuery = (name: string, description: string, schema: Schema, example?: unknown): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
  ...(example === undefined ? {} : { example }),
});

export const inPath = (name: string, description: string, schema: Schema, example: unknown): Parameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
  example,
});

/** The answers of a resource with an ETag; `linked` adds the header `Link` with its canonical address. */
export const taggedAnswers = (
  description: string,
  content: Readonly<Record<string, Content>>,
  linked = false,
): Answers => ({
  200: {
    description,
    headers: { ETag: reference('headers', 'ETag'), ...(linked && { Link: reference('headers', 'Link') }) },
    content,
  },
  304: reference('responses', 'NotModified'),
});

/** The same content in each of the media types; without `content`, bytes that have no schema. */
export const contentIn = (mediaTypes: readonly string[], content: Content = {}): Readonly<Record<string, Content>> =>
  Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, content]));

/** A document of a schema; without one, text. */
export const contentOf = (schema?: string): Content => ({
  schema: schema === undefined ? { type: 'string' } : reference('schemas', schema),
});

export const jsonContent = (schema: string): Readonly<Record<string, Content>> =>
  contentIn(['application/json'], contentOf(schema));

export const page = contentIn(['text/html'], contentOf());

/** What a caller who may see a tier of an image is told at the address of the whole (docs/guide/access.md). */
export const tierAnswers: Answers = {
  302: {
    description: 'To the same of the tier of the image that the caller may see.',
    headers: { Location: reference('headers', 'Location') },
  },
};

export const redirectAnswers = (description: string): Answers => ({
  303: { description, headers: { Location: reference('headers', 'Location') } },
});
