/** Opens the documents as the settings say: the folder in which they are kept, and what writes them. */
import type { Logger } from 'pino';
import { userCacheDirectory } from '../../config/cache-directory.ts';
import { readLogo } from '../../config/files/logo-file.ts';
import type { Admission } from '../../core/access/admit.ts';
import { LongReads } from '../../core/access/long-reads.ts';
import type { Images } from '../../core/answers/images.ts';
import type { Library } from '../../core/library/library.ts';
import type { PageTexts } from '../../core/ports.ts';
import type { CoverHead } from './describe-document.ts';
import type { DocumentSettings } from './documents-settings.ts';
import type { DocumentPage, DocumentPlan } from './pdf/document.ts';
import { DocumentStore, type DocumentStoreOptions } from './pdf/document-store.ts';
import { createSelections, type SelectionParts } from './selection.ts';
import type { TakeAlongParts } from './take-along.ts';

type StoreSettings = Omit<DocumentStoreOptions, 'directory' | 'kind' | 'onFault'> & {
  readonly directory?: string | undefined;
};

const openStore = (settings: StoreSettings, kind: DocumentStoreOptions['kind'], logger: Logger): DocumentStore =>
  new DocumentStore({
    ...settings,
    directory: settings.directory ?? userCacheDirectory(),
    kind,
    onFault: (message, err) => logger.warn({ err }, message),
  });

export const openDocumentStore = ({ pdf }: DocumentSettings, logger: Logger): DocumentStore =>
  openStore(pdf, { folder: 'lectern-documents', extension: '.pdf' }, logger);

export const openDataSetStore = ({ dataSets }: DocumentSettings, logger: Logger): DocumentStore =>
  openStore(dataSets, { folder: 'lectern-data-sets', extension: '.zip' }, logger);

/** Writes documents. The package for it and the fonts are loaded with the first one. */
export function documentWriter({ fonts }: DocumentSettings['pdf']) {
  const loading = { current: undefined as Promise<Writer> | undefined };
  return async function* write(plan: DocumentPlan, pages: AsyncIterable<DocumentPage>): AsyncGenerator<Buffer> {
    loading.current ??= loadWriter(fonts);
    const { writeDocument, coverFonts } = await loading.current;
    yield* writeDocument(plan, pages, coverFonts);
  };
}

type Writer = Awaited<ReturnType<typeof loadWriter>>;

async function loadWriter(fonts: readonly string[]) {
  const [{ writeDocument }, { openCoverFonts }] = await Promise.all([
    import('./pdf/write-document.ts'),
    import('./pdf/fonts.ts'),
  ]);
  return { writeDocument, coverFonts: openCoverFonts(fonts) };
}

const mediaTypes: readonly string[] = ['image/png', 'image/jpeg'];

/** The head of covers; a logo of another kind than PNG and JPEG has no place in a PDF. */
export function coverHeadOf({ pdf }: DocumentSettings, libraryLogo: string | undefined): CoverHead {
  const file = pdf.logo ?? libraryLogo;
  const logo = file === undefined ? undefined : readLogo(file);
  const usable = logo !== undefined && 'bytes' in logo && mediaTypes.includes(logo.mediaType) ? logo.bytes : undefined;
  const heading = [pdf.headerTitle, pdf.headerSubtitle].filter((text) => text !== undefined && text !== '');
  return { ...(usable && { logo: usable }), heading: heading as string[] };
}

interface PageParts {
  readonly library: Library;
  readonly admission: Admission;
  readonly images: Images;
  readonly pageTexts: PageTexts;
}

/** What documents, archives and texts need of pages. */
export const pagePartsOf = (
  { iiif, pdf, limits }: DocumentSettings,
  { library, admission, images, pageTexts }: PageParts,
  logger: Logger,
): TakeAlongParts & Pick<PageTexts, 'textsOf' | 'textOf' | 'documentOf'> & Pick<SelectionParts, 'reads'> => {
  const reads = new LongReads(limits);
  return {
    images,
    openCurrent: (file) => library.handle(file).read(),
    selectPages: createSelections({
      admission,
      reads,
      metadata: library,
      pageLabels: iiif.pageLabels,
      maxPages: pdf.maxPages,
    }),
    reads,
    maxBytes: pdf.maxDocumentBytes,
    pageText: pageTexts.pageText,
    textsOf: pageTexts.textsOf,
    textOf: pageTexts.textOf,
    documentOf: pageTexts.documentOf,
    onMissingPage: (image, err) => logger.warn({ image, err }, 'a page of a PDF or an archive has no picture'),
  };
};
