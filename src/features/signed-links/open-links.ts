/** Opens the parts of signed links for the settings: loaded only where there are any. */
import type { Logger } from 'pino';
import type { CoreSettings } from '../../config/core-settings.ts';
import { createFaultLog } from '../../core/http/failure-log.ts';
import { createLinkKeys, type ReadLinkKeys } from './link-keys.ts';
import { SentLinks } from './sent-links.ts';
import { openUsedLinks, type UsedLinks } from './used-links.ts';

export interface OpenLinks {
  readonly keys: ReadLinkKeys;
  readonly sent: SentLinks;
  readonly used: UsedLinks | undefined;
  close(): void;
}

export function openLinks({
  keysFile,
  usedFolder,
  redis,
  logger,
}: {
  readonly keysFile: string;
  readonly usedFolder: string | undefined;
  readonly redis: CoreSettings['redis'];
  readonly logger: Logger;
}): OpenLinks {
  const faults = createFaultLog(logger);
  const onFault = faults.report;
  const keys = createLinkKeys(keysFile);
  const used = openUsedLinks(usedFolder, redis);
  return {
    ...{ keys, used },
    sent: new SentLinks(keys, onFault),
    close() {
      used?.close();
      faults.close();
    },
  };
}
