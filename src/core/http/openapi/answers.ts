/** The answers that several operations share: pictures, documents and redirects. */
import { type Answers, type Content, reference } from './operation.ts';
import type { SchemaName } from './schemas.ts';

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

/** A document of a schema (without one, text), with the answer to the operation's example request if there is one. */
export const contentOf = (schema: SchemaName | undefined, example?: unknown): Content => ({
  schema: schema === undefined ? { type: 'string' } : reference('schemas', schema),
  ...(example === undefined ? {} : { example }),
});

/** A document in JSON, with the answer to the operation's example request if there is one. */
export const jsonContent = (schema: SchemaName, example?: unknown): Readonly<Record<string, Content>> =>
  contentIn(['application/json'], contentOf(schema, example));

export const page = contentIn(['text/html'], contentOf(undefined));

export const redirectAnswers = (description: string): Answers => ({
  303: { description, headers: { Location: reference('headers', 'Location') } },
});
