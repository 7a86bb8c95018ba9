/** The command `lectern` with its subcommands. */
import { Command } from 'commander';
import { about } from '../core/http/about.ts';
import { addAccessCommand, addPasswordCommand, addSignCommand } from './access-commands.ts';
import { addCatalogueCommand } from './catalogue-commands.ts';
import { withSettings } from './common/settings-flags.ts';
import { withUsageErrors } from './common/usage-error.ts';
import { addCheckCommand, addCompareCommand, addDoctorCommand, addTopCommand } from './examining-commands.ts';
import { addPyramidCommand, addQueueCommand, addWorkerCommand } from './pyramid-commands.ts';
import {
  addConfigCommand,
  addExplainCommand,
  addIndexCommand,
  addPdfCommand,
  addPurgeCommand,
  addServeCommand,
  addWarmCommand,
  loadAndServe,
} from './serving-commands.ts';

function command(): Command {
  const lectern = withSettings(new Command('lectern'))
    .description('Serves folders of scans through the digilib APIs and IIIF.')
    .version(about.version)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'lectern: ')) })
    .helpCommand(false)
    // Flags that follow a subcommand belong to the subcommand.
    .enablePositionalOptions()
    .action(loadAndServe);
  addServeCommand(lectern);
  addConfigCommand(lectern);
  addDoctorCommand(lectern);
  addWarmCommand(lectern);
  addIndexCommand(lectern);
  addCompareCommand(lectern);
  addCheckCommand(lectern);
  addTopCommand(lectern);
  addPyramidCommand(lectern);
  addWorkerCommand(lectern);
  addQueueCommand(lectern);
  addCatalogueCommand(lectern);
  addPdfCommand(lectern);
  addExplainCommand(lectern);
  addAccessCommand(lectern);
  addPasswordCommand(lectern);
  addSignCommand(lectern);
  addPurgeCommand(lectern);
  return lectern;
}

/** Runs the command with the process's arguments; wrong use ends the process at once, with what it has opened. */
export async function main(argv: readonly string[]): Promise<void> {
  const code = await withUsageErrors(async () => {
    await command().parseAsync(argv);
    return 0;
  });
  if (code !== 0) process.exit(code);
}
