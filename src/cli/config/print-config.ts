/** Runs `lectern config`. */
import { differingSettings } from '../../config/configuration.ts';
import { configurationOf } from '../common/configuration.ts';
import type { Flags } from '../common/settings-flags.ts';

/** Prints the settings, with `all` also those that have their defaults. Rejects with SettingsError. */
export async function printConfig(
  folders: readonly string[],
  flags: Flags & { readonly all?: boolean },
): Promise<void> {
  const configuration = await configurationOf(folders, flags);
  for (const note of configuration.notes) console.error(`lectern: ${note}`);
  const printed = flags.all ? configuration.settings : differingSettings(configuration);
  console.log(JSON.stringify(printed, undefined, 2));
}
