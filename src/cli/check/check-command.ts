/** The command `lectern check`: tests a running server from outside, through its proxy. */
import type { Command } from 'commander';
import { decimal, numberFrom } from '../common/option-values.ts';
import type { CheckFlags } from './check.ts';

const help = `
The address is the one that people use, through the proxy and with the context path: https://library.example/digilib.
Each check prints a line: ✓ is good, ✗ is wrong and says what to do, – is a note.

Exit code: 0 where nothing is wrong, 1 where something is, 2 for wrong use.`;

export function addCheckCommand(lectern: Command): void {
  lectern
    .command('check')
    .description('Tests a running server from outside, through its proxy: addresses, headers, caching, slashes.')
    .argument('[url]', 'public address, such as https://library.example/digilib')
    .option('--image <path>', 'image to test with, such as books/herbal/page-001 (default: one that it finds)')
    .option('--timeout <seconds>', 'longest wait for an answer', numberFrom(0.1, 3600, decimal), 30)
    .option(
      '--health',
      'ask only whether the server lives; without an address, the one that this environment (PORT, HOST, LECTERN_HTTP__PORT …) starts',
    )
    .option('--ready', 'ask only whether all parts of the server are ready; the address as for --health')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', help)
    .action(async (url: string | undefined, flags: CheckFlags, self: Command) => {
      const { health, ready, timeout } = flags;
      if (health || ready) {
        const { checkOne } = await import('./probe.ts');
        process.exitCode = await checkOne(url, health ? 'health' : 'ready', timeout);
      } else if (url === undefined) self.error("error: missing required argument 'url'");
      else {
        const { check } = await import('./check.ts');
        process.exitCode = await check(url, flags);
      }
    });
}
