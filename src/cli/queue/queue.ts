/** Runs `lectern queue list`, `retry` and `remove`. */
import type { QueueLoad } from '../../core/pyramids/queue/build-queue.ts';
import type { FailedBuild, RedisLink, RunningBuild } from '../../core/pyramids/queue/redis-link.ts';
import { configurationOf } from '../common/command-configuration.ts';
import { counted, durationText, numberText, printable } from '../common/text.ts';
import { UsageError, withUsageErrors } from '../common/usage-error.ts';
import { withLink } from './with-link.ts';

export interface QueueFlags {
  readonly config?: string;
  readonly digilibConfig?: string;
  readonly all?: boolean;
}

/** Failed builds that are listed, and those that one command changes with `--all`. */
const maxShown = 1000;
const maxChanged = 10_000;

const stages: Readonly<Record<string, string>> = {
  writing: 'written',
  comparing: 'compared with its source',
};

const runningLine = ({ id, path, stage, sinceMs }: RunningBuild): string =>
  `  ${printable(path)}: is being ${stages[stage] ?? 'begun'}, for ${durationText((Date.now() - sinceMs) / 1000)} (${id})`;

const failedLine = ({ id, path, reason, failedMs }: FailedBuild): string =>
  `  ${printable(path)}: ${printable(reason)} (${new Date(failedMs).toISOString()}, ${id})`;

function linesOf(load: QueueLoad, running: readonly RunningBuild[], failed: readonly FailedBuild[]): readonly string[] {
  const waiting = Math.max(0, load.waiting - load.building);
  const left = load.failed - failed.length;
  return [
    `${numberText(waiting)} waiting, ${numberText(load.building)} being built, ${numberText(load.failed)} failed.`,
    ...running.map(runningLine),
    ...(failed.length === 0 ? [] : ['Failed:', ...failed.map(failedLine)]),
    ...(left > 0 ? [`  and ${numberText(left)} more`] : []),
  ];
}

/** Prints the queue. */
export const listQueue = (flags: QueueFlags): Promise<number> =>
  withUsageErrors(async () => {
    const { settings } = await configurationOf([], flags);
    const lines = await withLink(settings, async (link) =>
      linesOf(await link.check(), await link.running(), await link.failed(maxShown)),
    );
    for (const line of lines) console.log(line);
    return 0;
  });

const done = { retry: 'tried again', remove: 'removed' } as const;

async function idsOf(link: RedisLink, ids: readonly string[], { all }: QueueFlags): Promise<readonly string[]> {
  return all ? (await link.failed(maxChanged)).map(({ id }) => id) : ids;
}

/** Retries or removes failed builds; resolves to 1 where one of them is not among the failed. */
export const changeFailed = (change: 'retry' | 'remove', ids: readonly string[], flags: QueueFlags): Promise<number> =>
  withUsageErrors(async () => {
    if (ids.length > 0 === (flags.all === true)) throw new UsageError('name ids of failed builds, or --all');
    const { settings } = await configurationOf([], flags);
    return withLink(settings, async (link) => {
      let changed = 0;
      let isComplete = true;
      for (const id of await idsOf(link, ids, flags)) {
        if (await link[change](id)) changed++;
        else if (!flags.all) {
          isComplete = false;
          console.error(`lectern: ${printable(id)} is not among the failed builds`);
        }
      }
      console.log(`${counted(changed, 'build', 'builds')} ${done[change]}.`);
      return isComplete ? 0 : 1;
    });
  });
