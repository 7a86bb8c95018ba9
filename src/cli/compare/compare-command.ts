/** The command `lectern compare`: replays a site's real requests against its digilib and this server. */
import { type Command, InvalidArgumentError } from 'commander';
import { decimal, numberFrom } from '../common/option-values.ts';
import type { CompareFlags } from './compare.ts';

function parseLogPath(text: string): string {
  if (/^\/[^\s?#]*$/.test(text)) return text;
  throw new InvalidArgumentError('It must look like /digilib, or / for the root.');
}

const help = `
The log is an access log of Apache, nginx or Tomcat, also compressed by gzip, or a list of addresses, one a line.
Only GET and HEAD are replayed; equal requests are asked once and count as often as they were made. Of more addresses
than --limit, half are the most frequent ones and half are drawn from the others by --seed. Login tokens (id_token) are
neither sent nor shown.

  lectern compare --old http://localhost:8080/digilib --new http://localhost:8090/digilib --log access.log
  zcat access.log.*.gz | lectern compare --old http://localhost:8080/digilib --folders /scans/hires /scans/scaled --log -

Exit code: 0 where nothing differs but what does on purpose, 1 where something does, 2 for wrong use, 130 after Ctrl-C.`;

export function addCompareCommand(lectern: Command): void {
  // Options of the same names that follow the command's name belong to the command.
  lectern.enablePositionalOptions();
  lectern
    .command('compare')
    .description('Replays the requests of an access log against digilib and this server, and says what differs.')
    .requiredOption('--old <url>', 'base address of digilib, such as http://localhost:8080/digilib')
    .requiredOption('--log <files...>', 'access logs; - is standard input')
    .option('--new <url>', 'base address of a running Lectern')
    .option('--folders <folders...>', 'base directories of a Lectern that is started for the comparison')
    .option('--config <file>', 'JSON file with settings for that Lectern')
    .option('--log-path <path>', 'context path in the log (default: that of --old)', parseLogPath)
    .option('--limit <number>', 'most addresses that are asked', numberFrom(1, 1_000_000), 1000)
    .option('--seed <number>', 'begin of the sample of rarer addresses', numberFrom(0, 4_294_967_295), 1)
    .option('--concurrency <number>', 'requests at once', numberFrom(1, 64), 2)
    .option('--timeout <seconds>', 'longest wait for an answer', numberFrom(0.1, 3600, decimal), 60)
    .option('--tolerance <number>', 'how far colors may be apart, of 255', numberFrom(0, 255, decimal), 6)
    .option('--examples <number>', 'addresses that are shown of each cause', numberFrom(0, 1000), 3)
    .option('--json <file>', 'write every comparison to a file')
    .addHelpText('after', help)
    .action(async (flags: CompareFlags) => {
      const { compare } = await import('./compare.ts');
      process.exitCode = await compare(flags);
    });
}
