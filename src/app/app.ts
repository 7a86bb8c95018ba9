/** Wires the parts together, for the command line and for tests. */
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';
import { type Access, createAccess, openAccess } from '../access/access.ts';
import { createDerivatives, type Derivatives } from '../cache/derivatives.ts';
import { userCacheDirectory } from '../config/cache-directory.ts';
import { settingRows } from '../config/overview.ts';
import { type Settings, SettingsError } from '../config/settings.ts';
import type { ImageAddresses } from '../http/image-address.ts';
import { createServer, type ServerParts } from '../http/server.ts';
import type { MetadataFault } from '../image/folder/folder-metadata.ts';
import { parseIdentifier } from '../image/model/identifier.ts';
import type { SourceFile } from '../image/model/image-set.ts';
import { MetadataIndex } from '../library/index/metadata-index.ts';
import { Library } from '../library/library.ts';
import { fingerprintOf } from '../library/stats/fingerprint.ts';
import { isLocal, localDevices } from '../library/stats/local-disk.ts';
import type { Pyramids } from '../pyramids/pyramids.ts';
import { createInThisProcess, createProcesses } from '../render/processes.ts';
import { createRenderer, type Renderer } from '../render/renderer.ts';
import { createTiles } from '../render/tiles/tiles.ts';
import { type Admission, createAdmission } from '../service/admit.ts';
import { type Browsing, createBrowsing } from '../service/browse.ts';
import { createDescriptions } from '../service/describe.ts';
import { createImages, type Images } from '../service/images.ts';
import { createPresentation } from '../service/present.ts';
import { about } from './about.ts';
import { httpParts, imageFolders } from './http-parts.ts';
import { libraryRows } from './library-rows.ts';
import { openPyramids, pyramidFolder } from './open-pyramids.ts';
import { processRows } from './process-rows.ts';

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
  readonly admission: Admission;
  readonly images: Images;
  readonly addresses: ImageAddresses;
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

/** Logs rules that protect nothing: with a wrong path, what somebody meant to close stays open. */
async function reportIdleRules({ access }: Settings, library: Library, logger: Logger): Promise<void> {
  if (access === undefined) return;
  if (access.paths.length + access.types.length === 0)
    logger.warn('there are settings of access, but no rule by path or type: everything is open to everyone');
  for (const { path } of access.paths) {
    const identifier = parseIdentifier(path);
    const leads = identifier && ((await library.findFolder(identifier)) ?? (await library.locate(identifier, 1)));
    if (leads === undefined) logger.warn({ path }, 'a rule of access names a path at which there is nothing');
  }
}

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
  const sources = {
    requireCurrent: (file: SourceFile) => library.requireCurrent(file),
    readCurrent: (file: SourceFile) => library.readCurrent(file),
    readTile: tiles.read,
  };
  const { limits, digilib, render } = settings;
  const rules = { limits, sendFile: digilib.sendFile, profiles: render.profiles };
  const images = createImages({ renderer, sources, derivatives, pyramids, rules });
  const parts = httpParts(settings, access, admission);
  const serverParts: ServerParts = {
    ...parts,
    about,
    images,
    browsing,
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
  };
  reportIdleRules(settings, library, logger).catch((err: unknown) =>
    logger.warn({ err }, 'rules of access can’t be checked'),
  );
  const server = createServer(serverParts, logger);
  for (const part of [tiles, renderer, derivatives, pyramids, index]) {
    server.addHook('onClose', async () => part?.close());
  }
  return { server, browsing, admission, images, addresses: parts.addresses, derivatives };
}
