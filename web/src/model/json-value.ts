/** Looking into JSON of which nothing is known. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** Reads JSON; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member of what may be an object. */
export const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

/** A text; '' for all else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** One or several as several; none where there is nothing. */
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
