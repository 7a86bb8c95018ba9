/** The command `lectern config`: prints settings as the JSON file that --config reads. */
import type { Command } from 'commander';
import { type Flags, withSettings } from '../common/settings-flags.ts';

const help = `
Only what differs from the defaults is printed. What digilib’s files say without effect is named on standard error.

Example: lectern config --digilib-config WEB-INF/digilib-config.xml > lectern.json`;

export function addConfigCommand(lectern: Command): void {
  withSettings(lectern.command('config'))
    .description(
      'Prints the settings as a JSON file for --config: those of digilib’s own files, of the environment and of the flags.',
    )
    .option('--all', 'print also the settings that are as they are by default')
    .addHelpText('after', help)
    .action(async (folders: string[], _own: Flags, self: Command) => {
      const { differingSettings } = await import('../../config/configuration.ts');
      const { configurationOf } = await import('../common/command-configuration.ts');
      const flags = self.optsWithGlobals<Flags & { readonly all?: boolean }>();
      const configuration = await configurationOf(folders, flags);
      for (const note of configuration.notes) console.error(`lectern: ${note}`);
      const printed = flags.all ? configuration.settings : differingSettings(configuration);
      console.log(JSON.stringify(printed, undefined, 2));
    });
}
