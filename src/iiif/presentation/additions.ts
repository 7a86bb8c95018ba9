/** Puts what `manifest-meta.json` says into the top level of a manifest (digilib.md, section 6). */

/** What a file can't change: what the document is, where it is, and its pages. */
const kept: ReadonlySet<string> = new Set(['@context', '@type', '@id', 'id', 'type', 'sequences', 'items']);

/** The members of a JSON object. */
export type Additions = Readonly<Record<string, unknown>>;

/** The document with the additions' members in place of its own, those that are the document's alone excepted. */
export const withAdditions = (document: object, additions: Additions | undefined): object =>
  additions === undefined
    ? document
    : { ...document, ...Object.fromEntries(Object.entries(additions).filter(([name]) => !kept.has(name))) };
