/** The command `lectern worker`: builds the pyramids that servers put into the shared queue, and serves nothing. */
import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { numberFrom } from '../common/option-values.ts';
import type { WorkerFlags } from './worker.ts';

const help = `
It needs the settings of the servers, of which the setting redis.address names the Redis, and sees the same folders of scans and of
pyramids under the same paths. Any number of workers may run, on any machines; each pyramid is built by one of them. A worker that
is ended gives back what it builds; what one that was killed was building is begun again by another after redis.takeoverSeconds.
While Redis is lost, a worker waits for it.

  lectern worker --config lectern.json --jobs 2

Exit code: 0 after SIGTERM or Ctrl-C, 2 for wrong use. To serve a folder named worker, write ./worker.`;

export function addWorkerCommand(lectern: Command): void {
  lectern
    .command('worker')
    .description('Builds the pyramids that servers put into the queue in Redis.')
    .argument('[folders...]', 'base directories, as for the servers')
    .option('--config <file>', 'JSON file with settings, as for the servers')
    .option('--digilib-config <file>', 'a site’s WEB-INF/digilib-config.xml, as for the servers')
    .option(
      '--jobs <number>',
      'pyramids made at once (default: the processors)',
      numberFrom(1, 256),
      availableParallelism(),
    )
    .addHelpText('after', help)
    .action(async (folders: string[], _own: WorkerFlags, self: Command) => {
      const { work } = await import('./worker.ts');
      process.exitCode = await work(folders, self.optsWithGlobals<WorkerFlags>());
    });
}
