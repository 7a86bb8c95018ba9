/** Opens the cache of pictures as the settings say. */
import type { Logger } from 'pino';
import { createDerivatives, type Derivatives } from '../cache/derivatives.ts';
import { userCacheDirectory } from '../config/cache-directory.ts';
import type { Settings } from '../config/settings.ts';
import { isLocal } from '../library/stats/local-disk.ts';

export function openDerivatives(cache: Settings['cache'], logger: Logger): Derivatives {
  const { memoryBytes, directory: named, maxBytes } = cache;
  const directory = named ?? userCacheDirectory();
  // The default directory is optional: that it can't be written is no fault.
  const level = named === undefined ? 'info' : 'warn';
  return createDerivatives({
    memoryBytes,
    ...(directory === false ? {} : { disk: { directory, maxBytes, isLocal: isLocal(directory) } }),
    onFault: (message, err) => logger[level]({ err }, message),
  });
}
