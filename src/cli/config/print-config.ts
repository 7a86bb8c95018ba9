/** Runs `lectern config`. */
import { differingSettings } from '../../config/configuration.ts';
import { configurationOf } from '../common/configuration.ts';
import type { Flags } from '../common/settings-flags.ts';

/** Prints the settings, with `all` also those that have their defaults. Throws SettingsError. */
export function printConfig(folders: readonly string[], flags: Flags & { readonly all?: boolean }): void {
  const configuration = configurationOf(folders, flags);
  for (const note of configuration.notes) console.error(`lectern: ${note}`);
  const printed = flags.all ? configuration.settings : differingSettings(configuration);
  console.log(JSON.stringify(printed, undefined, 2));
}
