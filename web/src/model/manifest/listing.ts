/** A book from elsewhere as the reading room knows folders: all of its pages at once. */
import type {
  ContentsEntry,
  FolderListing,
  ImageCard,
  ShownText,
} from '../../../../src/core/image/folder/folder-listing.ts';
import type { LabeledText, LanguageMap } from '../../../../src/core/image/folder/folder-metadata.ts';
import { textFor } from '../../../../src/core/image/folder/languages.ts';
import { foreignPath } from '../address/foreign-path.ts';
import type { ManifestBook, ManifestRange } from './book.ts';
import type { ManifestPage } from './canvas.ts';

interface ListingOptions {
  /** The address of the manifest. */
  readonly address: string;
  /** The reader's languages, in lower case. */
  readonly languages: readonly string[];
  /** Names of lines that manifests give no label. */
  readonly words: { readonly attribution: string; readonly provider: string };
}

export function listingOf(book: ManifestBook, { address, languages, words }: ListingOptions): FolderListing {
  const shown = (text: LanguageMap): readonly string[] => textFor(text, languages);
  const line = ({ label, value }: LabeledText, otherwise = ''): ShownText => ({
    label: shown(label).join(' ') || otherwise,
    value: shown(value),
  });
  const { requiredStatement: required } = book;
  const provider: readonly ShownText[] =
    Object.keys(book.provider).length === 0 ? [] : [line({ label: {}, value: book.provider }, words.provider)];
  const labels = book.pages.map(({ label }, index) => shown(label).join(' ') || String(index + 1));
  const pathOf = (page: ManifestPage | undefined): string => foreignPath({ manifest: address, canvas: page?.id ?? '' });
  const card = (page: ManifestPage, index: number): ImageCard => ({
    path: pathOf(page),
    name: '',
    pn: index + 1,
    label: labels[index] ?? '',
    width: page.canvas?.width ?? page.image?.size?.width ?? null,
    height: page.canvas?.height ?? page.image?.size?.height ?? null,
    pages: 1,
    truncated: false,
    hasText: false,
    annotated: page.annotations.length > 0 ? [1] : [],
  });
  const entry = ({ label, at, ranges }: ManifestRange): ContentsEntry => ({
    label: shown(label).join(' ') || (labels[at - 1] ?? ''),
    path: pathOf(book.pages[at - 1]),
    at,
    page: labels[at - 1] ?? '',
    contents: ranges.map(entry),
  });
  return {
    path: foreignPath({ manifest: address, canvas: '' }),
    title: shown(book.label).join(' ') || address,
    summary: shown(book.summary),
    metadata: [
      ...book.metadata.map((pair) => line(pair)),
      ...(required ? [line(required, words.attribution)] : []),
      ...provider,
    ],
    attribution: shown(required?.value ?? {}),
    rights: book.rights ?? null,
    homepage: book.links.map(({ id, label }) => ({ address: id, label: shown(label).join(' ') || id })),
    direction: book.direction,
    behavior: book.behavior,
    unpaired: book.pages.flatMap(({ behavior }, index) => (behavior ? [{ at: index + 1, page: 1, behavior }] : [])),
    contents: book.contents.map(entry),
    parents: [],
    folders: [],
    totalFolders: 0,
    images: book.pages.map(card),
    totalImages: book.pages.length,
    from: 1,
    at: null,
    front: null,
  };
}
