/** The words in which the API is described: addresses, parameters and answers as plain data (OpenAPI 3.1). */
import type { ErrorFamily } from './error-answers.ts';

/** A piece that is described once. */
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
  /** All examples of an operation's parameters together are one request that is answered as described. */
  readonly example?: unknown;
  readonly style?: 'form';
  readonly explode?: false;
}

export interface Content {
  readonly schema?: Schema;
  /** A real answer to the operation’s example. */
  readonly example?: unknown;
}

export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference | object>>;
  readonly content?: Readonly<Record<string, Content>>;
}

/** By status. */
export type Answers = Readonly<Record<string, Answer | Reference>>;

export type Tag = 'digilib' | 'IIIF Image' | 'IIIF Presentation' | 'reading room' | 'server';

/** What can be asked at one address, or alike at several. */
export interface Operation {
  readonly id: string;
  readonly tag: Tag;
  /** Below the context path. The first is the usual one. */
  readonly paths: readonly [string, ...string[]];
  readonly summary: string;
  readonly description?: string;
  /** Names of shared parameters. */
  readonly parameters: readonly string[];
  /** What a request that succeeds is answered; the example is answered the first. */
  readonly answers: Answers;
  /** What goes wrong here. */
  readonly errors: ErrorFamily;
}
