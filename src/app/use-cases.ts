/** The use cases for some settings, on parts that stay open: they are made anew when the configuration is read again. */
import type { Logger } from 'pino';
import { anyone } from '../access/access.ts';
import type { Settings } from '../config/settings.ts';
import type { ServerParts } from '../http/server.ts';
import { parseFrontPicture } from '../image/folder/front-picture.ts';
import type { SourceFile } from '../image/model/image-set.ts';
import { createAdmission } from '../service/admit.ts';
import { createAnnotationFiles } from '../service/annotation-files.ts';
import { createBrowsing } from '../service/browse.ts';
import { createDescriptions } from '../service/describe.ts';
import { createDescribePage } from '../service/describe-page.ts';
import { createTakeAlong } from '../service/documents/take-along.ts';
import { createFolderCards } from '../service/folder-cards.ts';
import type { FolderFileFault } from '../service/folder-file-faults.ts';
import { createKnownDamage } from '../service/known-damage.ts';
import { createLibraryName } from '../service/library-name.ts';
import { createPageTexts } from '../service/page-texts.ts';
import { createPresentation } from '../service/present.ts';
import { createPublicFolders } from '../service/public-folders.ts';
import { createTexter } from '../service/texter.ts';
import { about } from './about.ts';
import { documentsOf, pagePartsOf } from './documents-of.ts';
import { httpParts } from './http-parts.ts';
import { imagesOf } from './images-of.ts';
import { logIdleRules, openAccess } from './open-access.ts';
import { coverHeadOf } from './open-documents.ts';
import { createTextSearchOf } from './open-search.ts';
import { overviewOf } from './overview.ts';
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
