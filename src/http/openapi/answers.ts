/** The answers that several operations share: pictures, documents and redirects. */
import { type Answers, type Content, reference } from './operation.ts';
import type { SchemaName } from './schemas.ts';

const headersOf = (linked: boolean): Readonly<Record<string, object>> => ({
  ETag: reference('headers', 'ETag'),
  ...(linked ? { Link: reference('headers', 'Link') } : {}),
});

/** What has a tag; `linked` says whether it also names its canonical address. */
export const taggedAnswers = (
  description: string,
  content: Readonly<Record<string, Content>>,
  linked = false,
): Answers => ({
  200: { description, headers: headersOf(linked), content },
  304: reference('responses', 'NotModified'),
});

/** Bytes, of which there is no more to say than their type. */
export const bytesIn = (mediaTypes: readonly string[]): Readonly<Record<string, Content>> =>
  Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, {}]));

/** The same content in each of the media types. */
export const contentIn = (mediaTypes: readonly string[], content: Content): Readonly<Record<string, Content>> =>
  Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, content]));

/** A document of a schema (without one, text), with an answer to the operation's example where there is one. */
export const contentOf = (schema: SchemaName | undefined, example?: unknown): Content => ({
  schema: schema === undefined ? { type: 'string' } : reference('schemas', schema),
  ...(example === undefined ? {} : { example }),
});

/** A page for people. */
export const page = contentIn(['text/html'], contentOf(undefined));

/** A redirect. */
export const redirectAnswers = (description: string): Answers => ({
  303: { description, headers: { Location: reference('headers', 'Location') } },
});
