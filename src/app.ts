/** Wires the parts together, for the command line and for tests. */
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';
import { everyone } from './access/rules.ts';
import { settingRows } from './config/overview.ts';
import type { Settings } from './config/settings.ts';
import type { ErrorPictures } from './http/errors.ts';
import { trustProxies } from './http/origin.ts';
import { createServer } from './http/server.ts';
import type { Service } from './http/service.ts';
import { fingerprintOf, readCurrent, requireCurrent } from './library/current.ts';
import { Library } from './library/library.ts';
import { processRows } from './process-rows.ts';
import { createRenderer } from './render/renderer.ts';
import { createTiles } from './render/tiles/tiles.ts';
import { createAdmission } from './service/admit.ts';
import { type Browsing, createBrowsing } from './service/browse.ts';
import { createDescriptions } from './service/describe.ts';
import { createImages } from './service/images.ts';
import { createPresentation } from './service/present.ts';

const asset = (name: string): Buffer => readFileSync(new URL(`../assets/${name}`, import.meta.url));

const errorPictures = (): ErrorPictures => ({
  notFound: asset('not-found.png'),
  denied: asset('denied.png'),
  error: asset('error.png'),
});

export interface App {
  /** Ready to listen. */
  readonly server: FastifyInstance;
  readonly browsing: Browsing;
  /** What the server's routes call. */
  readonly service: Service;
}

/** The app for these settings. Throws where a folder does not exist. */
export function createApp(settings: Settings, logger: Logger = pino({ level: settings.logLevel })): App {
  const [first, ...others] = settings.folders;
  if (first === undefined) throw new TypeError('settings without a folder');
  const library = new Library({
    roots: [first, ...others],
    followLinksOutside: settings.followLinksOutside,
    orientation: settings.orientation,
    onUnreadable: (path, reason) => logger.warn({ path, reason }, 'an image file can’t be read'),
    onMetadataFault: (file, { line, message }) => logger.warn({ file, line }, message),
  });
  const { concurrency, maxWaiting, maxArea, maxWidth, maxHeight, maxUpscale, sendFile, profiles } = settings;
  const limits = { maxArea, maxWidth, maxHeight, maxUpscale };
  const renderer = createRenderer({ concurrency, maxWaiting });
  const tiles = createTiles({ fingerprintOf });
  const sources = { requireCurrent, readCurrent, readTile: tiles.read };
  const admission = createAdmission(library, everyone);
  const browsing = createBrowsing(admission);
  const presentation = createPresentation({
    admission,
    isAllowed: everyone,
    requireCurrent,
    metadata: library,
    files: library,
    onFault: (fault) => logger.warn(fault, 'a file of a folder can’t be used'),
  });
  const service: Service = {
    admission,
    images: createImages(renderer, sources, { limits, sendFile, profiles }),
    browsing,
    presentation,
    descriptions: createDescriptions(admission, false),
    overview: () => [
      { heading: 'Settings', rows: settingRows(settings) },
      { heading: 'Process', rows: processRows(renderer) },
    ],
    limits,
    trusted: trustProxies(settings.trustedProxies),
    publicAddress: settings.publicAddress,
    rawSlashes: settings.iiifRawSlashes,
    contextPath: settings.contextPath,
    errors: { pictures: errorPictures(), legacyStatus: settings.legacyErrorStatus },
    cacheControl: settings.cacheControl,
    explain: settings.explain,
    defaultIiifVersion: settings.iiifDefaultVersion,
  };
  const server = createServer(service, { contextPath: settings.contextPath, logger });
  server.addHook('onClose', async () => tiles.close());
  return { server, browsing, service };
}
