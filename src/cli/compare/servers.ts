/** The two servers of a comparison: addresses that were given, or this server started in the process. */
import { pino } from 'pino';
import { readSettings } from '../../config/configuration.ts';
import { parseBase } from '../common/base-address.ts';
import { UsageError } from '../common/usage-error.ts';

/** What is compared with the old server. */
export interface NewServerOptions {
  /** The address of a running one. */
  readonly new?: string;
  /** Or the folders, or the configuration file, of one that is started. */
  readonly folders?: readonly string[];
  readonly config?: string;
}

export interface NewServer {
  readonly base: string;
  close(): Promise<void>;
}

/** Starts this server in the process, with the settings of the environment too, on a free port of the loopback address. Throws SettingsError. */
async function startServer({ folders, config }: NewServerOptions): Promise<NewServer> {
  const library = folders === undefined ? {} : { folders: [...folders] };
  const settings = readSettings({ library, http: { host: '127.0.0.1', port: 0 } }, process.env, config);
  const { createApp } = await import('../../app/app.ts');
  const { server } = await createApp(settings, pino({ level: 'silent' }));
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  return { base: address + settings.http.contextPath, close: () => server.close() };
}

/** The new server, running. Throws UsageError or SettingsError. */
export async function openNewServer(options: NewServerOptions): Promise<NewServer> {
  const isStarted = options.folders !== undefined || options.config !== undefined;
  if (options.new !== undefined && isStarted) {
    throw new UsageError('give either --new, or --folders or --config of a server to start');
  }
  if (options.new !== undefined) return { base: parseBase('--new', options.new), close: async () => undefined };
  if (!isStarted)
    throw new UsageError('give the new server: its address by --new, or --folders or --config to start one');
  return startServer(options);
}
