/** The command `lectern queue`: shows the shared queue of pyramids, and what failed in it. */
import type { Command } from 'commander';
import type { QueueFlags } from './queue.ts';

const help = `
A build that failed three times stays in the queue, with the reason, for 30 days: until then, no request tries it again. Give the
command the settings of the servers.

  lectern queue list --config lectern.json
  lectern queue retry --config lectern.json --all
  lectern queue remove --config lectern.json lectern-….tif

Exit code: 0, 1 where an id is not among the failed builds, 2 for wrong use or where Redis can’t be reached. To serve a folder named
queue, write ./queue.`;

const withSources = (command: Command): Command =>
  command
    .option('--config <file>', 'JSON file with settings, as for the servers')
    .option('--digilib-config <file>', 'a site’s WEB-INF/digilib-config.xml, as for the servers');

const withIds = (command: Command): Command =>
  withSources(command).argument('[ids...]', 'ids as they are listed').option('--all', 'all failed builds');

export function addQueueCommand(lectern: Command): void {
  const queue = lectern
    .command('queue')
    .description('Shows the pyramids that several servers build together, and those that could not be built.')
    .addHelpText('after', help);
  withSources(queue.command('list'))
    .description('Lists what is being built and what failed.')
    .action(async (_own: QueueFlags, self: Command) => {
      const { listQueue } = await import('./queue.ts');
      process.exitCode = await listQueue(self.optsWithGlobals<QueueFlags>());
    });
  withIds(queue.command('retry'))
    .description('Tries failed builds again.')
    .action(async (ids: string[], _own: QueueFlags, self: Command) => {
      const { changeFailed } = await import('./queue.ts');
      process.exitCode = await changeFailed('retry', ids, self.optsWithGlobals<QueueFlags>());
    });
  withIds(queue.command('remove'))
    .description('Forgets failed builds, so that the next request tries them again.')
    .action(async (ids: string[], _own: QueueFlags, self: Command) => {
      const { changeFailed } = await import('./queue.ts');
      process.exitCode = await changeFailed('remove', ids, self.optsWithGlobals<QueueFlags>());
    });
}
