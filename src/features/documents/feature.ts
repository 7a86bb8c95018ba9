/** A folder to take along: as a PDF document, as an archive of its pictures, as text; and digilib's PDFCache. */
import { type Feature, routeGroup } from '../../core/feature.ts';
import { noTexts } from '../../core/ports.ts';
import { documentRoutes } from './document-routes.ts';
import { createDocuments } from './documents.ts';
import { type DocumentSettings, documentSettings } from './documents-settings.ts';
import { coverHeadOf, documentWriter, openDocumentStore, pagePartsOf } from './open-documents.ts';
import { pdfCacheRoutes } from './pdf-cache-routes.ts';
import { createTakeAlong } from './take-along.ts';

export const feature: Feature<DocumentSettings> = {
  name: 'documents',
  settings: documentSettings,
  open({ settings: opened, resources, logger }) {
    const documentStore = openDocumentStore(opened, logger);
    return {
      close: () => documentStore.close(),
      add(core) {
        const { settings, admission, images, ports } = core;
        const { pageTexts = noTexts } = ports;
        const pages = pagePartsOf(settings, { library: resources.library, admission, images, pageTexts }, logger);
        const parts = {
          ...core,
          outgoing: resources.outgoing,
          documents: createDocuments({ ...pages, write: documentWriter(settings.pdf) }),
          documentStore,
          takeAlong: createTakeAlong(pages),
          coverHead: coverHeadOf(settings, core.logoFile),
        };
        return {
          routes: [routeGroup('document', documentRoutes, parts), routeGroup('document', pdfCacheRoutes, parts)],
          describe: async (example) => (await import('./documents-openapi.ts')).apiPart(example),
          ports: { hasDocuments: true },
        };
      },
    };
  },
};
