/** The use cases for some settings, on parts that stay open: they are made anew when the configuration is read again. */
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.ts';
import { anyone } from '../core/access/access.ts';
import { createAdmission } from '../core/access/admit.ts';
import { createKnownDamage } from '../core/access/known-damage.ts';
import { createPublicFolders } from '../core/access/public-folders.ts';
import { createFolderCards } from '../core/folders/folder-cards.ts';
import { createLibraryName } from '../core/folders/library-name.ts';
import type { ServerParts } from '../core/http/server.ts';
import type { SourceFile } from '../core/image/model/image-set.ts';
import { createDescriptions } from '../features/digilib/describe.ts';
import { documentsOf, pagePartsOf } from '../features/documents/documents-of.ts';
import { coverHeadOf } from '../features/documents/open-documents.ts';
import { createTakeAlong } from '../features/documents/take-along.ts';
import { overviewOf } from '../features/operations/overview.ts';
import { createAnnotationFiles } from '../features/presentation/annotation-files.ts';
import type { FolderFileFault } from '../features/presentation/folder-file-faults.ts';
import { createPresentation } from '../features/presentation/present.ts';
import { createBrowsing } from '../features/reading-room/browse.ts';
import { createDescribePage } from '../features/reading-room/describe-page.ts';
import { parseFrontPicture } from '../features/reading-room/front-picture.ts';
import { createTextSearchOf } from '../features/search/open-search.ts';
import { createPageTexts } from '../features/texts/page-texts.ts';
import { createTexter } from '../features/texts/texter.ts';
import { about } from './about.ts';
import { httpParts } from './http-parts.ts';
import { imagesOf } from './images-of.ts';
import { logIdleRules, openAccess } from './open-access.ts';
import type { Resources } from './resources.ts';

/** What is kept when the use cases are made anew. */
export interface KeptParts extends Pick<ServerParts, 'metrics' | 'readiness'> {
  readonly resources: Resources;
}

/** The parts of the HTTP server. Rejects with SettingsError for rules of access that can match nothing. */
export async function createUseCases(
  settings: Settings,
  { resources, ...kept }: KeptParts,
  logger: Logger,
): Promise<ServerParts> {
  const { library, renderer, outgoing } = resources;
  const { access: accessRules, digilib, iiif } = settings;
  const access = await openAccess(accessRules, logger);
  const damage = createKnownDamage();
  const admission = createAdmission(library, access, damage);
  const cards = createFolderCards(admission, library, damage);
  const pageTexts = createPageTexts(admission, library);
  const textSearch = createTextSearchOf(
    settings,
    resources,
    { admission, texts: pageTexts, metadata: library },
    logger,
  );
  const onFault = (fault: FolderFileFault) => logger.warn(fault, 'a file of a folder can’t be used');
  const annotationFiles = createAnnotationFiles({ source: library, onFault });
  const browsing = createBrowsing({
    admission,
    texts: textSearch,
    pageTexts,
    metadata: library,
    cards,
    annotationFiles,
    pageLabels: iiif.pageLabels,
    frontPicture: parseFrontPicture(settings.readingRoom.frontPicture ?? ''),
  });
  const describePage = createDescribePage({
    admission,
    metadata: library,
    cards,
    pageLabels: iiif.pageLabels,
  });
  const requireCurrent = (file: SourceFile) => library.requireCurrent(file);
  const images = imagesOf(settings, resources, damage);
  const presentation = createPresentation({
    admission,
    requireCurrent,
    maxPages: settings.limits.maxManifestPages,
    metadata: library,
    files: library,
    annotationFiles,
    pageTexts,
    onFault,
  });
  const ofPages = pagePartsOf(settings, { resources, admission, images, pageTexts }, logger);
  const documents = documentsOf(settings, ofPages);
  const descriptions = createDescriptions(admission, access.isOn);
  const overview = () => overviewOf(settings, resources);
  logIdleRules(accessRules, library, logger).catch((err: unknown) =>
    logger.warn({ err }, 'rules of access can’t be checked'),
  );
  return {
    ...kept,
    ...httpParts(settings, access, admission),
    about,
    outgoing,
    images,
    browsing,
    describePage,
    libraryName: createLibraryName({ admission, metadata: library, anyone, name: settings.readingRoom.name }),
    publicFolders: createPublicFolders(admission, anyone),
    presentation,
    pageTexts,
    texter: createTexter(admission, library, digilib.textFolder),
    documents,
    documentStore: resources.documentStore,
    takeAlong: createTakeAlong(ofPages),
    coverHead: coverHeadOf(settings),
    textSearch,
    descriptions,
    overview,
    expectPictures: (format) => renderer.startAhead(format),
  };
}
