/** The words of scanned pages, from files beside the scans; and digilib's Texter. */
import { type Feature, routeGroup } from '../../core/feature.ts';
import { createPageTexts } from './page-texts.ts';
import { textRoutes } from './routes.ts';
import { createTexter } from './texter.ts';
import { texterRoutes } from './texter-routes.ts';

export const feature: Feature = {
  name: 'texts',
  open: () => ({
    loadAhead: () => import('./formats/parse-text.ts'),
    add(core) {
      const { admission, resources, settings } = core;
      const pageTexts = createPageTexts(admission, resources.library);
      const texter = createTexter(admission, resources.library, settings.digilib.textFolder);
      return {
        routes: [
          routeGroup('information', textRoutes, { ...core, pageTexts }),
          routeGroup('information', texterRoutes, { ...core, texter }),
        ],
        ports: { pageTexts },
      };
    },
  }),
};
