/** The digilib APIs: the info object, the Scaler, the other information endpoints, and the Texter. */
import { type Feature, routeGroup } from '../../core/feature.ts';
import { digilibApiRoutes } from './api-routes.ts';
import { type DigilibSettings, digilibSettings } from './digilib-settings.ts';
import { createInfoObjectMaker } from './info-object-fast-path.ts';
import { infoObjectRoutes } from './info-object-route.ts';
import { createDescriptions } from './information-endpoints.ts';
import { scalerMounts } from './scaler-address.ts';
import { kernelOfQuality } from './scaler-request.ts';
import { createTexter } from './texter.ts';
import { texterRoutes } from './texter-routes.ts';

export const feature: Feature<DigilibSettings> = {
  name: 'digilib',
  settings: digilibSettings,
  open: () => ({
    add(core) {
      const { digilib, iiif, http } = core.settings;
      const { textFiles } = core.ports;
      const descriptions = createDescriptions(core.admission, core.guarded);
      return {
        routes: [
          routeGroup('info-object', infoObjectRoutes, core),
          routeGroup('information', digilibApiRoutes, { ...core, descriptions }),
          ...(textFiles === undefined
            ? []
            : [
                routeGroup('information', texterRoutes, {
                  ...core,
                  texter: createTexter(core.admission, textFiles, digilib.textFolder),
                }),
              ]),
        ],
        describe: async (example) =>
          (await import('./digilib-openapi.ts')).apiPart(example, core.errors.legacyStatus, textFiles !== undefined),
        fastPath: [createInfoObjectMaker(core)],
        imageMounts: scalerMounts({
          contextPath: core.contextPath,
          defaultKernel: kernelOfQuality(digilib.defaultQuality),
          defaultErrorForm: digilib.defaultErrorForm,
          explain: http.explain,
          iiifPrefix: iiif.prefix,
          iiifSlash: core.iiifSlash,
          infoForm: core.ports.infoForm,
        }),
      };
    },
  }),
};
