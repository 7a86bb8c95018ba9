/** Guided views beside scans: their files, as annotations for other viewers, and what manifests and lists say of them. */
import { type Feature, routeGroup } from '../../core/feature.ts';
import { createTourFiles } from './tour-files.ts';
import { tourRoutes } from './tour-routes.ts';

export const feature: Feature = {
  name: 'tours',
  open: ({ resources: { library }, logger }) => ({
    add(core) {
      const tours = createTourFiles({
        source: library,
        admission: core.admission,
        onFault: (fault) => logger.warn(fault, 'a file of a folder can’t be used'),
      });
      return {
        routes: [routeGroup('manifest', tourRoutes, { ...core, tours })],
        describe: async () => (await import('./tours-openapi.ts')).apiPart(),
        ports: { tours },
      };
    },
  }),
};
