/** The arguments and flags that all commands with settings share. */
import type { Command } from 'commander';
import type { Settings } from '../../app/settings/settings.ts';
import { numberFrom } from './option-values.ts';

export interface Flags {
  readonly port?: number;
  readonly host?: string;
  readonly contextPath?: string;
  readonly trustedProxy?: string[];
  readonly logLevel?: Settings['logLevel'];
  readonly webapp?: string;
  readonly renderProcesses?: number;
  readonly config?: string;
  readonly digilibConfig?: string;
}

const collect = (value: string, all: string[] = []): string[] => [...all, value];

/** Adds the arguments and flags of a command that reads settings. */
export const withSettings = (command: Command): Command =>
  command
    .argument(
      '[folders...]',
      'base directories: the first has the highest resolution, the others prescaled versions (default: the bundled samples)',
    )
    .option(
      '-p, --port <number>',
      'TCP port; 0 takes any free one (default: 8080, or the environment’s PORT)',
      numberFrom(0, 65_535),
    )
    .option(
      '-H, --host <address>',
      'address to listen on; 0.0.0.0 for all (default: 127.0.0.1, or the environment’s HOST)',
    )
    .option('--context-path <path>', 'path below which everything is served, such as /digilib')
    .option(
      '--trusted-proxy <address>',
      'address or range of a proxy whose headers are trusted: Forwarded, X-Forwarded-Proto, -Host, -Prefix and -For, and access.rolesHeader; may be repeated',
      collect,
    )
    .option('--webapp <folder>', 'folder of static pages that are served beside the APIs')
    .option(
      '--config <file>',
      'JSON file with settings; the environment (LECTERN_LIMITS__MAX_AREA and so on) and flags win',
    )
    .option('--digilib-config <file>', 'a site’s WEB-INF/digilib-config.xml; all other settings win over it')
    .option(
      '--render-processes <number>',
      'processes that render pictures (default: the processors, or as many as fit into half of the memory)',
      numberFrom(0, 256),
    )
    .option('--log-level <level>', 'fatal, error, warn, info, debug or silent (default: warn)');
