/** Settings for the object store of tests. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { storeKey } from './swift.ts';

export interface StoreSettings {
  readonly endpoint: string;
  readonly pathStyle: boolean;
  readonly accessKeyId: string;
  readonly secretAccessKeyFile: string;
  readonly spoolDirectory: string;
}

/** The group `objectStorage`, with the file of the secret and a new folder for copies in this folder. */
export function storeSettings(folder: string, { endpoint }: { readonly endpoint: string }): StoreSettings {
  const secretAccessKeyFile = path.join(folder, 'secret');
  writeFileSync(secretAccessKeyFile, `${storeKey.secretAccessKey}\n`);
  const spoolDirectory = mkdtempSync(path.join(folder, 'spool-'));
  return { endpoint, pathStyle: true, accessKeyId: storeKey.accessKeyId, secretAccessKeyFile, spoolDirectory };
}

/** The same as environment variables, for servers in processes of their own, each of which has its own folder for copies. */
export function storeVariables(folder: string, store: { readonly endpoint: string }): Readonly<Record<string, string>> {
  const { endpoint, accessKeyId, secretAccessKeyFile } = storeSettings(folder, store);
  return {
    LECTERN_OBJECT_STORAGE__ENDPOINT: endpoint,
    LECTERN_OBJECT_STORAGE__PATH_STYLE: 'true',
    LECTERN_OBJECT_STORAGE__ACCESS_KEY_ID: accessKeyId,
    LECTERN_OBJECT_STORAGE__SECRET_ACCESS_KEY_FILE: secretAccessKeyFile,
  };
}
