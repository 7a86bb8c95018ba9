/** Wires the parts together, for the command line and for tests. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';
import { about } from './about.ts';
import { createAccess, openAccess } from './access/access.ts';
import { userCacheDirectory } from './config/cache-directory.ts';
import { settingRows } from './config/overview.ts';
import { readPicture } from './config/picture-file.ts';
import type { Settings } from './config/settings.ts';
import { kernelOfQuality } from './digilib/request.ts';
import { createCallers } from './http/callers.ts';
import type { ErrorPicture, ErrorPictures } from './http/errors.ts';
import { trustProxies } from './http/origin.ts';
import { createServer } from './http/server.ts';
import type { MetadataFault } from './image/folder-metadata.ts';
import type { SourceFile } from './image/image-set.ts';
import { KeptIndex } from './library/kept/kept-index.ts';
import { Library } from './library/library.ts';
import { libraryRows } from './library-rows.ts';
import { processRows } from './process-rows.ts';
import { createProcesses, inThisProcess } from './render/processes.ts';
import { createRenderer } from './render/renderer.ts';
import { createAdmission } from './service/admit.ts';
import { type Browsing, createBrowsing } from './service/browse.ts';
import { createDescriptions } from './service/describe.ts';
import { createImages } from './service/images.ts';
import { createPresentation } from './service/present.ts';

const asset = (name: string): ErrorPicture => ({
  bytes: readFileSync(new URL(`../assets/${name}`, import.meta.url)),
  mediaType: 'image/png',
});

/** The picture of a file that the settings name, or else one of our own. Throws where the file is no picture any more. */
function errorPicture(file: string | undefined, own: string): ErrorPicture {
  if (file === undefined) return asset(own);
  const picture = readPicture(file);
  if ('problem' in picture) throw new Error(picture.problem);
  return picture;
}

const errorPictures = ({ errorPictures: { notFound, denied, error } }: Settings): ErrorPictures => ({
  notFound: errorPicture(notFound, 'not-found.png'),
  denied: errorPicture(denied, 'denied.png'),
  error: errorPicture(error, 'error.png'),
});

/** What is kept of the library on disk; undefined where nothing is to be. */
function keptIndex({ index: { directory, maxBytes } }: Settings, logger: Logger): KeptIndex | undefined {
  if (directory === false) return undefined;
  // Who named no directory has not asked for an index, and need not hear that there is none.
  const level = directory === undefined ? 'info' : 'warn';
  return new KeptIndex({
    directory: directory ?? path.join(userCacheDirectory(), 'index'),
    maxBytes,
    onFault: (message, err) => logger[level]({ err }, message),
  });
}

export interface App {
  /** Ready to listen. */
  readonly server: FastifyInstance;
  readonly browsing: Browsing;
}

/** The app for these settings. Throws where a folder does not exist. */
export function createApp(settings: Settings, logger: Logger = pino({ level: settings.logLevel })): App {
  const [first, ...others] = settings.folders;
  if (first === undefined) throw new TypeError('settings without a folder');
  const index = keptIndex(settings, logger);
  const libraryOptions = {
    roots: [first, ...others] as const,
    virtualFolders: settings.virtualFolders,
    followLinksOutside: settings.followLinksOutside,
    orientation: settings.orientation,
    onUnreadable: (path: string, reason: string) => logger.warn({ path, reason }, 'an image file can’t be read'),
    onMetadataFault: (file: string, { line, message }: MetadataFault) => logger.warn({ file, line }, message),
    maxMemoryBytes: settings.index.memoryBytes,
    ...(index && { store: index }),
  };
  const library = new Library(libraryOptions);
  const sources = {
    requireCurrent: (file: SourceFile) => library.requireCurrent(file),
    readCurrent: (file: SourceFile) => library.readCurrent(file),
  };
  const { renderProcesses, maxWaiting, maxArea, maxWidth, maxHeight, maxUpscale, sendFile, profiles } = settings;
  const limits = { maxArea, maxWidth, maxHeight, maxUpscale };
  const renderer = createRenderer({
    executor:
      renderProcesses === 0
        ? inThisProcess
        : createProcesses({ count: renderProcesses, deadlineMs: settings.renderTimeoutMs }),
    concurrency: renderProcesses || availableParallelism(),
    maxWaiting,
  });
  const access = settings.access
    ? createAccess(settings.access, { onFault: (message) => logger.warn(message) })
    : openAccess;
  const trusted = trustProxies(settings.trustedProxies);
  const callers = createCallers(access, {
    trusted,
    tokenCookie: settings.access?.tokenCookie ?? 'id_token',
    rolesHeader: settings.access?.rolesHeader?.toLowerCase(),
  });
  const admission = createAdmission(library, access);
  const browsing = createBrowsing(admission);
  const presentation = createPresentation({
    admission,
    requireCurrent: sources.requireCurrent,
    metadata: library,
    files: library,
    onFault: (fault) => logger.warn(fault, 'a file of a folder can’t be used'),
  });
  const server = createServer(
    {
      about,
      callers,
      guarded: access.isOn,
      admission,
      images: createImages(renderer, sources, { limits, sendFile, profiles }),
      browsing,
      presentation,
      descriptions: createDescriptions(admission, access.isOn),
      overview: () => [
        { heading: 'Settings', rows: settingRows(settings) },
        { heading: 'Process', rows: processRows(renderer) },
        { heading: 'Library', rows: libraryRows(library.load()) },
      ],
      limits,
      trusted,
      publicAddress: settings.publicAddress,
      rawSlashes: settings.iiifRawSlashes,
      contextPath: settings.contextPath,
      errors: {
        pictures: errorPictures(settings),
        defaultForm: settings.defaultErrorForm,
        legacyStatus: settings.legacyErrorStatus,
      },
      defaultKernel: kernelOfQuality(settings.defaultQuality),
      iiifPrefix: settings.iiifPrefix,
      iiifSlash: settings.iiifSlash,
      pageLabels: settings.pageLabels,
      webapp: settings.webapp,
      cacheControl: settings.cacheControl,
      defaultIiifVersion: settings.iiifDefaultVersion,
    },
    { contextPath: settings.contextPath, logger },
  );
  server.addHook('onClose', () => renderer.close());
  server.addHook('onClose', () => index?.close());
  return { server, browsing };
}
