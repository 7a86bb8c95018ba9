/** Opens the derived pyramids as the settings say, for the server and for the commands that make them ahead. */
import path from 'node:path';
import type { Logger } from 'pino';
import { availableMemory } from '../config/available-memory.ts';
import { userCacheDirectory } from '../config/cache-directory.ts';
import type { Settings } from '../config/settings.ts';
import { createFileProbe } from '../library/facts/probe-file.ts';
import { requireCurrent } from '../library/source-file.ts';
import type { BuildOptions } from '../pyramids/build.ts';
import { createPyramids, type Pyramids } from '../pyramids/pyramids.ts';
import { PyramidStore } from '../pyramids/store.ts';
import type { OnFault } from '../storage/fault-reporter.ts';
import { openSharedQueue } from './open-build-queue.ts';

/** A pyramid of a gigapixel takes minutes. */
const deadlineMs = 30 * 60_000;

/** The memory of a process that makes a pyramid is at most this, and this part of the machine's: it runs beside the server. */
const mostMakerBytes = 2 * 2 ** 30;
const makerShare = 1 / 4;

/** In bytes. */
export const maxMakerBytes = (): number => Math.min(mostMakerBytes, Math.floor(availableMemory() * makerShare));

/** The folder of the settings, or by default one in the user's cache directory. */
export function pyramidFolder({ pyramids }: Settings, environment: NodeJS.ProcessEnv = process.env): string {
  if (pyramids.directory !== undefined) return pyramids.directory;
  return path.join(userCacheDirectory(environment), 'pyramids');
}

/** The store; undefined where the settings allow no pyramids. */
export function openStore(settings: Settings, onFault?: OnFault): PyramidStore | undefined {
  const { maxBytes } = settings.pyramids;
  if (maxBytes === 0) return undefined;
  return new PyramidStore({ directory: pyramidFolder(settings), maxBytes, ...(onFault && { onFault }) });
}

/** The options with which pyramids are built. */
export const buildOptionsOf = ({ pyramids }: Settings): Omit<BuildOptions, 'store' | 'signal'> => ({
  quality: pyramids.quality,
  probe: createFileProbe(),
  requireCurrent,
  deadlineMs,
  maxMemoryBytes: maxMakerBytes(),
});

/** The server's pyramids. */
export function openPyramids(settings: Settings, logger: Logger): Pyramids {
  const { redis } = settings;
  return createPyramids({
    ...buildOptionsOf(settings),
    store: openStore(settings, (message, err) => logger.warn({ err }, message)),
    // Pictures with their stored profile are never made from a pyramid.
    automatic: settings.pyramids.automatic && settings.render.profiles === 'convert',
    onFault: (message, file) => logger.warn(file === undefined ? {} : { path: file }, message),
    openQueue:
      redis &&
      ((options) =>
        openSharedQueue(
          { ...settings, redis },
          { ...options, directory: pyramidFolder(settings) },
          redis.builds ? 1 : 0,
        )),
  });
}
