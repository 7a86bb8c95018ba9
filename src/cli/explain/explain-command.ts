/** The command `lectern explain`: says how the server would answer the address of a picture, without a server. */
import type { Command } from 'commander';
import { type Flags, withSettings } from '../common/settings-flags.ts';

const help = `
The address is one of Scaler or of IIIF, as a whole URL or from its path on; scheme and host play no part.
Put it in quotes, since & and ? mean something else to most shells.

Exit code: 0 where the picture is explained, 1 where the server would answer an error, 2 for another address.
To serve a folder named explain, write ./explain.`;

export function addExplainCommand(lectern: Command): void {
  const command = lectern
    .command('explain')
    .argument('<address>', 'address of a picture, such as /iiif/3/book!page.tif/full/max/0/default.jpg');
  withSettings(command)
    .description('Says how a picture is made: what is read of which file, and what was considered.')
    .addHelpText('after', help)
    .action(async (address: string, folders: string[], _own: Flags, self: Command) => {
      const { explainAddress } = await import('./explain.ts');
      process.exitCode = await explainAddress(address, folders, self.optsWithGlobals<Flags>());
    });
}
