/** The entries of the data set of a folder: its manifest, its metadata, a list of its pages, their texts and pictures. */
import { imageServicesBelow, keyOfPage, presentationAddresses } from '../../../core/image/addresses/iiif-addresses.ts';
import { stemOf } from '../../../core/image/model/formats.ts';
import { childOf, formatIdentifier, joinPage, joinTier } from '../../../core/image/model/identifier.ts';
import { hasFiles, highest } from '../../../core/image/model/image-set.ts';
import { textFormats } from '../../../core/image/model/text-formats.ts';
import { plainText } from '../../../core/image/page-text/page-text.ts';
import type { PageTexts } from '../../../core/ports.ts';
import { nameOf } from '../archive.ts';
import { isFaultOfPage, type PagePictureParts, type PictureOptions, renderSize } from '../page-image.ts';
import type { SelectedPage, Selection } from '../selection.ts';

/** A file of a data set. */
export interface Entry {
  readonly name: string;
  readonly content: Buffer;
  /** In ms since 1970. */
  readonly modifiedMs: number;
  /** Whether it becomes shorter by that. */
  readonly isCompressed: boolean;
}

export interface EntriesParts extends Pick<PagePictureParts, 'images'>, Pick<PageTexts, 'textOf' | 'documentOf'> {
  readonly onMissingPage: (path: string, error: unknown) => void;
}

export interface EntriesOptions extends PictureOptions {
  /** The manifest, as its address answers it. */
  readonly manifest: string;
  /** The origin and the context path. */
  readonly base: string;
  readonly iiifSlash: string;
  /** The largest side of pictures in pixels; 0 for none. */
  readonly pictureSize: number;
  readonly onPage: () => void;
}

/** A line of `pages.json`: which files of the data set belong to a page, and the addresses that answer the same. */
interface ListedPage {
  /** The id of its canvas in the manifest. */
  readonly canvas: string;
  readonly label: string;
  readonly picture?: ListedFile;
  /** The words, and the file that they come from where that has their places. */
  readonly text?: ListedFile;
  readonly textFile?: ListedFile;
}

interface ListedFile {
  readonly file: string;
  readonly address: string;
}

/** Members of a manifest that tell of the folder, not of its pages. */
const ofFolder = [
  'id',
  'label',
  'summary',
  'metadata',
  'rights',
  'requiredStatement',
  'homepage',
  'provider',
  'navDate',
];

function metadataOf(manifest: string): object {
  const members: object = JSON.parse(manifest);
  return Object.fromEntries(Object.entries(members).filter(([name]) => ofFolder.includes(name)));
}

const jsonEntry = (name: string, value: unknown, modifiedMs: number): Entry => ({
  name,
  content: Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`),
  modifiedMs,
  isCompressed: true,
});

const modifiedMsOf = ({ image }: SelectedPage): number => highest(image).file.modifiedMs;

/** The latest change of an image, so that equal data sets have equal bytes. */
const latestOf = (pages: readonly SelectedPage[]): number =>
  pages.reduce((latest, page) => Math.max(latest, modifiedMsOf(page)), 0);

type PageFile = readonly [kind: 'picture' | 'text' | 'textFile', entry: Entry, address: string];

/** The files of one page. `stem` is a name that no other page has. */
async function* filesOf(
  page: SelectedPage,
  { folder }: Selection,
  stem: string,
  options: EntriesOptions,
  parts: EntriesParts,
): AsyncGenerator<PageFile> {
  const { image } = page;
  const { base, iiifSlash, pictureSize: side } = options;
  const modifiedMs = modifiedMsOf(page);
  const path = joinPage(formatIdentifier(childOf(folder.identifier, image.name)), image.page);
  const services = imageServicesBelow(base, iiifSlash)(joinTier(path, image.terms?.tier.name));
  if (side > 0) {
    const content = await renderSize(image, { kind: 'confined', width: side, height: side }, options, parts);
    const address = `${services.version3}/full/!${side},${side}/0/default.jpg`;
    yield ['picture', { name: `pictures/${stem}.jpg`, content, modifiedMs, isCompressed: false }, address];
  }
  if (image.terms?.tier.texts === false) return;
  const found = await parts.textOf(image);
  if (found === undefined) return;
  const words = Buffer.from(`${plainText(found.text)}\n`);
  const textMs = found.source.modifiedMs;
  yield [
    'text',
    { name: `texts/${stem}.txt`, content: words, modifiedMs: textMs, isCompressed: true },
    services.text('txt'),
  ];
  // Its places are in pixels of the whole image, and it has the words that are covered.
  if (found.source.format === 'plain' || !hasFiles(image)) return;
  const { extension } = textFormats[found.source.format];
  const document = await parts.documentOf(image);
  if (document === undefined) return;
  const entry = { name: `texts/${stem}.${extension}`, content: document.bytes, modifiedMs: textMs, isCompressed: true };
  yield ['textFile', entry, services.text(extension)];
}

/** All entries, one after the other, with the list of pages at the end. Pages whose pictures can't be made have none. */
export async function* entriesOf(
  selection: Selection,
  options: EntriesOptions,
  parts: EntriesParts,
): AsyncGenerator<Entry> {
  const { pages, path } = selection;
  const { manifest, base, iiifSlash } = options;
  const latestMs = latestOf(pages);
  yield { name: 'manifest.json', content: Buffer.from(manifest), modifiedMs: latestMs, isCompressed: true };
  yield jsonEntry('metadata.json', metadataOf(manifest), latestMs);
  const { part } = presentationAddresses(`${base}/presentation/3`, path, iiifSlash);
  const taken = new Set<string>();
  const listed: ListedPage[] = [];
  for (const page of pages) {
    const { image, label } = page;
    const line: { -readonly [Name in keyof ListedPage]: ListedPage[Name] } = {
      canvas: part('canvas', keyOfPage(image.name, image.page)),
      label,
    };
    try {
      for await (const [kind, entry, address] of filesOf(
        page,
        selection,
        stemOf(nameOf(page, taken)),
        options,
        parts,
      )) {
        yield entry;
        line[kind] = { file: entry.name, address };
      }
    } catch (error) {
      if (!isFaultOfPage(error)) throw error;
      parts.onMissingPage(image.name, error);
    }
    listed.push(line);
    options.onPage();
  }
  yield jsonEntry('pages.json', listed, latestMs);
}
