/** What manifests and their canvases say of themselves beside their images: metadata, links and places. */
import type { Homepage, LabeledText, LanguageMap } from '../../../../src/core/image/folder/folder-metadata.ts';
import { memberOf, textOf } from '../json-value.ts';
import { itemsOf, textsOf, webAddress } from './members.ts';
import { placesOf, type WorldPlace } from './nav-place.ts';

export const pairOf = (value: unknown): LabeledText => ({
  label: textsOf(memberOf(value, 'label')),
  value: textsOf(memberOf(value, 'value')),
});

export const hasText = (text: LanguageMap): boolean => Object.keys(text).length > 0;

export const metadataOf = (resource: unknown): readonly LabeledText[] =>
  itemsOf(memberOf(resource, 'metadata'))
    .map(pairOf)
    .filter(({ value }) => hasText(value));

/** Pages about it elsewhere, other forms of it, such as a PDF, and what machines read. */
export const linksOf = (resource: unknown): readonly Homepage[] =>
  ['homepage', 'related', 'rendering', 'seeAlso'].flatMap((name) =>
    itemsOf(memberOf(resource, name), 50).flatMap((link) => {
      const id = webAddress(link);
      const format = textOf(memberOf(link, 'format')) || 'text/html';
      return id === undefined ? [] : [{ id, label: textsOf(memberOf(link, 'label')), format }];
    }),
  );

/** What a canvas says of itself. */
export interface Description {
  readonly metadata: readonly LabeledText[];
  readonly links: readonly Homepage[];
  readonly places: readonly WorldPlace[];
}

/** Undefined for most canvases, which say nothing but their label. */
export function descriptionOf(resource: unknown): Description | undefined {
  const [metadata, links, places] = [metadataOf(resource), linksOf(resource), placesOf(resource)];
  return metadata.length + links.length + places.length === 0 ? undefined : { metadata, links, places };
}
