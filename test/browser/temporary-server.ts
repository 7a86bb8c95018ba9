/** A server whose files lie in a temporary folder of the test. */
import { rmSync } from 'node:fs';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { type RunningApp, startApp } from '../protocol/running-app.ts';

export interface TemporaryServer {
  readonly app: RunningApp;
  readonly folder: string;
  /** The address below which the pages lie, with a trailing slash. */
  readonly url: string;
  /** Closes the server and removes the folder. */
  close(): Promise<void>;
}

/** Starts a server with these settings, which is closed together with the folder. */
export async function serveFrom(folder: string, settings: SettingsInput): Promise<TemporaryServer> {
  const app = await startApp(settings);
  return {
    app,
    folder,
    url: `${app.url}${settings.http?.contextPath ?? ''}/`,
    async close() {
      await app.close();
      rmSync(folder, { recursive: true });
    },
  };
}
