/** Wires the parts together, for the command line and for tests. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';
import { type Access, anyone, createAccess, openAccess } from '../access/access.ts';
import { createDerivatives, type Derivatives } from '../cache/derivatives.ts';
import { userCacheDirectory } from '../config/cache-directory.ts';
import { readPicture } from '../config/files/picture-file.ts';
import { readUnitsFile } from '../config/files/units-file.ts';
import { settingRows } from '../config/overview.ts';
import { type Settings, SettingsError } from '../config/settings.ts';
import { kernelOfQuality } from '../digilib/request.ts';
import { type Callers, createCallers } from '../http/callers.ts';
import type { ErrorPicture, ErrorPictures } from '../http/errors.ts';
import { createImageFastPath, type PublicImages } from '../http/fast-path/image-fast-path.ts';
import { admitFirst } from '../http/image-query.ts';
import { type TrustedProxies, trustProxies } from '../http/origin.ts';
import { createServer } from '../http/server.ts';
import type { Service } from '../http/service.ts';
import type { Site } from '../http/site.ts';
import { readWebAssets, type WebAssets } from '../http/web-assets.ts';
import type { MetadataFault } from '../image/folder/folder-metadata.ts';
import { parseIdentifier } from '../image/model/identifier.ts';
import type { SourceFile } from '../image/model/image-set.ts';
import { MetadataIndex } from '../library/index/metadata-index.ts';
import { Library } from '../library/library.ts';
import { fingerprintOf } from '../library/stats/fingerprint.ts';
import { isLocal, localDevices } from '../library/stats/local-disk.ts';
import { RequestCoalescer } from '../library/stats/request-coalescer.ts';
import type { Pyramids } from '../pyramids/pyramids.ts';
import { createInThisProcess, createProcesses } from '../render/processes.ts';
import { createRenderer, type Renderer } from '../render/renderer.ts';
import { createTiles } from '../render/tiles/tiles.ts';
import { type Admission, createAdmission } from '../service/admit.ts';
import { type Browsing, createBrowsing } from '../service/browse.ts';
import { createDescriptions } from '../service/describe.ts';
import { createImages } from '../service/images.ts';
import { createPresentation } from '../service/present.ts';
import { about } from './about.ts';
import { libraryRows } from './library-rows.ts';
import { openPyramids, pyramidFolder } from './open-pyramids.ts';
import { processRows } from './process-rows.ts';

const asset = (name: string): ErrorPicture => ({
  bytes: readFileSync(new URL(`../../assets/${name}`, import.meta.url)),
  mediaType: 'image/png',
});

/** The picture of a file that the settings name, or else one of our own. Throws where the file is no picture any more. */
function errorPicture(file: string | undefined, own: string): ErrorPicture {
  if (file === undefined) return asset(own);
  const picture = readPicture(file);
  if ('problem' in picture) throw new Error(picture.problem);
  return picture;
}

/** The reading room as `npm run build` makes it; the place is the same from the sources and from what is built of them. */
const builtRoom = (): WebAssets => readWebAssets(fileURLToPath(new URL('../../dist/web/', import.meta.url)));

const errorPictures = ({ errorPictures: { notFound, denied, error } }: Settings['digilib']): ErrorPictures => ({
  notFound: errorPicture(notFound, 'not-found.png'),
  denied: errorPicture(denied, 'denied.png'),
  error: errorPicture(error, 'error.png'),
});

/** The index of the library on disk; undefined where the settings switch it off. */
function openIndex({ directory, maxBytes }: Settings['index'], logger: Logger): MetadataIndex | undefined {
  if (directory === false) return undefined;
  // The default directory is optional: that it can't be written is no fault.
  const level = directory === undefined ? 'info' : 'warn';
  return new MetadataIndex({
    directory: directory ?? path.join(userCacheDirectory(), 'index'),
    maxBytes,
    onFault: (message, err) => logger[level]({ err }, message),
  });
}

export interface App {
  /** Ready to listen. */
  readonly server: FastifyInstance;
  readonly browsing: Browsing;
  /** What the server's routes call. */
  readonly service: Service;
  readonly derivatives: Derivatives;
}

function openDerivatives(cache: Settings['cache'], logger: Logger): Derivatives {
  const { memoryBytes, directory: named, maxBytes } = cache;
  const directory = named ?? userCacheDirectory();
  return createDerivatives({
    memoryBytes,
    ...(directory === false ? {} : { disk: { directory, maxBytes, isLocal: isLocal(directory) } }),
    // The default directory is optional: that it can't be written is no fault.
    onFault: (message, cause) => logger[named === undefined ? 'info' : 'warn']({ err: cause }, message),
  });
}

function openLibrary(
  { library, index: { memoryBytes } }: Settings,
  index: MetadataIndex | undefined,
  pyramids: Pyramids,
  logger: Logger,
): Library {
  const [first, ...others] = library.folders;
  if (first === undefined) throw new TypeError('settings without a folder');
  return new Library({
    roots: [first, ...others],
    virtualFolders: library.virtualFolders,
    followLinksOutside: library.followLinksOutside,
    orientation: library.orientation,
    onUnreadable: (path: string, reason: string) => logger.warn({ path, reason }, 'an image file can’t be read'),
    onMetadataFault: (file: string, { line, message }: MetadataFault) => logger.warn({ file, line }, message),
    maxMemoryBytes: memoryBytes,
    ...(index && { store: index }),
    derived: pyramids,
  });
}

/** How many renderings a core has under way at once: with one, it is idle for a quarter of the time. */
const jobsEach = 3;

/** How many of those may be long, on average: each takes some 30 MB. */
const longEach = 2;

function openRenderer({ processes: count, timeoutMs, maxWaiting, decodedBytes }: Settings['render']): Renderer {
  const executor =
    count === 0
      ? createInThisProcess({ decodedBytes })
      : createProcesses({ count, jobsEach, deadlineMs: timeoutMs, decodedBytes });
  const processes = count || availableParallelism();
  return createRenderer({
    executor,
    concurrency: processes * jobsEach,
    maxLong: processes * longEach,
    maxWaiting,
  });
}

/** Throws SettingsError for a rule that could never be right. */
function accessOf({ access }: Settings, logger: Logger): Access {
  if (access === undefined) return openAccess;
  try {
    return createAccess(access, { onFault: (message) => logger.warn(message) });
  } catch (error) {
    if (error instanceof TypeError) throw new SettingsError([`access: ${error.message}`]);
    throw error;
  }
}

/** Tells of rules that guard nothing: a wrong path leaves open what somebody meant to close. */
async function tellOfIdleRules({ access }: Settings, library: Library, logger: Logger): Promise<void> {
  if (access === undefined) return;
  if (access.paths.length + access.types.length === 0)
    logger.warn('there are settings of access, but no rule by path or type: everything is open to everyone');
  for (const { path } of access.paths) {
    const identifier = parseIdentifier(path);
    const leads = identifier && ((await library.findFolder(identifier)) ?? (await library.locate(identifier, 1)));
    if (leads === undefined) logger.warn({ path }, 'a rule of access names a path at which there is nothing');
  }
}

const callersOf = ({ access: rules }: Settings, access: Access, trusted: TrustedProxies): Callers =>
  createCallers(access, {
    trusted,
    tokenCookie: rules?.tokenCookie ?? 'id_token',
    rolesHeader: rules?.rolesHeader?.toLowerCase(),
  });

/** One look at the disk for all who ask for an image at the same time, each of whom sees what was true after they asked. */
function createLooks(admission: Admission): PublicImages {
  const looks = new RequestCoalescer((key) => {
    const asked = JSON.parse(key) as Parameters<PublicImages['admit']>[0];
    return admitFirst(asked, admission, anyone);
  });
  return {
    isFresh: (image) => admission.isFresh(image),
    admit: ({ identifiers, page }) => looks.run(JSON.stringify({ identifiers, page })),
  };
}

/** Where images lie. */
const imageFolders = ({ folders, virtualFolders }: Settings['library']): readonly string[] => [
  ...folders,
  ...virtualFolders.map(({ folder }) => folder),
];

/** A site's pages often have its images beside them. */
function siteOf(settings: Settings, access: Access): Site | undefined {
  const { webapp: folder } = settings.http;
  return folder === undefined ? undefined : { folder, closed: access.isOn ? imageFolders(settings.library) : [] };
}

/** What the routes need of the settings as they are. */
const servedBy = ({ http, iiif, digilib, readingRoom }: Settings) => ({
  publicAddress: http.publicAddress,
  rawSlashes: iiif.rawSlashes,
  contextPath: http.contextPath,
  embedAncestors: readingRoom.embedAncestors,
  units: readingRoom.units === undefined ? [] : readUnitsFile(readingRoom.units).units,
  errors: {
    pictures: errorPictures(digilib),
    defaultForm: digilib.defaultErrorForm,
    legacyStatus: digilib.legacyErrorStatus,
  },
  defaultKernel: kernelOfQuality(digilib.defaultQuality),
  iiifPrefix: iiif.prefix,
  iiifSlash: iiif.slash,
  pageLabels: iiif.pageLabels,
  cacheControl: http.cacheControl,
  explain: http.explain,
  defaultIiifVersion: iiif.defaultVersion,
});

/** The app for these settings. Throws where a folder does not exist. */
export function createApp(settings: Settings, logger: Logger = pino({ level: settings.logLevel })): App {
  const pyramids = openPyramids(settings, logger);
  const index = openIndex(settings.index, logger);
  const library = openLibrary(settings, index, pyramids, logger);
  const renderer = openRenderer(settings.render);
  const tiles = createTiles({
    fingerprintOf,
    localDevices: localDevices([...imageFolders(settings.library), pyramidFolder(settings)]),
  });
  const derivatives = openDerivatives(settings.cache, logger);
  const access = accessOf(settings, logger);
  const admission = createAdmission(library, access);
  const browsing = createBrowsing({ admission, metadata: library, pageLabels: settings.iiif.pageLabels });
  const {
    limits,
    digilib: { sendFile },
    render: { profiles },
  } = settings;
  const sources = {
    requireCurrent: (file: SourceFile) => library.requireCurrent(file),
    readCurrent: (file: SourceFile) => library.readCurrent(file),
    readTile: tiles.read,
  };
  const looks = createLooks(admission);
  const trusted = trustProxies(settings.http.trustedProxies);
  const service: Service = {
    ...servedBy(settings),
    about,
    trusted,
    callers: callersOf(settings, access, trusted),
    fastPath: createImageFastPath(looks),
    publicImages: looks,
    guarded: access.isOn,
    webapp: siteOf(settings, access),
    admission,
    images: createImages({ renderer, sources, derivatives, pyramids, rules: { limits, sendFile, profiles } }),
    browsing,
    webAssets: builtRoom(),
    presentation: createPresentation({
      admission,
      requireCurrent: sources.requireCurrent,
      metadata: library,
      files: library,
      onFault: (fault) => logger.warn(fault, 'a file of a folder can’t be used'),
    }),
    descriptions: createDescriptions(admission, access.isOn),
    overview: async () => [
      { heading: 'Settings', rows: settingRows(settings) },
      { heading: 'Process', rows: await processRows(renderer, derivatives, pyramids) },
      { heading: 'Library', rows: libraryRows(library.load()) },
    ],
    limits,
  };
  tellOfIdleRules(settings, library, logger).catch((err: unknown) =>
    logger.warn({ err }, 'rules of access can’t be checked'),
  );
  const server = createServer(service, { contextPath: settings.http.contextPath, logger });
  for (const part of [tiles, renderer, derivatives, pyramids, index]) {
    server.addHook('onClose', async () => part?.close());
  }
  return { server, browsing, service, derivatives };
}
