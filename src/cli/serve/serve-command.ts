/** The command `lectern serve`, which also runs without a subcommand: serves folders of scans. */
import type { Command } from 'commander';
import { type Flags, withSettings } from '../common/settings-flags.ts';

/** Loads the server and starts it. */
export async function loadAndServe(folders: readonly string[], flags: Flags): Promise<void> {
  const { serve } = await import('./serve.ts');
  await serve(folders, flags);
}

export function addServeCommand(lectern: Command): void {
  withSettings(lectern.command('serve'))
    .description('Serves folders, as lectern does without a subcommand.')
    .action((folders: string[], _own: Flags, self: Command) => loadAndServe(folders, self.optsWithGlobals<Flags>()));
}
