/** The use case of PDF documents: which pages a document has, its key, and how its bytes are made. */
import { hash } from 'node:crypto';
import type { Caller } from '../../core/access/policy.ts';
import { isTransposed } from '../../core/image/model/geometry.ts';
import { joinPage, joinTier } from '../../core/image/model/identifier.ts';
import { highest, type ImageSet } from '../../core/image/model/image-set.ts';
import type { PageTexts } from '../../core/ports.ts';
import { type CoverHead, type DocumentWords, describeDocument, type OwnFacts } from './describe-document.ts';
import {
  isFaultOfPage,
  type PagePictureParts,
  type PagesFor,
  type PictureOptions,
  type PictureSize,
  pictureOf,
} from './page-image.ts';
import { type DocumentPage, type DocumentPlan, trueDpi } from './pdf/document.ts';
import type { SelectedPage, Selection, SelectionQuery, SelectPages } from './selection.ts';
import { type TextFingerprintParts, textFingerprints } from './text-fingerprints.ts';
import { workOf } from './work-estimate.ts';

export interface DocumentQuery extends SelectionQuery {
  readonly size: PictureSize;
  /** Sheets of the original's size, or of DIN A4. */
  readonly sheet: 'original' | 'a4';
  readonly words: DocumentWords;
  readonly head: CoverHead;
  /** The public address of the reading room, with a slash at its end; undefined where nobody knows it. */
  readonly base: string | undefined;
  readonly own?: OwnFacts;
}

export interface PreparedDocument {
  readonly selection: Selection;
  /** Equal for documents of equal content, so that one is made for all who may see its pages. */
  readonly key: string;
  readonly pages: number;
  /** Names of the pages and texts that it shows: who may see all of them may see the document. */
  readonly shows: ReadonlySet<string>;
  /** About how much processor time it takes, in ms. */
  work(): number;
  /** Makes the bytes; `onPage` is called after each page. */
  make(pagesFor: PagesFor, signal: AbortSignal, onPage: () => void): AsyncIterable<Buffer>;
}

export interface DocumentsParts extends PagePictureParts, TextFingerprintParts {
  readonly selectPages: SelectPages;
  /** The words of a page; undefined where it has none. */
  readonly pageText: PageTexts['pageText'];
  /** Writes a document; the package for it is loaded when it is needed. */
  readonly write: (plan: DocumentPlan, pages: AsyncIterable<DocumentPage>) => AsyncIterable<Buffer>;
  /** Called where the picture of a page could not be made, so that the document has a note in its place. */
  readonly onMissingPage: (path: string, error: unknown) => void;
}

export interface Documents {
  /** Throws ImageError as `SelectPages` does. Makes nothing yet. */
  prepare(query: DocumentQuery, caller: Caller, signal: AbortSignal): Promise<PreparedDocument>;
}

/** Changes when documents look different. */
const version = 3;

/** How many pictures are made ahead of the page that is written. */
const picturesAhead = 2;

/** The results for some items in their order, of which a few are made at the same time. */
async function* ahead<Item, Result>(
  items: readonly Item[],
  count: number,
  make: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const waiting: Promise<Result>[] = [];
  for (const item of items) {
    const result = make(item);
    // It is awaited later, and must not count as unhandled until then.
    result.catch(() => undefined);
    waiting.push(result);
    const next = waiting.length > count ? waiting.shift() : undefined;
    if (next !== undefined) yield await next;
  }
  for (const result of waiting) yield await result;
}

/** The header's resolution along the axes of the upright image. */
function storedDpi(image: ImageSet) {
  const { dpi, orientation } = highest(image);
  return dpi !== undefined && isTransposed(orientation) ? { x: dpi.y, y: dpi.x } : dpi;
}

/** The date of a document is that of its latest scan, so that all servers make the same bytes, today and tomorrow. */
const latestOf = ({ pages }: Selection): number =>
  pages.reduce((latest, { image }) => Math.max(latest, highest(image).file.modifiedMs), 0);

function shownIn({ pages }: Selection, texts: ReadonlyMap<string, unknown>): ReadonlySet<string> {
  const names = pages.map(
    ({ image: { name, page, terms, covers } }) =>
      joinTier(joinPage(name, page), terms?.tier.name) + (covers ? `/${covers.key}` : ''),
  );
  // No file has a slash in its name.
  return new Set([...names, ...[...texts.keys()].map((name) => `text/${name}`)]);
}

export function createDocuments(parts: DocumentsParts): Documents {
  async function pageOf(
    { image, label }: SelectedPage,
    { size: pictureSize, sheet, words }: DocumentQuery,
    options: PictureOptions,
  ): Promise<DocumentPage> {
    const { width, height } = highest(image);
    const dpi = trueDpi(image.metadata.dpi, storedDpi(image), { width, height });
    const page = {
      label,
      size: { width, height },
      sheet: sheet === 'a4' ? ({ kind: 'a4' } as const) : ({ kind: 'original', dpi } as const),
    };
    try {
      const [{ jpeg, orientation }, text] = await Promise.all([
        pictureOf(image, pictureSize, options, parts),
        parts.pageText(image),
      ]);
      return { ...page, picture: { jpeg, orientation }, ...(text !== undefined && { text }) };
    } catch (error) {
      if (!isFaultOfPage(error)) throw error;
      parts.onMissingPage(image.name, error);
      return { ...page, missing: words.missingPage };
    }
  }

  function keyOf(selection: Selection, query: DocumentQuery, texts: ReadonlyMap<string, string>): string {
    const pages = selection.pages.map(({ image, label }) => {
      const { file, orientation, width, height } = highest(image);
      const text = texts.get(image.name);
      const { terms, covers } = image;
      const shown = terms && [{ ...terms.tier, watermark: undefined }, width, height];
      const seen = [...(shown ?? []), ...(covers ? [covers.key] : [])];
      return [image.page, label, file.fingerprint, orientation, image.metadata.dpi, text, ...seen];
    });
    const { outline, cover, facts } = describeDocument({ ...query, selection, createdMs: latestOf(selection) });
    const { logo, ...rest } = cover;
    const looks = [query.size, query.sheet, logo && hash('sha256', logo, 'hex'), rest, facts, outline];
    return hash('sha256', JSON.stringify([version, selection.path, pages, looks]), 'hex');
  }

  return {
    async prepare(query, caller, signal) {
      const selection = await parts.selectPages(query, caller, signal);
      const texts = await textFingerprints(selection, caller, signal, parts);
      return {
        selection,
        key: keyOf(selection, query, texts),
        pages: selection.pages.length,
        shows: shownIn(selection, texts),
        work: () => workOf(selection.pages, query.size, parts),
        async *make(pagesFor, signal, onPage) {
          const plan = describeDocument({ ...query, selection, createdMs: latestOf(selection) });
          const pages = ahead(selection.pages, picturesAhead, (page) => pageOf(page, query, { ...pagesFor, signal }));
          async function* counted(): AsyncGenerator<DocumentPage> {
            for await (const page of pages) {
              yield page;
              onPage();
            }
          }
          yield* parts.write(plan, counted());
        },
      };
    },
  };
}
