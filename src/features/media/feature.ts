/** Sound and video beside scans: their files by ranges, and what manifests and lists say of them. */
import { type Feature, routeGroup } from '../../core/feature.ts';
import { createFactsReader, createMediaFiles } from './media-files.ts';
import { mediaRoutes } from './media-routes.ts';

export const feature: Feature = {
  name: 'media',
  open({ resources: { library } }) {
    const factsOf = createFactsReader(library);
    return {
      loadAhead: () => import('./headers/media-facts.ts'),
      add: (core) => ({
        routes: [routeGroup('information', mediaRoutes, { ...core, library })],
        describe: async () => (await import('./media-openapi.ts')).apiPart(),
        ports: { media: createMediaFiles(core.admission, factsOf) },
      }),
    };
  },
};
