/** How the object store of the settings is reached. */
import { readFile } from 'node:fs/promises';
import type { Credentials, StoreAccess } from '../core/storage/storage.ts';
import type { CoreSettings } from './core-settings.ts';

/** The SDK asks for a key again five minutes before its end: the file of the secret is read once a minute, so that it can be replaced. */
const keyLastsMs = 6 * 60_000;

/** The key of the settings; undefined where they have none. */
function credentialsOf(accessKeyId: string | undefined, secretFile: string | undefined): StoreAccess['credentials'] {
  if (accessKeyId === undefined || secretFile === undefined) return undefined;
  return async (): Promise<Credentials> => {
    const secretAccessKey = (await readFile(secretFile, 'utf8')).trim();
    return { accessKeyId, secretAccessKey, expiration: new Date(Date.now() + keyLastsMs) };
  };
}

/** How the object store of the settings is reached; without a key in them, the SDK finds one. */
export function accessOf({ objectStorage }: Pick<CoreSettings, 'objectStorage'>): StoreAccess {
  const { endpoint, region, pathStyle, accessKeyId, secretAccessKeyFile, fallback } = objectStorage;
  const credentials = credentialsOf(accessKeyId, secretAccessKeyFile);
  const access = { endpoint, region, pathStyle, credentials };
  if (fallback === undefined) return access;
  const own = credentialsOf(fallback.accessKeyId, fallback.secretAccessKeyFile);
  const reached = { endpoint: fallback.endpoint, region: fallback.region ?? region, credentials: own ?? credentials };
  return { ...access, fallback: { ...reached, pathStyle } };
}
