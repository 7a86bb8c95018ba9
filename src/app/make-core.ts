/** The core and what the features add, for some settings: made anew when the settings are read again, on resources that stay open. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { readPicture } from '../config/files/picture-file.ts';
import { type Admission, admitFirst, createAdmission } from '../core/access/admit.ts';
import { createKnownDamage } from '../core/access/known-damage.ts';
import { type Access, anyone } from '../core/access/policy.ts';
import { type Additions, type Core, type OpenFeature, routeGroup } from '../core/feature.ts';
import { createExampleImage } from '../core/folder-descriptions/example-image.ts';
import { createFolderCards } from '../core/folder-descriptions/folder-cards.ts';
import { createLibraryName } from '../core/folder-descriptions/library-name.ts';
import { about } from '../core/http/about.ts';
import { type Callers, createCallers } from '../core/http/callers.ts';
import { addPage } from '../core/http/ended-requests.ts';
import type { ErrorPicture, ErrorPictures } from '../core/http/error-responses.ts';
import { createImageMaker } from '../core/http/fast-path/picture-fast-path.ts';
import {
  createImageAddresses,
  type ImageAddresses,
  type ImageName,
  type PublicImages,
} from '../core/http/image-queries.ts';
import { openApiRoute } from '../core/http/openapi/route.ts';
import { type TrustedProxies, trustProxies } from '../core/http/origin.ts';
import { imageNameIn, imageRoutes } from '../core/http/picture-routes.ts';
import { commonHeadersWith } from '../core/http/representation.ts';
import type { Cost, Shares, WorkKind } from '../core/http/request-context.ts';
import type { Measures } from '../core/http/request-metrics.ts';
import type { ServerParts } from '../core/http/server.ts';
import { createSharedCaches } from '../core/http/shared-caches.ts';
import type { Admitted, ImageSet } from '../core/image/model/image-set.ts';
import type { Ports } from '../core/ports.ts';
import { RequestCoalescer } from '../core/storage/request-coalescer.ts';
import { imagesOf, limitsOf } from './make-images.ts';
import { logIdleRules, openAccess } from './open-access.ts';
import type { PictureResources } from './picture-resources.ts';
import { settingRows } from './settings/setting-rows.ts';
import type { Settings } from './settings/settings.ts';

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

/** What features know of the senders of requests. */
type Finders = Pick<Parameters<typeof createCallers>[1], 'signedIn' | 'linksOf'> & Pick<OpenFeature, 'sawImage'>;

const callersOf = (
  { access: rules }: Settings,
  access: Access,
  trusted: TrustedProxies,
  { sawImage: _, ...finders }: Finders,
): Callers =>
  createCallers(access, {
    ...finders,
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

/** The core without what features offer. Rejects with SettingsError for rules of access that can match nothing. */
async function coreOf(
  settings: Settings,
  resources: PictureResources,
  logger: Logger,
  finders: Finders,
): Promise<Omit<Core<Settings>, 'ports' | 'allPorts' | 'hasManifests'>> {
  const { http, iiif, digilib, limits } = settings;
  const { library, renderer } = resources;
  const access = await openAccess(settings, logger);
  const trusted = trustProxies(http.trustedProxies);
  const damage = createKnownDamage();
  const wrong = new LRUCache<string, true>({ max: 1000 });
  const onWrong = (image: string): void => {
    if (!wrong.has(image))
      logger.warn({ image }, 'a redaction lies beside the image, or there are too many: it is closed');
    wrong.set(image, true);
  };
  const admission = createAdmission(library, access, damage, onWrong, finders.sawImage);
  logIdleRules(settings.access, library, logger).catch((err: unknown) =>
    logger.warn({ err }, 'rules of access can’t be checked'),
  );
  return {
    settings,
    settingRows: () => settingRows(settings),
    logoFile: settings.readingRoom.logo,
    logger,
    resources,
    access,
    admission,
    damage,
    trusted,
    cards: createFolderCards(admission, library, damage),
    images: imagesOf(settings, resources, damage),
    publicImages: createPublicImages(admission),
    callers: callersOf(settings, access, trusted, finders),
    guarded: access.isOn || finders.signedIn.length > 0,
    publicAddress: http.publicAddress,
    contextPath: http.contextPath,
    commonHeaders: commonHeadersWith(settings.robots.tag),
    cacheControl: http.cacheControl,
    sharedCaches: createSharedCaches(http),
    serverTiming: http.serverTiming,
    iiifSlash: iiif.slash,
    limits: limitsOf(settings),
    deadlineMs: limits.deadlineMs,
    errors: {
      pictures: errorPictures(digilib),
      defaultForm: digilib.defaultErrorForm,
      legacyStatus: digilib.legacyErrorStatus,
    },
    libraryName: createLibraryName({ admission, metadata: library, anyone, name: settings.readingRoom.name }),
    expectPictures: () => renderer.startAhead(),
  };
}

/** An open feature, by its name. */
export interface NamedFeature extends OpenFeature<Settings> {
  readonly name: string;
}

/** The core with what all features add. */
interface Assembled {
  readonly core: Core;
  readonly addresses: ImageAddresses;
  readonly serverParts: ServerParts;
  /** What the features add to the API description. */
  readonly describe: readonly NonNullable<Additions['describe']>[];
}

/** Counts the pages of a document to the request for which they are rendered. */
const withPages = (request: IncomingMessage, shares: Shares): Shares => ({
  ...shares,
  onRendered(times) {
    addPage(request, times.renderMs);
    shares.onRendered?.(times);
  },
});

/** Adds the features one after the other, since each may use what those before it offer. */
export async function assemble(
  settings: Settings,
  opened: {
    readonly resources: PictureResources;
    readonly features: readonly NamedFeature[];
    readonly measures: Measures;
  },
  logger: Logger,
): Promise<Assembled> {
  const { resources, features, measures } = opened;
  const finders = {
    signedIn: features.flatMap(({ findSignedIn = [] }) => findSignedIn),
    linksOf: features.find(({ linksOf }) => linksOf !== undefined)?.linksOf,
    sawImage: features.find(({ sawImage }) => sawImage !== undefined)?.sawImage,
  };
  const ofFinders = await coreOf(settings, resources, logger, finders);
  const shares = features.find((feature) => feature.shares !== undefined)?.shares;
  const isKnown = (request: IncomingMessage) => ofFinders.callers.known(request)?.authenticated === true;
  const base = {
    ...ofFinders,
    sharesOf: (request: IncomingMessage, work: WorkKind = 'picture'): Shares => {
      const own = shares?.of(request, isKnown(request), work) ?? {};
      return work === 'document' ? withPages(request, own) : own;
    },
    ...(shares && {
      pay: (request: IncomingMessage, cost: Cost) => shares.pay(request, isKnown(request), cost),
    }),
  };
  let ports: Ports = {};
  const additions: Additions[] = [];
  for (const feature of features) {
    const added = await feature.add({
      ...base,
      hasManifests: ports.hasManifests ?? false,
      ports,
      allPorts: () => ports,
    });
    additions.push(added);
    ports = { ...ports, ...added.ports };
  }
  const core = { ...base, hasManifests: ports.hasManifests ?? false, ports, allPorts: () => ports };
  const mounts = additions.flatMap(({ imageMounts = [] }) => imageMounts);
  const addresses = createImageAddresses(mounts, core.contextPath);
  const pictures = { ...core, addresses, outgoing: resources.outgoing };
  const describe = additions.flatMap(({ describe = [] }) => describe);
  const description = routeGroup('server', openApiRoute, {
    ...core,
    about,
    example: createExampleImage(core.admission, core.cards),
    describe,
  });
  const serverParts: ServerParts = {
    ...core,
    measures,
    outgoing: resources.outgoing,
    fastPath: [...additions.flatMap(({ fastPath = [] }) => fastPath), createImageMaker(pictures)],
    hooksSee: additions.flatMap(({ hooksSee }) => hooksSee ?? []),
    routes: [
      routeGroup('picture', imageRoutes, pictures),
      description,
      ...additions.flatMap(({ routes = [] }) => routes),
    ],
    rootRoutes: additions.flatMap(({ rootRoutes = [] }) => rootRoutes),
    addHooks: additions.flatMap(({ addHooks }) => addHooks ?? []),
    imageOf: (request) => imageNameIn(request, addresses),
    adviceFor: ({ raw, origin, openFolder }) =>
      ports.shield?.adviceFor(raw, `${origin}${core.contextPath}/`, openFolder),
    answerNothingHere: additions.find(({ answerNothingHere }) => answerNothingHere !== undefined)?.answerNothingHere,
  };
  return { core, addresses, serverParts, describe };
}
