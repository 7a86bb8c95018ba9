/** The commands of derived pyramids: `pyramid` makes them ahead, `worker` builds what servers queue, `queue` shows what failed. */

import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { numberFrom } from './common/option-values.ts';
import type { PyramidFlags } from './pyramid/pyramid.ts';
import type { QueueFlags } from './queue/queue.ts';
import type { WorkerFlags } from './worker/worker.ts';

const withSources = (command: Command): Command =>
  command
    .option('--config <file>', 'JSON file with settings, as for the servers')
    .option('--digilib-config <file>', 'a site’s WEB-INF/digilib-config.xml, as for the servers');

const withJobs = (command: Command): Command =>
  command.option(
    '--jobs <number>',
    'pyramids made at once (default: the processors)',
    numberFrom(1, 256),
    availableParallelism(),
  );

const pyramidHelp = `
Slow to cut are large files without tiles (JPEG above 8 megapixels, JPEG 2000 above 1, others above 3), and large tiled
ones whose tiles have to be decoded. A running server makes a pyramid after the first tiles of such an image; this makes them ahead.
What exists is skipped, so a run can be ended by Ctrl-C and begun again. Nothing that exists goes for what is made now.

  lectern pyramid --config lectern.json --dry-run /scans
  lectern pyramid --config lectern.json --jobs 4 /scans
  lectern pyramid --config lectern.json --enqueue /scans

Exit code: 0 where all are there, 1 where an image could not be read or made, 2 for wrong use, 130 after Ctrl-C.
To serve a folder named pyramid, write ./pyramid.`;

export function addPyramidCommand(lectern: Command): void {
  const command = lectern
    .command('pyramid')
    .description('Makes tiled copies of the images that are slow to cut, ahead of the first request.')
    .argument('<folders...>', 'folders of scans')
    .option('--config <file>', 'JSON file with settings, as for the server that is to find the pyramids')
    .option('--digilib-config <file>', 'a site’s WEB-INF/digilib-config.xml, as for the server');
  withJobs(command)
    .option('--enqueue', 'leave the work to the workers of the queue in Redis, after what readers wait for')
    .option('--dry-run', 'only say how many there would be, and what they would cost')
    .addHelpText('after', pyramidHelp)
    .action(async (folders: string[], _own: PyramidFlags, self: Command) => {
      const { pyramid } = await import('./pyramid/pyramid.ts');
      process.exitCode = await pyramid(folders, self.optsWithGlobals<PyramidFlags>());
    });
}

const workerHelp = `
It needs the settings of the servers, of which the setting redis.address names the Redis, and sees the same folders of scans and of
pyramids under the same paths. Any number of workers may run, on any machines; each pyramid is built by one of them. A worker that
is ended gives back what it builds; what one that was killed was building is begun again by another after redis.takeoverSeconds.
While Redis is lost, a worker waits for it.

  lectern worker --config lectern.json --jobs 2 --port 9090

Exit code: 0 after SIGTERM or Ctrl-C, 2 for wrong use. To serve a folder named worker, write ./worker.`;

export function addWorkerCommand(lectern: Command): void {
  withJobs(withSources(lectern.command('worker')))
    .description('Builds the pyramids that servers put into the queue in Redis.')
    .argument('[folders...]', 'base directories, as for the servers')
    .option('--port <number>', 'answer /healthz, /readyz and /metrics at this port of http.host', numberFrom(0, 65_535))
    .addHelpText('after', workerHelp)
    .action(async (folders: string[], _own: WorkerFlags, self: Command) => {
      const { work } = await import('./worker/worker.ts');
      process.exitCode = await work(folders, self.optsWithGlobals<WorkerFlags>());
    });
}

const queueHelp = `
A build that failed three times stays in the queue, with the reason, for 30 days: until then, no request tries it again. Give the
command the settings of the servers.

  lectern queue list --config lectern.json
  lectern queue retry --config lectern.json --all
  lectern queue remove --config lectern.json lectern-….tif

Exit code: 0, 1 where an id is not among the failed builds, 2 for wrong use or where Redis can’t be reached. To serve a folder named
queue, write ./queue.`;

export function addQueueCommand(lectern: Command): void {
  const queue = lectern
    .command('queue')
    .description('Shows the pyramids that several servers build together, and those that could not be built.')
    .addHelpText('after', queueHelp);
  withSources(queue.command('list'))
    .description('Lists what is being built and what failed.')
    .action(async (_own: QueueFlags, self: Command) => {
      const { listQueue } = await import('./queue/queue.ts');
      process.exitCode = await listQueue(self.optsWithGlobals<QueueFlags>());
    });
  const changes = {
    retry: 'Tries failed builds again.',
    remove: 'Forgets failed builds, so that the next request tries them again.',
  };
  for (const change of ['retry', 'remove'] as const) {
    withSources(queue.command(change))
      .argument('[ids...]', 'ids as they are listed')
      .option('--all', 'all failed builds')
      .description(changes[change])
      .action(async (ids: string[], _own: QueueFlags, self: Command) => {
        const { changeFailed } = await import('./queue/queue.ts');
        process.exitCode = await changeFailed(change, ids, self.optsWithGlobals<QueueFlags>());
      });
  }
}
