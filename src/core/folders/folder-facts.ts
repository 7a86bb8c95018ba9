/** What a folder's metadata says of it, in the languages of a reader: for the reading room's lists and for its HTML. */
import type { FolderListing, ShownLink, ShownText } from '../image/folder/folder-listing.ts';
import { textFor } from '../image/folder/language-values.ts';
import { formatIdentifier } from '../image/model/identifier.ts';
import { type LocalizedFolder, titleOf } from './folder-cards.ts';

/** The members of a listing that do not depend on the folder's content. */
type FolderFacts = Pick<
  FolderListing,
  'path' | 'title' | 'summary' | 'metadata' | 'attribution' | 'rights' | 'homepage'
>;

function textsOf({ metadata: { metadata = [], requiredStatement }, languages }: LocalizedFolder): readonly ShownText[] {
  const pairs = requiredStatement === undefined ? metadata : [...metadata, requiredStatement];
  return pairs.map(({ label, value }) => ({
    label: textFor(label, languages).join(' '),
    value: textFor(value, languages),
  }));
}

const homepagesOf = ({ metadata: { homepage = [] }, languages }: LocalizedFolder): readonly ShownLink[] =>
  homepage.map(({ id, label }) => ({ address: id, label: textFor(label, languages).join(' ') || id }));

export function factsOf(folder: LocalizedFolder): FolderFacts {
  const { identifier, metadata, languages } = folder;
  return {
    path: formatIdentifier(identifier),
    title: titleOf(folder),
    summary: textFor(metadata.summary ?? {}, languages),
    metadata: textsOf(folder),
    attribution: textFor(metadata.requiredStatement?.value ?? {}, languages),
    rights: metadata.rights ?? null,
    homepage: homepagesOf(folder),
  };
}
