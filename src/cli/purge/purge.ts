/** Runs `lectern purge`: proxies and CDNs forget what they keep of images and folders. */
import { pino } from 'pino';
import { createApp } from '../../app/app.ts';
import { parseIdentifier } from '../../core/image/model/identifier.ts';
import { createPurge } from '../../features/purge/feature.ts';
import { allPathsOf } from '../../features/purge/purged-paths.ts';
import { configurationOf } from '../common/command-configuration.ts';
import type { Flags } from '../common/settings-flags.ts';
import { printable } from '../common/text.ts';
import { UsageError } from '../common/usage-error.ts';

/** Gives the exit code: 0, or 1 where a proxy or CDN does not do as it is asked. */
export async function purge(paths: readonly string[], flags: Pick<Flags, 'config' | 'digilibConfig'>): Promise<number> {
  const wrong = paths.find((path) => parseIdentifier(path) === undefined);
  if (wrong !== undefined) throw new UsageError(`${wrong} is no path of a library, such as books/herbal`);
  const { settings } = await configurationOf([], flags);
  const { targets } = settings.purge;
  if (targets.length === 0) throw new UsageError('the settings have no purge.targets');
  const app = await createApp({ ...settings, render: { ...settings.render, processes: 0 } }, pino({ level: 'silent' }));
  try {
    const all = (await Promise.all(paths.map((path) => allPathsOf(app.library, path)))).flat();
    let failed = 0;
    for (const target of targets) {
      const outcome = await createPurge(target, settings)(all, new AbortController().signal).then(
        () => 'done',
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      if (outcome !== 'done') failed += 1;
      console.log(printable(`${target.name}: ${outcome}`));
    }
    return failed > 0 ? 1 : 0;
  } finally {
    await app.server.close();
  }
}
