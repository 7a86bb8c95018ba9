/** Opens the parts as the settings say and connects them: for the command line and for tests. */
import type { FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';
import type { Derivatives } from '../cache/derivatives.ts';
import type { Settings } from '../config/settings.ts';
import type { ImageAddresses } from '../http/image-address.ts';
import { createServer } from '../http/server.ts';
import type { SourceFile } from '../image/model/image-set.ts';
import { fingerprintOf } from '../library/stats/fingerprint.ts';
import { localDevices } from '../library/stats/local-disk.ts';
import { openRenderer } from '../render/renderer.ts';
import { createTileReader } from '../render/tiles/tile-reader.ts';
import { type Admission, createAdmission } from '../service/admit.ts';
import { type Browsing, createBrowsing } from '../service/browse.ts';
import { createDescriptions } from '../service/describe.ts';
import { createImages, type Images } from '../service/images.ts';
import { createPresentation } from '../service/present.ts';
import { about } from './about.ts';
import { httpParts } from './http-parts.ts';
import { logIdleRules, openAccess } from './open-access.ts';
import { imageFolders, openDerivatives, openIndex, openLibrary } from './open-library.ts';
import { openPyramids, pyramidFolder } from './open-pyramids.ts';
import { overviewOf } from './overview.ts';

export interface App {
  /** Ready to listen; closing it closes all parts. */
  readonly server: FastifyInstance;
  readonly browsing: Browsing;
  readonly admission: Admission;
  readonly images: Images;
  readonly addresses: ImageAddresses;
  readonly derivatives: Derivatives;
}

/** Opens the parts that hold resources: files, processes and memory. */
function openParts(settings: Settings, logger: Logger) {
  const pyramids = openPyramids(settings, logger);
  const index = openIndex(settings.index, logger);
  const library = openLibrary(settings, index, pyramids, logger);
  const folders = [...imageFolders(settings.library), pyramidFolder(settings)];
  return {
    pyramids,
    index,
    library,
    tiles: createTileReader({ fingerprintOf, localDevices: localDevices(folders) }),
    renderer: openRenderer(settings.render),
    derivatives: openDerivatives(settings.cache, logger),
  };
}

/** The app for these settings. Throws where a folder does not exist. */
export function createApp(settings: Settings, logger: Logger = pino({ level: settings.logLevel })): App {
  const parts = openParts(settings, logger);
  const { pyramids, index, library, tiles, renderer, derivatives } = parts;
  const { access: accessRules, limits, digilib, render, iiif } = settings;
  const access = openAccess(accessRules, logger);
  const admission = createAdmission(library, access);
  const browsing = createBrowsing({ admission, metadata: library, pageLabels: iiif.pageLabels });
  const requireCurrent = (file: SourceFile) => library.requireCurrent(file);
  const images = createImages({
    renderer,
    sources: { requireCurrent, readCurrent: (file) => library.readCurrent(file), readTile: tiles.read },
    derivatives,
    pyramids,
    rules: { limits, sendFile: digilib.sendFile, profiles: render.profiles },
  });
  const presentation = createPresentation({
    admission,
    requireCurrent,
    metadata: library,
    files: library,
    onFault: (fault) => logger.warn(fault, 'a file of a folder can’t be used'),
  });
  const descriptions = createDescriptions(admission, access.isOn);
  const overview = () => overviewOf(settings, parts);
  const http = httpParts(settings, access, admission);
  const server = createServer({ ...http, about, images, browsing, presentation, descriptions, overview }, logger);
  for (const part of [tiles, renderer, derivatives, pyramids, index]) {
    server.addHook('onClose', async () => part?.close());
  }
  logIdleRules(accessRules, library, logger).catch((err: unknown) =>
    logger.warn({ err }, 'rules of access can’t be checked'),
  );
  return { server, browsing, admission, images, addresses: http.addresses, derivatives };
}
