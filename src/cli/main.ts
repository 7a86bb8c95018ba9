/** The command `lectern`: serves folders of scans. */
import { isIP } from 'node:net';
import { Command } from 'commander';
import { anyone } from '../access/access.ts';
import { about } from '../app/about.ts';
import { createApp } from '../app/app.ts';
import { type Settings, SettingsError } from '../config/settings.ts';
import { formatIdentifierSegment } from '../iiif/presentation/addresses.ts';
import { addCheckCommand } from './check/command.ts';
import { addCompareCommand } from './compare/command.ts';
import { configDescription, configHelp, printConfig } from './config.ts';
import { doctor, doctorDescription, doctorHelp } from './doctor.ts';
import { explainAddress, explainDescription, explainHelp } from './explain.ts';
import { configurationOf, type Flags, withSettings } from './flags.ts';
import { addPyramidCommand } from './pyramid/command.ts';
import { warm, warmDescription, warmHelp } from './warm.ts';

const { version } = about;

/** Says what was wrong in one line and ends with exit code 2. */
function refuse(message: string): never {
  for (const line of message.split('\n')) console.error(`lectern: ${line}`);
  process.exit(2);
}

/** The address that a person on this machine opens, without a slash at its end. */
function baseAddress({ host, contextPath }: Settings['http'], port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}${contextPath}`;
}

function announce({ library, iiif }: Settings, base: string, example: string | undefined): void {
  const name = (example ?? '').split('/').map(encodeURIComponent).join('/');
  const identifier = formatIdentifierSegment(example ?? '', iiif.slash);
  const pictures = `
  Scaler         ${base}/Scaler?fn=${name}&dw=800
  IIIF           ${base}/iiif/3/${identifier}/info.json`;
  console.log(`Lectern ${version} serves ${library.folders.join(', ')}

  Start page     ${base}/
  Info object    ${base}/api/dlInfo-json.jsp?fn=${name}${example === undefined ? '' : pictures}

Stop with Ctrl-C.`);
}

const listenProblems: Readonly<Record<string, (settings: Settings['http']) => string>> = {
  EADDRINUSE: ({ port, host }) => `port ${port} on ${host} is in use; choose another with --port`,
  EACCES: ({ port }) => `port ${port} needs more rights; choose one above 1023 with --port`,
  EADDRNOTAVAIL: ({ host }) => `this machine has no address ${host}; choose another with --host`,
  ENOTFOUND: ({ host }) => `the host name ${host} is not known; choose another with --host`,
};

async function serve(folders: readonly string[], flags: Flags): Promise<void> {
  const { settings, notes } = configurationOf(folders, flags);
  for (const note of notes) console.error(`lectern: ${note}`);
  const { http } = settings;
  const { server, browsing } = createApp(settings);
  try {
    await server.listen({ port: http.port, host: http.host });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const problem = listenProblems[code];
    if (problem) refuse(problem(http));
    throw error;
  }
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : http.port;
  // An address to try is no reason not to start: a disk may have no answer for now.
  const example = await browsing.example(anyone).catch(() => undefined);
  announce(settings, baseAddress(http, port), example);
  const stop = (): void => {
    setTimeout(() => process.exit(0), 15_000).unref();
    void server.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function command(): Command {
  const lectern = withSettings(new Command('lectern'))
    .description('Serves folders of scans through the digilib APIs and IIIF.')
    .version(version)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'lectern: ')) })
    .helpCommand(false)
    // Flags behind a subcommand are the subcommand's.
    .enablePositionalOptions()
    .action(serve);
  withSettings(lectern.command('serve'))
    .description('Serves folders, as lectern does without a subcommand.')
    .action((folders: string[], _own: Flags, self: Command) => serve(folders, self.optsWithGlobals<Flags>()));
  withSettings(lectern.command('config'))
    .description(configDescription)
    .option('--all', 'print also the settings that are as they are by default')
    .addHelpText('after', configHelp)
    .action((folders: string[], _own: Flags, self: Command) => printConfig(folders, self.optsWithGlobals<Flags>()));
  lectern
    .command('doctor')
    .description(doctorDescription)
    .argument('<folders...>', 'folders of scans')
    .addHelpText('after', doctorHelp)
    .action(async (folders: string[]) => {
      process.exitCode = await doctor(folders);
    });
  withSettings(lectern.command('warm'))
    .description(warmDescription)
    .addHelpText('after', warmHelp)
    .action(async (folders: string[], _own: Flags, self: Command) => {
      process.exitCode = await warm(configurationOf(folders, self.optsWithGlobals<Flags>()).settings);
    });
  addCompareCommand(lectern);
  addCheckCommand(lectern);
  addPyramidCommand(lectern);
  withSettings(
    lectern
      .command('explain')
      .argument('<address>', 'address of a picture, such as /iiif/3/book!page.tif/full/max/0/default.jpg'),
  )
    .description(explainDescription)
    .addHelpText('after', explainHelp)
    .action(async (address: string, folders: string[], _own: Flags, self: Command) => {
      const { settings } = configurationOf(folders, self.optsWithGlobals<Flags>());
      process.exitCode = await explainAddress(address, settings);
    });
  return lectern;
}

/** Runs the command with the process's arguments. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    await command().parseAsync(argv);
  } catch (error) {
    if (error instanceof SettingsError) refuse(error.message);
    throw error;
  }
}
