/** The words of scanned pages, from files beside the scans. */
import { type Feature, routeGroup } from '../../core/feature.ts';
import { createPageTexts } from './page-texts.ts';
import { createTextLibrary, logTextFaults, textFilesOf } from './text-library.ts';
import { textRoutes } from './text-routes.ts';

export const feature: Feature = {
  name: 'texts',
  open({ resources, logger }) {
    const onFault = logTextFaults((facts, message) => logger.warn(facts, message));
    const library = createTextLibrary(resources.library, { onFault });
    return {
      loadAhead: () => import('./formats/parse-text.ts'),
      add(core) {
        const pageTexts = createPageTexts(core.admission, library);
        return {
          routes: [routeGroup('information', textRoutes, { ...core, pageTexts })],
          describe: async () => (await import('./texts-openapi.ts')).apiPart(),
          ports: { pageTexts, textFiles: textFilesOf(library) },
        };
      },
    };
  },
};
