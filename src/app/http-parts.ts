/** The parts of the HTTP server that come from the settings, from files and from the rules of access. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import { readLogo } from '../config/files/logo-file.ts';
import { readPicture } from '../config/files/picture-file.ts';
import { readUnitsFile } from '../config/files/units-file.ts';
import type { Settings } from '../config/settings.ts';
import { type Access, anyone } from '../core/access/access.ts';
import { type Admission, admitFirst } from '../core/access/admit.ts';
import { type Callers, createCallers } from '../core/http/callers.ts';
import type { ErrorPicture, ErrorPictures } from '../core/http/errors.ts';
import { createImageAddresses, type ImageName } from '../core/http/image-address.ts';
import { type TrustedProxies, trustProxies } from '../core/http/origin.ts';
import type { PublicImages } from '../core/http/public-images.ts';
import type { Admitted, ImageSet } from '../core/image/model/image-set.ts';
import { RequestCoalescer } from '../core/library/stats/request-coalescer.ts';
import { kernelOfQuality } from '../features/digilib/request.ts';
import { createMetricsAccess } from '../features/operations/metrics-access.ts';
import { accentColors } from '../features/reading-room/pages/accent.ts';
import type { Site } from '../features/reading-room/site-pages.ts';
import { logoAsset, type NamedAsset, readWebAssets } from '../features/reading-room/web-assets.ts';
import { limitsOf } from './limits.ts';
import { imageFolders } from './open-library.ts';

const asset = (name: string): ErrorPicture => ({
  bytes: readFileSync(new URL(`../../assets/${name}`, import.meta.url)),
  mediaType: 'image/png',
});

/** The picture of a file that the settings name, or else one of our own. Throws where the file is not a picture any more. */
function errorPicture(file: string | undefined, own: string): ErrorPicture {
  if (file === undefined) return asset(own);
  const picture = readPicture(file);
  if ('problem' in picture) throw new Error(picture.problem);
  return picture;
}

const errorPictures = ({ errorPictures: { notFound, denied, error } }: Settings['digilib']): ErrorPictures => ({
  notFound: errorPicture(notFound, 'not-found.png'),
  denied: errorPicture(denied, 'denied.png'),
  error: errorPicture(error, 'error.png'),
});

/** The picture of the settings as a file that pages load. Throws where it can't be used any more. */
function logoOf({ logo }: Settings['readingRoom']): NamedAsset | undefined {
  if (logo === undefined) return undefined;
  const picture = readLogo(logo);
  if ('problem' in picture) throw new Error(picture.problem);
  return logoAsset(picture);
}

const callersOf = ({ access: rules }: Settings, access: Access, trusted: TrustedProxies): Callers =>
  createCallers(access, {
    trusted,
    tokenCookie: rules?.tokenCookie ?? 'id_token',
    rolesHeader: rules?.rolesHeader?.toLowerCase(),
    allowedOrigins: new Set(rules?.allowedOrigins),
  });

/** Images that were admitted just now, of which viewers request many parts at once. */
const maxRecentImages = 1000;

const keyOfName = ({ identifiers, page }: ImageName): string => JSON.stringify({ identifiers, page });

/** Simultaneous requests for an image share its stats, which are made after the last of them came. */
function createPublicImages(admission: Admission): PublicImages {
  const recent = new LRUCache<string, Admitted<ImageSet>>({ max: maxRecentImages });
  const coalescer = new RequestCoalescer(async (key) => {
    const image = await admitFirst(JSON.parse(key) as ImageName, admission, anyone);
    recent.set(key, image);
    return image;
  });
  return {
    isFresh: (image) => admission.isFresh(image),
    recent(name) {
      const image = recent.get(keyOfName(name));
      return image !== undefined && admission.isFresh(image) ? image : undefined;
    },
    admit: (name) => coalescer.run(keyOfName(name)),
  };
}

/** The static pages of a site; the image folders among them stay closed where there are rules of access. */
function siteOf({ http: { webapp: folder }, library }: Settings, access: Access): Site | undefined {
  return folder === undefined ? undefined : { folder, closed: access.isOn ? imageFolders(library) : [] };
}

/** The parts; those of the library and the renderer are added by `createApp`. */
export function httpParts(settings: Settings, access: Access, admission: Admission) {
  const { http, iiif, digilib, readingRoom, limits } = settings;
  const trusted = trustProxies(http.trustedProxies);
  const mounts = { iiifPrefix: iiif.prefix, defaultIiifVersion: iiif.defaultVersion };
  return {
    ...mounts,
    trusted,
    publicAddress: http.publicAddress,
    contextPath: http.contextPath,
    cacheControl: http.cacheControl,
    serverTiming: http.serverTiming,
    iiifSlash: iiif.slash,
    showsTruncated: settings.render.truncated === 'show',
    pageLabels: iiif.pageLabels,
    limits: limitsOf(settings),
    deadlineMs: limits.deadlineMs,
    errors: {
      pictures: errorPictures(digilib),
      defaultForm: digilib.defaultErrorForm,
      legacyStatus: digilib.legacyErrorStatus,
    },
    addresses: createImageAddresses({
      ...mounts,
      contextPath: http.contextPath,
      rawSlashes: iiif.rawSlashes,
      iiifSlash: iiif.slash,
      defaultKernel: kernelOfQuality(digilib.defaultQuality),
      defaultErrorForm: digilib.defaultErrorForm,
      explain: http.explain,
    }),
    admission,
    metricsAccess: createMetricsAccess(http.metricsFrom, trusted),
    callers: callersOf(settings, access, trusted),
    publicImages: createPublicImages(admission),
    guarded: access.isOn,
    // The path is the same from the sources and from what is compiled of them.
    webAssets: readWebAssets(fileURLToPath(new URL('../../dist/web/', import.meta.url))),
    webapp: siteOf(settings, access),
    logo: logoOf(readingRoom),
    accent: readingRoom.accent === undefined ? undefined : accentColors(readingRoom.accent),
    embedAncestors: readingRoom.embedAncestors,
    viewers: readingRoom.viewers,
    manifests: readingRoom.manifests,
    units: readingRoom.units === undefined ? [] : readUnitsFile(readingRoom.units).units,
  };
}
