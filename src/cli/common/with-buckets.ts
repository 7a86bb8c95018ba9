/** Opens the buckets that the settings and a command name, for as long as the command runs. */
import { pino } from 'pino';
import { openBuckets } from '../../app/open-buckets.ts';
import type { Settings } from '../../config/settings.ts';

/** Rejects with SettingsError where a bucket does not exist or refuses the key. */
export async function withBuckets<T>(
  settings: Settings,
  folders: readonly string[],
  use: () => Promise<T>,
): Promise<T> {
  const library = { ...settings.library, folders: [...folders], virtualFolders: [] };
  const buckets = await openBuckets({ ...settings, library }, pino({ level: 'silent' }));
  try {
    return await use();
  } finally {
    await buckets.close();
  }
}
