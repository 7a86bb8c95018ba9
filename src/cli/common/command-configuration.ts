/** The configuration of a command that reads settings. */
import { fileURLToPath } from 'node:url';
import { type Configuration, readConfiguration, type SettingsSources } from '../../app/settings/configuration.ts';
import type { SettingsInput } from '../../app/settings/settings.ts';
import type { Flags } from './settings-flags.ts';

/** The sample library, which is served where no folder is named. */
const samplesFolder = fileURLToPath(new URL('../../../samples', import.meta.url));

/** The members of an object that have a value. */
const defined = <T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;

/** Most sites have no such file, and do without what reads it. */
async function digilibSource(file: string): Promise<NonNullable<SettingsSources['digilib']>> {
  const { readDigilibConfig } = await import('../../config/digilib-config/read.ts');
  return (own) => readDigilibConfig(file, own);
}

/** The settings of the arguments, the flags, the environment and the files. Rejects with SettingsError. */
export async function configurationOf(folders: readonly string[], flags: Flags): Promise<Configuration> {
  const { config, digilibConfig, port, host, contextPath, trustedProxy: trustedProxies, webapp } = flags;
  const given: SettingsInput = {
    library: folders.length > 0 ? { folders: [...folders] } : {},
    http: defined({ port, host, contextPath, trustedProxies, webapp }),
    render: defined({ processes: flags.renderProcesses }),
    ...defined({ logLevel: flags.logLevel }),
  };
  const fallback: SettingsInput =
    config === undefined && digilibConfig === undefined ? { library: { folders: [samplesFolder] } } : {};
  const digilib = digilibConfig === undefined ? undefined : await digilibSource(digilibConfig);
  return readConfiguration({ fallback, digilib, file: config, environment: process.env, flags: given });
}
