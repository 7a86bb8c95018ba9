/** What collections, manifests and their canvases say of themselves beside their images: titles, metadata, links and places. */
import type { FolderListing, ShownText } from '../../../../src/core/image/folder/folder-listing.ts';
import {
  type Homepage,
  type LabeledText,
  type LanguageMap,
  textFor,
} from '../../../../src/core/image/folder/folder-metadata.ts';
import { memberOf, textOf } from '../json-value.ts';
import { firstOf, itemsOf, textsOf, webAddress } from './members.ts';
import { placesOf, type WorldPlace } from './nav-place.ts';
import { type PageImage, thumbnailOf } from './page-image.ts';

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

/** What a manifest or a collection says of itself as a whole. */
export interface WorkDescription {
  readonly label: LanguageMap;
  readonly summary: LanguageMap;
  readonly metadata: readonly LabeledText[];
  readonly requiredStatement: LabeledText | undefined;
  readonly provider: LanguageMap;
  readonly rights: string | undefined;
  /** The date that it is found by, as `1893-05-01`; undefined for none. */
  readonly date: string | undefined;
  /** Pages about it elsewhere, and other forms of it, such as a PDF. */
  readonly links: readonly Homepage[];
  /** Where it is, or is about. */
  readonly places: readonly WorldPlace[];
  /** A picture that stands for it, and the sign of who provides it. */
  readonly thumbnail: PageImage | undefined;
  readonly logo: PageImage | undefined;
}

/** The statement of version 3, or the attribution of version 2, which has no label. */
function requiredOf(resource: unknown): LabeledText | undefined {
  const pair = pairOf(memberOf(resource, 'requiredStatement'));
  if (hasText(pair.value)) return pair;
  const value = textsOf(memberOf(resource, 'attribution'));
  return hasText(value) ? { label: {}, value } : undefined;
}

/** The day of `navDate`. */
export const dateOf = (resource: unknown): string | undefined =>
  /^-?\d{4,6}-\d\d-\d\d(?=T|$)/.exec(textOf(memberOf(resource, 'navDate')))?.[0];

/** Of both versions; version 2 has the logo without a provider. */
export function workOf(resource: unknown): WorkDescription {
  const [rights] = itemsOf(firstOf(resource, 'rights', 'license'), 1).flatMap((value) => webAddress(value) ?? []);
  const [provider] = itemsOf(memberOf(resource, 'provider'), 1);
  return {
    label: textsOf(memberOf(resource, 'label')),
    summary: textsOf(firstOf(resource, 'summary', 'description')),
    metadata: metadataOf(resource),
    requiredStatement: requiredOf(resource),
    provider: textsOf(memberOf(provider, 'label')),
    rights,
    date: dateOf(resource),
    links: [...linksOf(resource), ...linksOf(provider)],
    places: placesOf(resource),
    thumbnail: thumbnailOf(resource),
    logo: thumbnailOf({ thumbnail: memberOf(provider, 'logo') ?? memberOf(resource, 'logo') }),
  };
}

export interface ListingOptions {
  readonly address: string;
  /** The reader's languages, in lower case. */
  readonly languages: readonly string[];
  /** Names of lines that manifests give no label. */
  readonly words: { readonly attribution: string; readonly provider: string; readonly date: string };
}

type ListedDescription = Pick<FolderListing, 'title' | 'summary' | 'metadata' | 'attribution' | 'rights' | 'homepage'>;

/** The same in the reader's language, as listings of folders have it. */
export function listedDescription(
  work: WorkDescription,
  { address, languages, words }: ListingOptions,
): ListedDescription {
  const shown = (text: LanguageMap): readonly string[] => textFor(text, languages);
  const line = ({ label, value }: LabeledText, otherwise = ''): ShownText => ({
    label: shown(label).join(' ') || otherwise,
    value: shown(value),
  });
  const { requiredStatement: required } = work;
  return {
    title: shown(work.label).join(' ') || address,
    summary: shown(work.summary),
    metadata: [
      ...work.metadata.map((pair) => line(pair)),
      ...(required ? [line(required, words.attribution)] : []),
      ...(hasText(work.provider) ? [line({ label: {}, value: work.provider }, words.provider)] : []),
      ...(work.date === undefined ? [] : [{ label: words.date, value: [work.date] }]),
    ],
    attribution: shown(required?.value ?? {}),
    rights: work.rights ?? null,
    homepage: work.links.map(({ id, label }) => ({ address: id, label: shown(label).join(' ') || id })),
  };
}
