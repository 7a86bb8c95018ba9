/** The command `lectern`: serves folders of scans. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { createApp } from '../app.ts';
import { readSettings, type Settings, SettingsError, type SettingsInput } from '../config/settings.ts';
import { doctor, doctorDescription, doctorHelp } from './doctor.ts';
import { explainAddress, explainDescription, explainHelp } from './explain.ts';

const samples = fileURLToPath(new URL('../../samples', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

interface Flags {
  readonly port?: number;
  readonly host?: string;
  readonly contextPath?: string;
  readonly trustedProxy?: string[];
  readonly logLevel?: Settings['logLevel'];
  readonly config?: string;
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('It is a number from 0 to 65535.');
  return Number(text);
}

const collect = (value: string, all: string[] = []): string[] => [...all, value];

/** Says what was wrong in one line and ends with exit code 2. */
function refuse(message: string): never {
  for (const line of message.split('\n')) console.error(`lectern: ${line}`);
  process.exit(2);
}

function settingsOf(folders: readonly string[], flags: Flags): Settings {
  const given: SettingsInput = {
    ...(folders.length > 0 ? { folders: [...folders] } : {}),
    ...(flags.port === undefined ? {} : { port: flags.port }),
    ...(flags.host === undefined ? {} : { host: flags.host }),
    ...(flags.contextPath === undefined ? {} : { contextPath: flags.contextPath }),
    ...(flags.trustedProxy === undefined ? {} : { trustedProxies: flags.trustedProxy }),
    ...(flags.logLevel === undefined ? {} : { logLevel: flags.logLevel }),
  };
  const fallback: SettingsInput = folders.length === 0 && flags.config === undefined ? { folders: [samples] } : {};
  return readSettings({ ...fallback, ...given }, process.env, flags.config);
}

/** The address that a person on this machine opens, without a slash at its end. */
function baseAddress({ host, contextPath }: Settings, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}${contextPath}`;
}

function announce({ folders }: Settings, base: string, example: string | undefined): void {
  const name = (example ?? '').split('/').map(encodeURIComponent).join('/');
  const pictures = `
  Scaler         ${base}/Scaler?fn=${name}&dw=800
  IIIF           ${base}/iiif/3/${name.replaceAll('/', '!')}/info.json`;
  console.log(`Lectern ${version} serves ${folders.join(', ')}

  Start page     ${base}/
  Info object    ${base}/api/dlInfo-json.jsp?fn=${name}${example === undefined ? '' : pictures}

Stop with Ctrl-C.`);
}

const listenProblems: Readonly<Record<string, (settings: Settings) => string>> = {
  EADDRINUSE: ({ port, host }) => `port ${port} on ${host} is in use; choose another with --port`,
  EACCES: ({ port }) => `port ${port} needs more rights; choose one above 1023 with --port`,
  EADDRNOTAVAIL: ({ host }) => `this machine has no address ${host}; choose another with --host`,
  ENOTFOUND: ({ host }) => `the host name ${host} is not known; choose another with --host`,
};

async function serve(folders: readonly string[], flags: Flags): Promise<void> {
  const settings = settingsOf(folders, flags);
  const { server, browsing } = createApp(settings);
  try {
    await server.listen({ port: settings.port, host: settings.host });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const problem = listenProblems[code];
    if (problem) refuse(problem(settings));
    throw error;
  }
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : settings.port;
  const { example } = await browsing.overview({ address: '127.0.0.1' });
  announce(settings, baseAddress(settings, port), example);
  const stop = (): void => {
    setTimeout(() => process.exit(0), 15_000).unref();
    void server.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function command(): Command {
  const lectern = new Command('lectern')
    .description('Serves folders of scans through the digilib APIs and IIIF.')
    .argument(
      '[folders...]',
      'base directories: the first has the highest resolution, the others prescaled versions (default: the bundled samples)',
    )
    .option(
      '-p, --port <number>',
      'TCP port; 0 takes any free one (default: 8080, or the environment’s PORT)',
      parsePort,
    )
    .option(
      '-H, --host <address>',
      'address to listen on; 0.0.0.0 for all (default: 127.0.0.1, or the environment’s HOST)',
    )
    .option('--context-path <path>', 'path below which everything is served, such as /digilib')
    .option(
      '--trusted-proxy <address>',
      'address or range of a proxy whose X-Forwarded-Proto and -Host count; may be repeated',
      collect,
    )
    .option('--config <file>', 'JSON file with settings; the environment and flags win over it')
    .option('--log-level <level>', 'fatal, error, warn, info, debug or silent (default: warn)')
    .version(version)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'lectern: ')) })
    .helpCommand(false)
    .action(serve);
  lectern
    .command('doctor')
    .description(doctorDescription)
    .argument('<folders...>', 'folders of scans')
    .addHelpText('after', doctorHelp)
    .action(async (folders: string[]) => {
      process.exitCode = await doctor(folders);
    });
  lectern
    .command('explain')
    .description(explainDescription)
    .argument('<address>', 'address of a picture, such as /iiif/3/book!page.tif/full/max/0/default.jpg')
    .argument('[folders...]', 'base directories, as for the server')
    .option('--config <file>', 'JSON file with settings, as for the server')
    .addHelpText('after', explainHelp)
    .action(async (address: string, folders: string[], _options: Flags, sub: Command) => {
      process.exitCode = await explainAddress(address, settingsOf(folders, sub.optsWithGlobals<Flags>()));
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
