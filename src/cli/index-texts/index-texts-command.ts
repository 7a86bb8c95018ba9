/** The command `lectern index`: brings the index of texts up to date. */
import type { Command } from 'commander';
import { type Flags, withSettings } from '../common/settings-flags.ts';

const help = `
Run it with the settings of the server, which may run meanwhile and finds what was written. Only texts that are new or changed are
read, so that the command can be stopped and started again at any time. The index can be deleted at any time, too.

Exit code: 0, 1 where the index can’t be written, 2 for wrong settings. To serve a folder named index, write ./index.`;

export function addIndexCommand(lectern: Command): void {
  withSettings(lectern.command('index'))
    .description('Reads the texts of pages into the index that searches use.')
    .addHelpText('after', help)
    .action(async (folders: string[], _own: Flags, self: Command) => {
      const { indexLibrary } = await import('./index-library.ts');
      process.exitCode = await indexLibrary(folders, self.optsWithGlobals<Flags>());
    });
}
