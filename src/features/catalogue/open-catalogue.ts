/** Opens the catalogue that the settings name. */
import type { Logger } from 'pino';
import type { CatalogueSettings } from './catalogue-settings.ts';
import { PostgresCatalogue } from './postgres/postgres-catalogue.ts';

/** Where its database does not answer, it is used as soon as it does. Undefined where the settings name none. */
export function openCatalogue({ catalogue }: CatalogueSettings, logger: Logger): PostgresCatalogue | undefined {
  const { postgres: address, passwordFile, connections, notifications: isTold } = catalogue;
  if (address === undefined) return undefined;
  const onFault = (message: string, err?: unknown): void => logger.warn({ err }, message);
  return new PostgresCatalogue({ address, passwordFile, connections, isTold, onFault });
}
