/** The command `lectern warm`: makes ahead what viewers ask for first, so that it is in the cache when they come. */
import type { Command } from 'commander';
import { type Flags, withSettings } from '../common/settings-flags.ts';

const help = `
Run it with the settings of the server, so that the server finds what was made. Pictures that are cached already are not made
again, so that the command can be stopped and started again at any time.

Exit code: 0, 1 where nothing could be made of a file, 2 for wrong settings. To serve a folder named warm, write ./warm.`;

export function addWarmCommand(lectern: Command): void {
  withSettings(lectern.command('warm'))
    .description('Makes what viewers ask for first, and keeps it in the cache: thumbnails and first tiles.')
    .addHelpText('after', help)
    .action(async (folders: string[], _own: Flags, self: Command) => {
      const { warm } = await import('./warm.ts');
      process.exitCode = await warm(folders, self.optsWithGlobals<Flags>());
    });
}
