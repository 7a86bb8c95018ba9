/** The IIIF Image API 3.0, 2.1 and 1.1: addresses of pictures and info.json. */
import type { Feature } from '../../core/feature.ts';
import { iiifImageMounts, infoForms } from './image-address.ts';

export const feature: Feature = {
  name: 'iiif-image',
  open: ({ settings: { iiif, http } }) => ({
    add: ({ iiifSlash }) => ({
      imageMounts: iiifImageMounts({
        iiifPrefix: iiif.prefix,
        defaultIiifVersion: iiif.defaultVersion,
        rawSlashes: iiif.rawSlashes,
        iiifSlash,
        explain: http.explain,
      }),
      describe: async () =>
        (await import('./iiif-image-openapi.ts')).apiPart({
          iiifPrefix: iiif.prefix,
          defaultIiifVersion: iiif.defaultVersion,
        }),
      ports: { infoForm: infoForms[iiif.defaultVersion] },
    }),
  }),
};
