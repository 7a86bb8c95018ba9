/** The command `lectern pyramid`: makes the derived pyramids of a library ahead, so that no reader waits for them. */
import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { numberFrom } from '../common/option-values.ts';
import type { PyramidFlags } from './pyramid.ts';

const help = `
Slow to cut are large files without tiles (JPEG above 8 megapixels, JPEG 2000 above 1, others above 3), and large tiled
ones whose tiles have to be decoded. A running server makes a pyramid after the first tiles of such an image; this makes them ahead.
What exists is skipped, so a run can be ended by Ctrl-C and begun again. Nothing that exists goes for what is made now.

  lectern pyramid --config lectern.json --dry-run /scans
  lectern pyramid --config lectern.json --jobs 4 /scans
  lectern pyramid --config lectern.json --enqueue /scans

Exit code: 0 where all are there, 1 where an image could not be read or made, 2 for wrong use, 130 after Ctrl-C.
To serve a folder named pyramid, write ./pyramid.`;

export function addPyramidCommand(lectern: Command): void {
  lectern
    .command('pyramid')
    .description('Makes tiled copies of the images that are slow to cut, ahead of the first request.')
    .argument('<folders...>', 'folders of scans')
    .option('--config <file>', 'JSON file with settings, as for the server that is to find the pyramids')
    .option('--digilib-config <file>', 'a site’s WEB-INF/digilib-config.xml, as for the server')
    .option(
      '--jobs <number>',
      'pyramids made at once (default: the processors)',
      numberFrom(1, 256),
      availableParallelism(),
    )
    .option('--enqueue', 'leave the work to the workers of the queue in Redis, after what readers wait for')
    .option('--dry-run', 'only say how many there would be, and what they would cost')
    .addHelpText('after', help)
    .action(async (folders: string[], _own: PyramidFlags, self: Command) => {
      const { pyramid } = await import('./pyramid.ts');
      process.exitCode = await pyramid(folders, self.optsWithGlobals<PyramidFlags>());
    });
}
