/** The words of scanned pages, from files beside the scans; and digilib's Texter. */
import { type Feature, routeGroup } from '../../core/feature.ts';
import { createPageTexts } from './page-texts.ts';
import { textRoutes } from './routes.ts';
import { createTextLibrary, logTextFaults } from './text-library.ts';
import { createTexter } from './texter.ts';
import { texterRoutes } from './texter-routes.ts';

export const feature: Feature = {
  name: 'texts',
  open({ resources, logger }) {
    const onFault = logTextFaults((facts, message) => logger.warn(facts, message));
    const library = createTextLibrary(resources.library, { onFault });
    return {
      loadAhead: () => import('./formats/parse-text.ts'),
      add(core) {
        const pageTexts = createPageTexts(core.admission, library);
        const texter = createTexter(core.admission, library, core.settings.digilib.textFolder);
        return {
          routes: [
            routeGroup('information', textRoutes, { ...core, pageTexts }),
            routeGroup('information', texterRoutes, { ...core, texter }),
          ],
          ports: { pageTexts },
        };
      },
    };
  },
};
