/** Connects the use case of documents with the library, and opens it alone for the command that writes one. */
import type { Logger } from 'pino';
import { imagesOf } from '../../app/images-of.ts';
import { openBuckets } from '../../app/open-buckets.ts';
import { closePictureResources, openPictureResources, type PictureResources } from '../../app/picture-resources.ts';
import type { Settings } from '../../config/settings.ts';
import { anyone, openAccess } from '../../core/access/access.ts';
import { type Admission, createAdmission } from '../../core/access/admit.ts';
import { createKnownDamage } from '../../core/access/known-damage.ts';
import type { Images } from '../../core/answers/images.ts';
import { createLibraryName } from '../../core/folders/library-name.ts';
import type { LanguageMap } from '../../core/image/folder/folder-metadata.ts';
import { createPageTexts, type PageTexts } from '../texts/page-texts.ts';
import type { CoverHead } from './describe-document.ts';
import { createDocuments, type Documents } from './documents.ts';
import { coverHeadOf, documentWriter } from './open-documents.ts';
import { createSelections } from './selection.ts';
import type { TakeAlongParts } from './take-along.ts';

interface PageParts {
  readonly resources: Pick<PictureResources, 'library'>;
  readonly admission: Admission;
  readonly images: Images;
  readonly pageTexts: PageTexts;
}

/** What documents, archives and texts need of pages. */
export const pagePartsOf = (
  { iiif, pdf }: Settings,
  { resources: { library }, admission, images, pageTexts }: PageParts,
  logger: Logger,
): TakeAlongParts & Pick<PageTexts, 'textsOf'> => ({
  images,
  openCurrent: (file) => library.openCurrent(file),
  selectPages: createSelections({
    admission,
    metadata: library,
    pageLabels: iiif.pageLabels,
    maxPages: pdf.maxPages,
  }),
  maxBytes: pdf.maxDocumentBytes,
  pageText: pageTexts.pageText,
  textsOf: pageTexts.textsOf,
  onMissingPage: (image, err) => logger.warn({ image, err }, 'a page of a PDF or an archive has no picture'),
});

export const documentsOf = (settings: Settings, pages: ReturnType<typeof pagePartsOf>): Documents =>
  createDocuments({ ...pages, write: documentWriter(settings.pdf) });

/** Documents without a server: of all that is in the library, for who has the files anyway. */
export interface OpenedDocuments {
  readonly documents: Documents;
  readonly coverHead: CoverHead;
  readonly libraryName: () => Promise<LanguageMap>;
  close(): Promise<void>;
}

/** Rejects where a folder or bucket does not exist. */
export async function openDocuments(settings: Settings, logger: Logger): Promise<OpenedDocuments> {
  const buckets = await openBuckets(settings, logger);
  const resources = openPictureResources(settings, logger, true);
  const { library } = resources;
  const damage = createKnownDamage();
  const admission = createAdmission(library, openAccess, damage);
  const images = imagesOf(settings, resources, damage);
  const pageTexts = createPageTexts(admission, library);
  return {
    documents: documentsOf(settings, pagePartsOf(settings, { resources, admission, images, pageTexts }, logger)),
    coverHead: coverHeadOf(settings),
    libraryName: createLibraryName({ admission, metadata: library, anyone, name: settings.readingRoom.name }),
    async close() {
      await closePictureResources(resources);
      await buckets.close();
    },
  };
}
