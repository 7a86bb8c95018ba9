/** The IIIF Presentation API 3.0 and 2.1: manifests of folders with images, and collections of folders. */
import { type Feature, routeGroup } from '../../core/feature.ts';
import { noTexts } from '../../core/ports.ts';
import { createAnnotationFiles, type FolderFileFault } from './annotation-files.ts';
import { createManifests } from './manifests.ts';
import { presentationRoutes } from './presentation-routes.ts';
import { createPresentation } from './presented-folders.ts';

export const feature: Feature = {
  name: 'presentation',
  open: ({ resources: { library }, logger }) => ({
    add(core) {
      const { admission, ports, settings } = core;
      const onFault = (fault: FolderFileFault) => logger.warn(fault, 'a file of a folder can’t be used');
      const annotationFiles = createAnnotationFiles({ source: library, onFault, kind: 'annotations' });
      const georeferenceFiles = createAnnotationFiles({ source: library, onFault, kind: 'georef' });
      const presentation = createPresentation({
        admission,
        deadlineMs: core.deadlineMs,
        requireCurrent: (file) => library.handle(file).requireCurrent(),
        maxPages: settings.limits.maxManifestPages,
        metadata: library,
        files: library,
        annotationFiles,
        georeferenceFiles,
        media: ports.media,
        tours: ports.tours,
        pageTexts: ports.pageTexts ?? noTexts,
        onFault,
      });
      const { prefix: iiifPrefix, pageLabels } = settings.iiif;
      const { searchMember, accessServices, hasDocuments = false, dataSetAddress } = ports;
      const changesPath = () => core.allPorts().changesPath;
      const named = { searchMember, accessServices, hasDocuments, dataSetAddress, changesPath };
      const parts = { ...core, presentation, iiifPrefix, pageLabels, ...named };
      return {
        routes: [routeGroup('manifest', presentationRoutes, parts)],
        describe: async (example) => (await import('./presentation-openapi.ts')).apiPart(example, iiifPrefix),
        ports: {
          hasManifests: true,
          manifests: createManifests(parts),
          annotationFilesIn: (folder) => annotationFiles.filesIn(folder),
          georeferenceFilesIn: (folder) => georeferenceFiles.filesIn(folder),
        },
      };
    },
  }),
};
