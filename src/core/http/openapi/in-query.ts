/** Query parameters in the API description. */
import type { Parameter, Schema } from './operation.ts';

export const inQuery = (name: string, description: string, schema: Schema, example?: unknown): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
  ...(example === undefined ? {} : { example }),
});
