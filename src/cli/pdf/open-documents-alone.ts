/** Opens what makes documents without a server, for the command that writes one. */
import type { Logger } from 'pino';
import { imagesOf } from '../../app/images-of.ts';
import { openBuckets } from '../../app/open-buckets.ts';
import { closePictureResources, openPictureResources } from '../../app/picture-resources.ts';
import type { Settings } from '../../config/settings.ts';
import { anyone, openAccess } from '../../core/access/access.ts';
import { createAdmission } from '../../core/access/admit.ts';
import { createKnownDamage } from '../../core/access/known-damage.ts';
import { createLibraryName } from '../../core/folders/library-name.ts';
import type { LanguageMap } from '../../core/image/folder/folder-metadata.ts';
import type { CoverHead } from '../../features/documents/describe-document.ts';
import { createDocuments, type Documents } from '../../features/documents/documents.ts';
import { coverHeadOf, documentWriter, pagePartsOf } from '../../features/documents/open-documents.ts';
import { createPageTexts } from '../../features/texts/page-texts.ts';
import { createTextLibrary, logTextFaults } from '../../features/texts/text-library.ts';

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
  const pageTexts = createPageTexts(
    admission,
    createTextLibrary(library, { onFault: logTextFaults((facts, message) => logger.warn(facts, message)) }),
  );
  return {
    documents: createDocuments({
      ...pagePartsOf(settings, { library, admission, images, pageTexts }, logger),
      write: documentWriter(settings.pdf),
    }),
    coverHead: coverHeadOf(settings),
    libraryName: createLibraryName({ admission, metadata: library, anyone, name: settings.readingRoom.name }),
    async close() {
      await closePictureResources(resources);
      await buckets.close();
    },
  };
}
