/** How the object store of the settings is reached. */
import { readFile } from 'node:fs/promises';
import type { Credentials, StoreAccess } from '../core/storage/storage.ts';
import type { CoreSettings } from './core-settings.ts';

/** The SDK asks for a key again five minutes before its end: the file of the secret is read once a minute, so that it can be replaced. */
const keyLastsMs = 6 * 60_000;

/** How the object store of the settings is reached; without a key in them, the SDK finds one. */
export function accessOf({ objectStorage }: Pick<CoreSettings, 'objectStorage'>): StoreAccess {
  const { endpoint, region, pathStyle, accessKeyId, secretAccessKeyFile } = objectStorage;
  if (accessKeyId === undefined || secretAccessKeyFile === undefined) return { endpoint, region, pathStyle };
  const credentials = async (): Promise<Credentials> => {
    const secretAccessKey = (await readFile(secretAccessKeyFile, 'utf8')).trim();
    return { accessKeyId, secretAccessKey, expiration: new Date(Date.now() + keyLastsMs) };
  };
  return { endpoint, region, pathStyle, credentials };
}
