/** Reads a manifest of IIIF Presentation 3 or 2 as a book: what it says of itself, its pages, its contents. */

import type { ReadingDirection } from '../../../../src/core/image/folder/folder-listing.ts';
import type { Homepage, LabeledText, LanguageMap } from '../../../../src/core/image/folder/folder-metadata.ts';
import { memberOf, textOf } from '../json-value.ts';
import { behaviorsOf, firstOf, idOf, itemsOf, limits, textsOf, typeOf, webAddress } from './members.ts';
import { type ManifestPage, pagesOf } from './page.ts';
import { type ManifestRange, rangesOf } from './ranges.ts';

export interface ManifestBook {
  readonly label: LanguageMap;
  readonly summary: LanguageMap;
  readonly metadata: readonly LabeledText[];
  readonly requiredStatement: LabeledText | undefined;
  readonly provider: LanguageMap;
  readonly rights: string | undefined;
  /** Pages about it elsewhere, and other forms of it, such as a PDF. */
  readonly links: readonly Homepage[];
  readonly direction: ReadingDirection;
  readonly behavior: readonly string[];
  /** The position of the page at which it opens, from 1. */
  readonly start: number;
  readonly pages: readonly ManifestPage[];
  readonly contents: readonly ManifestRange[];
}

/** A manifest that a collection names. */
export interface CollectionMember {
  readonly address: string;
  readonly label: LanguageMap;
}

export type ReadManifest =
  | { readonly kind: 'book'; readonly book: ManifestBook }
  | { readonly kind: 'collection'; readonly members: readonly CollectionMember[] }
  | { readonly kind: 'fault'; readonly fault: 'no-manifest' | 'no-pages' | 'too-large' };

/** In version 2, the pages and some facts are those of the first sequence. */
const sequenceOf = (manifest: unknown): unknown => itemsOf(memberOf(manifest, 'sequences'), 1)[0];

const pairOf = (value: unknown): LabeledText => ({
  label: textsOf(memberOf(value, 'label')),
  value: textsOf(memberOf(value, 'value')),
});

const hasText = (text: LanguageMap): boolean => Object.keys(text).length > 0;

/** The statement of version 3, or the attribution of version 2, which has no label. */
function requiredOf(manifest: unknown): LabeledText | undefined {
  const pair = pairOf(memberOf(manifest, 'requiredStatement'));
  if (hasText(pair.value)) return pair;
  const value = textsOf(memberOf(manifest, 'attribution'));
  return hasText(value) ? { label: {}, value } : undefined;
}

const linksOf = (manifest: unknown): readonly Homepage[] =>
  ['homepage', 'related', 'rendering'].flatMap((name) =>
    itemsOf(memberOf(manifest, name), 50).flatMap((link) => {
      const id = webAddress(link);
      const format = textOf(memberOf(link, 'format')) || 'text/html';
      return id === undefined ? [] : [{ id, label: textsOf(memberOf(link, 'label')), format }];
    }),
  );

function directionOf(manifest: unknown): ReadingDirection {
  const direction = firstOf(manifest, 'viewingDirection') ?? firstOf(sequenceOf(manifest), 'viewingDirection');
  return direction === 'right-to-left' ? direction : 'left-to-right';
}

function startOf(manifest: unknown, positions: ReadonlyMap<string, number>): number {
  const start = firstOf(manifest, 'start', 'startCanvas') ?? firstOf(sequenceOf(manifest), 'startCanvas');
  const canvas = idOf(firstOf(start, 'source') ?? start).split('#', 1)[0] ?? '';
  return positions.get(canvas) ?? 1;
}

function bookOf(manifest: unknown, canvases: readonly unknown[]): ManifestBook {
  const pages = pagesOf(canvases);
  const positions = new Map(pages.map(({ id }, index) => [id, index + 1]));
  const rights = itemsOf(firstOf(manifest, 'rights', 'license'), 1).flatMap((value) => webAddress(value) ?? []);
  const [provider] = itemsOf(memberOf(manifest, 'provider'), 1);
  return {
    label: textsOf(memberOf(manifest, 'label')),
    summary: textsOf(firstOf(manifest, 'summary', 'description')),
    metadata: itemsOf(memberOf(manifest, 'metadata'))
      .map(pairOf)
      .filter(({ value }) => hasText(value)),
    requiredStatement: requiredOf(manifest),
    provider: textsOf(memberOf(provider, 'label')),
    rights: rights[0],
    links: [...linksOf(manifest), ...linksOf(provider)],
    direction: directionOf(manifest),
    behavior: [...new Set([...behaviorsOf(manifest), ...behaviorsOf(sequenceOf(manifest))])],
    start: startOf(manifest, positions),
    pages,
    contents: rangesOf(manifest, positions),
  };
}

const membersOf = (collection: unknown): readonly CollectionMember[] =>
  ['items', 'manifests', 'members', 'collections'].flatMap((name) =>
    itemsOf(memberOf(collection, name)).flatMap((member) => {
      const address = webAddress(member);
      return address === undefined ? [] : [{ address, label: textsOf(memberOf(member, 'label')) }];
    }),
  );

/** Reads parsed JSON; members that are missing or of another shape count as absent. */
export function readManifest(json: unknown): ReadManifest {
  if (typeOf(json) === 'Collection') return { kind: 'collection', members: membersOf(json) };
  const canvases = firstOf(json, 'items') ?? firstOf(sequenceOf(json), 'canvases');
  const isManifest = typeOf(json) === 'Manifest' || memberOf(json, 'sequences') !== undefined;
  if (!isManifest) return { kind: 'fault', fault: 'no-manifest' };
  if (!Array.isArray(canvases) || canvases.length === 0) return { kind: 'fault', fault: 'no-pages' };
  if (canvases.length > limits.pages) return { kind: 'fault', fault: 'too-large' };
  return { kind: 'book', book: bookOf(json, canvases) };
}
