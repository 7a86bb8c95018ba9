/** A folder to take along: as a PDF document, as an archive of its pictures, as text, as a data set; and digilib's PDFCache. */
import { type Feature, routeGroup } from '../../core/feature.ts';
import { noTexts } from '../../core/ports.ts';
import { dataSetAddress, dataSetRoutes } from './data-set/data-set-routes.ts';
import { createDataSets } from './data-set/data-sets.ts';
import { documentRoutes } from './document-routes.ts';
import { createDocuments } from './documents.ts';
import { type DocumentSettings, documentSettings } from './documents-settings.ts';
import { coverHeadOf, documentWriter, openDataSetStore, openDocumentStore, pagePartsOf } from './open-documents.ts';
import { pdfCacheRoutes } from './pdf-cache-routes.ts';
import { createTakeAlong } from './take-along.ts';

export const feature: Feature<DocumentSettings> = {
  name: 'documents',
  settings: documentSettings,
  open({ settings: opened, resources, logger }) {
    const documentStore = openDocumentStore(opened, logger);
    const dataSetStore = openDataSetStore(opened, logger);
    return {
      async close() {
        await Promise.all([documentStore.close(), dataSetStore.close()]);
      },
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
        const { enabled: hasDataSets, pictureSize } = settings.dataSets;
        const manifests = () => core.allPorts().manifests;
        const dataSets = createDataSets({ ...core, ...pages, manifests, pictureSize });
        const dataSetParts = { ...core, dataSets, documentStore: dataSetStore };
        return {
          routes: [
            routeGroup('document', documentRoutes, parts),
            routeGroup('document', pdfCacheRoutes, parts),
            ...(hasDataSets ? [routeGroup('document', dataSetRoutes, dataSetParts)] : []),
          ],
          describe: async (example) => (await import('./documents-openapi.ts')).apiPart(example, hasDataSets),
          ports: { hasDocuments: true, ...(hasDataSets && { dataSetAddress }) },
        };
      },
    };
  },
};
