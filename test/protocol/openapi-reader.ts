/** Reads the API description as clients do: operations with their parameters, and the requests of its examples. */
import { dereference } from '@readme/openapi-parser';

export interface DescribedParameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly example?: string | number;
  readonly schema: {
    readonly pattern?: string;
    readonly enum?: readonly string[];
    readonly examples?: readonly string[];
  };
}

export interface DescribedContent {
  readonly schema?: object;
  readonly example?: unknown;
}

export interface DescribedAnswer {
  readonly description: string;
  readonly content?: Readonly<Record<string, DescribedContent>>;
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters: readonly DescribedParameter[];
  readonly responses: Readonly<Record<string, DescribedAnswer>>;
}

export interface Description {
  readonly openapi: string;
  readonly info: { readonly version: string; readonly license: { readonly identifier: string } };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, { readonly get?: DescribedOperation }>>;
}

/** The description with all references resolved. */
export const readDescription = async (text: string): Promise<Description> =>
  (await dereference(JSON.parse(text))) as unknown as Description;

/** Every path with its operation. */
export const operationsOf = ({ paths }: Description): readonly (readonly [string, DescribedOperation])[] =>
  Object.entries(paths).flatMap(([path, { get }]) => (get === undefined ? [] : [[path, get] as const]));

type Values = Readonly<Record<string, string | number | undefined>>;

/** The request with the examples of all parameters, some of which can be replaced. */
export function exampleRequest(template: string, { parameters }: DescribedOperation, instead: Values = {}): string {
  const values = parameters.map((one) => ({ ...one, value: instead[one.name] ?? one.example }));
  const inPath = values.filter((one) => one.in === 'path');
  const path = inPath.reduce(
    (text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(String(value))),
    template,
  );
  const query = values.flatMap(({ name, value, in: location }) =>
    location === 'query' && value !== undefined ? [`${name}=${encodeURIComponent(value)}`] : [],
  );
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** The documented status of the example: the lowest, since the others are errors or need a condition. */
export const exampleStatus = ({ operationId, responses }: DescribedOperation): number =>
  // An id of a document is known to who has sent its form.
  operationId.startsWith('PDFCache') ? 400 : Math.min(...Object.keys(responses).map(Number).filter(Number.isInteger));
