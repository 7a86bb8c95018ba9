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
  /** The server's own answer to the operation's example request. */
  readonly example?: unknown;
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
