/** Adds the members of `manifest-meta.json` to the top level of a manifest (digilib.md, section 6). */

/** Members that a file can't replace: the document's type, its address and its pages. */
const fixedMembers: ReadonlySet<string> = new Set(['@context', '@type', '@id', 'id', 'type', 'sequences', 'items']);

/** The members of a JSON object. */
export type Additions = Readonly<Record<string, unknown>>;

/** The document with the additions' members in place of its own, except for the fixed ones. */
export const withAdditions = (document: object, additions: Additions | undefined): object =>
  additions === undefined
    ? document
    : { ...document, ...Object.fromEntries(Object.entries(additions).filter(([name]) => !fixedMembers.has(name))) };
