/** Reads members of JSON values of unknown shape. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses JSON; undefined if it is malformed. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member; undefined if the value is not an object. */
export const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

export const isFiniteNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** The value if it is a string, else ''. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** An array as it is, another value as its only item, nothing as an empty list. */
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

/** The members that are not undefined. */
export const definedIn = <T extends object>(members: T): { readonly [Name in keyof T]?: Exclude<T[Name], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    readonly [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
