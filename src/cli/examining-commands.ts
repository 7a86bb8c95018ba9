/** The commands that look for faults: `doctor` in files, `check` and `top` in a running server, `compare` between digilib and this server. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CheckFlags } from './check/check.ts';
import { decimal, numberFrom } from './common/option-values.ts';
import type { CompareFlags } from './compare/compare.ts';
import type { TopFlags } from './top/top.ts';

const doctorHelp = `
Each fault is a line of its own, with its place: metadata.yaml:12: sentence, or page-001.jpg: reason.
Texts are looked for beside the images and in folders named alto, page, hocr, txt and ocr.
Images of which a part is missing are found by their headers: TIFF files whose strips or tiles lie beyond their end, and files
without their end, which are decoded. JPEG files are read to their end, and those that may lack a part are decoded. Damage inside of other
files is found with --decode, as far as its decoder can tell.
Files that a server has put aside, since decoding them crashed, took too much memory or too long, are named too.
Images that are slow to cut are no fault: twenty of them are named, one is measured, all are counted. So are JPEG 2000 files
whose shape makes them slow, with the settings of encoders that help.
Folders inside are looked through as well; names that begin with a dot are left out.

Exit code: 0 where nothing is wrong, 1 where something is, 2 for a folder that does not exist.
To serve a folder named doctor, write ./doctor.`;

interface DoctorFlags {
  readonly decode?: boolean;
  readonly config?: string;
}

export function addDoctorCommand(lectern: Command): void {
  lectern
    .command('doctor')
    .description(
      'Looks for faults in metadata files and texts of pages, for images that can’t be read, and for those that are slow to cut.',
    )
    .argument('<folders...>', 'folders of scans')
    .option('--decode', 'decodes all pixels of every image, which takes as long as to read all of them')
    .option(
      '--config <file>',
      'JSON file with settings: how the object store of folders such as s3://bucket/prefix is reached',
    )
    .addHelpText('after', doctorHelp)
    .action(async (folders: string[], _own: DoctorFlags, self: Command) => {
      const { decode, config } = self.optsWithGlobals<DoctorFlags>();
      const { doctor } = await import('./doctor/doctor.ts');
      process.exitCode = await doctor(folders, decode ? 'all' : 'suspicious', config);
    });
}

const checkHelp = `
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
    .addHelpText('after', checkHelp)
    .action(async (url: string | undefined, flags: CheckFlags, self: Command) => {
      const { health, ready, timeout } = flags;
      if (health || ready) {
        const { checkOne } = await import('./check/probe.ts');
        process.exitCode = await checkOne(url, health ? 'health' : 'ready', timeout);
      } else if (url === undefined) self.error("error: missing required argument 'url'");
      else {
        const { check } = await import('./check/check.ts');
        process.exitCode = await check(url, flags);
      }
    });
}

const topHelp = `
Without an address it asks the server that these settings start, on this machine; the environment counts (PORT, HOST, LECTERN_HTTP__PORT …).
The server shows it to its own machine, or with rules of access to those with the role admin, as /admin does. In a terminal it is shown
anew every two seconds, until q or Ctrl-C; otherwise once, as plain text.

Exit code: 0, 1 where the server does not answer or does not show it, 2 for wrong use.`;

export function addTopCommand(lectern: Command): void {
  lectern
    .command('top')
    .description(
      'Shows who costs a running server what: networks, programs, kinds of requests, refusals, queues, files.',
    )
    .argument('[url]', 'address of the server, such as http://127.0.0.1:8080/digilib')
    .addOption(new Option('--over <window>', 'the window').choices(['minute', 'ten', 'hour']).default('minute'))
    .addOption(
      new Option('--sort <measure>', 'the order of rows')
        .choices(['time', 'requests', 'sent', 'refused'])
        .default('time'),
    )
    .option('--once', 'print it once, also in a terminal')
    .option('--json', 'print it once, as JSON')
    .option('--hold <network>', 'hold a network for an hour, such as 198.51.100.0/24: nothing is made for it')
    .option('--release <network>', 'release a network that is held')
    .option('--config <file>', 'JSON file with the settings of the server')
    .option('--digilib-config <file>', 'a site’s WEB-INF/digilib-config.xml')
    .addHelpText('after', topHelp)
    .action(async (url: string | undefined, _own: TopFlags, self: Command) => {
      const { top } = await import('./top/top.ts');
      process.exitCode = await top(url, self.optsWithGlobals<TopFlags>());
    });
}

function parseLogPath(text: string): string {
  if (/^\/[^\s?#]*$/.test(text)) return text;
  throw new InvalidArgumentError('It must look like /digilib, or / for the root.');
}

const compareHelp = `
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
    .addHelpText('after', compareHelp)
    .action(async (flags: CompareFlags) => {
      const { compare } = await import('./compare/compare.ts');
      process.exitCode = await compare(flags);
    });
}
