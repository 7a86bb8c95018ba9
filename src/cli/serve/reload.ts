/** SIGHUP: the server reads its configuration again while it runs. */
import type { Logger } from 'pino';
import type { App } from '../../app/app.ts';
import type { Settings } from '../../config/settings.ts';
import { SettingsError } from '../../config/settings-error.ts';

async function reload(app: App, logger: Logger, read: () => Promise<Settings>): Promise<void> {
  app.reopenLogs();
  try {
    const needsStart = await app.reload(await read());
    if (needsStart.length > 0)
      logger.warn({ settings: needsStart }, 'these settings were changed, and hold from the next start of the server');
    app.countReload('taken');
    logger.info('the configuration was read again');
  } catch (error) {
    app.countReload('refused');
    const unchanged = 'the configuration can’t be used, and the former one stays';
    if (error instanceof SettingsError) logger.error({ problems: error.message.split('\n') }, unchanged);
    else logger.error({ err: error }, unchanged);
  }
}

/**
 * Reads the configuration again at each SIGHUP, one after the other. In a terminal, where the signal says that the terminal
 * was closed, it ends the process as usual.
 */
export function reloadOnSignal(app: App, logger: Logger, read: () => Promise<Settings>): void {
  if (process.stdin.isTTY) return;
  let last = Promise.resolve();
  process.on('SIGHUP', () => {
    last = last.then(() => reload(app, logger, read));
  });
}
