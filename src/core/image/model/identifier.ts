/** The name of an image or folder inside the library: a path that has been normalized and cannot leave the roots. */

declare const contained: unique symbol;

/** A path below the library's roots. Only `parseIdentifier` makes one, so that every value of this type is contained. */
export interface Identifier {
  /** Names from the root downward; none of them is empty, `.`, `..` or starts with a dot. Empty for the root itself. */
  readonly segments: readonly string[];
  readonly [contained]: true;
}

const hasForbiddenCharacter = (path: string): boolean => /[\0\\\uFFFD]/.test(path);

/** Decodes percent-encoded dots and slashes, also when they were encoded several times. */
function unmasked(name: string): string {
  let current = name;
  for (let round = 0; round < 8; round++) {
    const next = current.replace(/%25/g, '%').replace(/%2e/gi, '.').replace(/%2f/gi, '/').replace(/%5c/gi, '\\');
    if (next === current) return current;
    current = next;
  }
  return current;
}

const leavesItsFolder = (name: string): boolean => /(^|[/\\])\.\.($|[/\\])/.test(unmasked(name));

/** Whether an identifier can have this name as a segment: no list shows files and folders of other names. */
export const isSegment = (name: string): boolean =>
  name !== '' &&
  !name.startsWith('.') &&
  !hasForbiddenCharacter(name) &&
  !(name.includes('%') && leavesItsFolder(name));

/**
 * Parses a decoded path (digilib.md, section 3): leading, trailing, empty and `.` segments are dropped.
 * Undefined where the path can name nothing: `..` in any spelling, a name that starts with a dot, NUL, a backslash,
 * or text that was not UTF-8 (decoded to U+FFFD).
 */
export function parseIdentifier(path: string): Identifier | undefined {
  if (hasForbiddenCharacter(path)) return undefined;
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (!segments.every(isSegment)) return undefined;
  return { segments } as unknown as Identifier;
}

/** The path of an identifier, its segments joined by slashes; `parseIdentifier` reads it back. */
export const formatIdentifier = (identifier: Identifier): string => identifier.segments.join('/');

/** The identifier of `name` inside the folder `parent`. */
export const childOf = (parent: Identifier, name: string): Identifier =>
  ({ segments: [...parent.segments, name] }) as unknown as Identifier;

/** The library's root. */
export const rootIdentifier: Identifier = { segments: [] as readonly string[] } as unknown as Identifier;

/** The folder that an identifier is in, and its last name; the root has no folder around it. */
export function splitLast(identifier: Identifier): { readonly parent: Identifier | undefined; readonly name: string } {
  const name = identifier.segments.at(-1);
  if (name === undefined) return { parent: undefined, name: '' };
  return { parent: { segments: identifier.segments.slice(0, -1) } as unknown as Identifier, name };
}

/** A name with the number of a page inside of its file: `scan.tif;2`; a name without has page 1. */
export function splitPage(name: string): { readonly file: string; readonly page: number } {
  const match = /^(.+);([1-9][0-9]{0,5})$/s.exec(name);
  return match?.[1] === undefined ? { file: name, page: 1 } : { file: match[1], page: Number(match[2]) };
}

/** The name of a page inside of a file; `splitPage` reads it back. The first page is the file itself. */
export const joinPage = (file: string, page: number): string => (page === 1 ? file : `${file};${page}`);

const tierMark = ';tier=';

/** The form of the name of a tier, which stands in identifiers and addresses without any escaping. */
export const tierNameForm = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** The path of an image, and the name of the tier behind it: `book/page1.jpg;2;tier=small`. */
export function splitTier(path: string): { readonly path: string; readonly tier?: string } {
  const at = path.lastIndexOf(tierMark);
  if (at < 0) return { path };
  const tier = path.slice(at + tierMark.length);
  return tierNameForm.test(tier) ? { path: path.slice(0, at), tier } : { path };
}

/** The path of an image in a tier; `splitTier` reads it back. */
export const joinTier = (path: string, tier: string | undefined): string =>
  tier === undefined ? path : path + tierMark + tier;

/** The identifier of an image in a tier. */
export function inTier({ segments }: Identifier, tier: string): Identifier {
  const last = joinTier(segments.at(-1) ?? '', tier);
  return { segments: [...segments.slice(0, -1), last] } as unknown as Identifier;
}
