/** What those who run the server need: health, metrics, and the running configuration. */
import { type Feature, routeGroup } from '../../core/feature.ts';
import { configRoute } from './config-route.ts';
import { createMetricsPage } from './metrics.ts';
import { createMetricsAccess, healthRoutes } from './operations-routes.ts';
import { overviewOf } from './overview.ts';

export const feature: Feature = {
  name: 'operations',
  open({ resources, measures, metricRows, readiness }) {
    const metrics = createMetricsPage(measures, metricRows);
    return {
      loadAhead: () => import('prom-client'),
      add(core) {
        const { settings, settingRows, trusted } = core;
        const metricsAccess = createMetricsAccess(settings.http.metricsFrom, trusted);
        const health = routeGroup('server', healthRoutes, { metrics, metricsAccess, readiness });
        const overview = () => overviewOf(settingRows(), resources);
        return {
          routes: [routeGroup('server', configRoute, { ...core, overview }), health],
          describe: async () => (await import('./operations-openapi.ts')).apiPart(),
          // Those who watch the server need not know where it serves.
          rootRoutes: [health],
        };
      },
    };
  },
};
