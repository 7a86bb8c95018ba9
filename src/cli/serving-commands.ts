/** The commands with the settings of the server: `serve`, the default, `config`, `warm`, `index`, `pdf` and `explain`. */
import type { Command } from 'commander';
import { numberFrom } from './common/option-values.ts';
import { type Flags, withSettings } from './common/settings-flags.ts';
import type { PdfFlags } from './pdf/pdf.ts';

/** Loads the server and starts it. */
export async function loadAndServe(folders: readonly string[], flags: Flags): Promise<void> {
  const { serve } = await import('./serve/serve.ts');
  await serve(folders, flags);
}

export function addServeCommand(lectern: Command): void {
  withSettings(lectern.command('serve'))
    .description('Serves folders, as lectern does without a subcommand.')
    .action((folders: string[], _own: Flags, self: Command) => loadAndServe(folders, self.optsWithGlobals<Flags>()));
}

const configHelp = `
Only what differs from the defaults is printed. What digilib’s files say without effect is named on standard error.

Example: lectern config --digilib-config WEB-INF/digilib-config.xml > lectern.json`;

export function addConfigCommand(lectern: Command): void {
  withSettings(lectern.command('config'))
    .description(
      'Prints the settings as a JSON file for --config: those of digilib’s own files, of the environment and of the flags.',
    )
    .option('--all', 'print also the settings that are as they are by default')
    .addHelpText('after', configHelp)
    .action(async (folders: string[], _own: Flags, self: Command) => {
      const { differingSettings } = await import('../app/settings/configuration.ts');
      const { configurationOf } = await import('./common/command-configuration.ts');
      const flags = self.optsWithGlobals<Flags & { readonly all?: boolean }>();
      const configuration = await configurationOf(folders, flags);
      for (const note of configuration.notes) console.error(`lectern: ${note}`);
      const printed = flags.all ? configuration.settings : differingSettings(configuration);
      console.log(JSON.stringify(printed, undefined, 2));
    });
}

const warmHelp = `
Run it with the settings of the server, so that the server finds what was made. Pictures that are cached already are not made
again, so that the command can be stopped and started again at any time.

Exit code: 0, 1 where nothing could be made of a file, 2 for wrong settings. To serve a folder named warm, write ./warm.`;

export function addWarmCommand(lectern: Command): void {
  withSettings(lectern.command('warm'))
    .description('Makes what viewers ask for first, and keeps it in the cache: thumbnails and first tiles.')
    .addHelpText('after', warmHelp)
    .action(async (folders: string[], _own: Flags, self: Command) => {
      const { warm } = await import('./warm/warm.ts');
      process.exitCode = await warm(folders, self.optsWithGlobals<Flags>());
    });
}

const indexHelp = `
Run it with the settings of the server, which may run meanwhile and finds what was written. Only texts that are new or changed are
read, so that the command can be stopped and started again at any time. The index can be deleted at any time, too.

Exit code: 0, 1 where the index can’t be written, 2 for wrong settings. To serve a folder named index, write ./index.`;

export function addIndexCommand(lectern: Command): void {
  withSettings(lectern.command('index'))
    .description('Reads the texts of pages into the index that searches use.')
    .addHelpText('after', indexHelp)
    .action(async (folders: string[], _own: Flags, self: Command) => {
      const { indexLibrary } = await import('./index-texts/index-library.ts');
      process.exitCode = await indexLibrary(folders, self.optsWithGlobals<Flags>());
    });
}

const pdfHelp = `
JPEG scans are put into the document as they are, unless --size or --dpi makes them smaller; other scans are rendered. The cover
names the permanent address of the folder where the setting http.publicAddress does.

Exit code: 0, 1 where the folder can't be made a document of, 2 for wrong settings. To serve a folder named pdf, write ./pdf.`;

export function addPdfCommand(lectern: Command): void {
  const command = lectern
    .command('pdf')
    .argument('<folder>', 'path of a folder inside the library, such as books/herbal; / for the library itself');
  withSettings(command)
    .description(
      'Writes the pages of a folder as a PDF document: with a cover, chapters, page labels and searchable text.',
    )
    .option('--pages <numbers>', 'pages such as 1-5,9,12-; they count the images of the folder from 1 (default: all)')
    .option('--size <pixels>', 'largest width and height of the pictures (default: as stored)', numberFrom(1, 100_000))
    .option('--dpi <number>', 'largest resolution of the pictures (default: as stored)', numberFrom(1, 2400))
    .option('--output <file>', 'the file to write (default: the folder’s name with .pdf; - for standard output)')
    .option('--language <tag>', 'language of the cover: en, de or fr', 'en')
    .addHelpText('after', pdfHelp)
    .action(async (folder: string, folders: string[], _own: PdfFlags, self: Command) => {
      const { writePdf } = await import('./pdf/pdf.ts');
      process.exitCode = await writePdf(folder, folders, self.optsWithGlobals<PdfFlags>());
    });
}

const explainHelp = `
The address is one of Scaler or of IIIF, as a whole URL or from its path on; scheme and host play no part.
Put it in quotes, since & and ? mean something else to most shells.

Exit code: 0 where the picture is explained, 1 where the server would answer an error, 2 for another address.
To serve a folder named explain, write ./explain.`;

export function addExplainCommand(lectern: Command): void {
  const command = lectern
    .command('explain')
    .argument('<address>', 'address of a picture, such as /iiif/3/book!page.tif/full/max/0/default.jpg');
  withSettings(command)
    .description('Says how a picture is made: what is read of which file, and what was considered.')
    .addHelpText('after', explainHelp)
    .action(async (address: string, folders: string[], _own: Flags, self: Command) => {
      const { explainAddress } = await import('./explain/explain.ts');
      process.exitCode = await explainAddress(address, folders, self.optsWithGlobals<Flags>());
    });
}

const purgeHelp = `
Run it with the settings of the server, which name the proxies and CDNs in purge.targets. A path is that of an image or of a folder of
the library, with everything in it; / is everything.

  lectern purge books/herbal books/atlas/page-001.jpg --config lectern.json

Exit code: 0, 1 where one of them does not do it, 2 for wrong settings. To serve a folder named purge, write ./purge.`;

export function addPurgeCommand(lectern: Command): void {
  lectern
    .command('purge')
    .argument('<paths...>', 'images and folders of the library')
    .description('Has proxies and CDNs forget what they keep of images and folders.')
    .option('--config <file>', 'JSON file with settings, as for the server')
    .option('--digilib-config <file>', 'a site’s WEB-INF/digilib-config.xml, as for the server')
    .addHelpText('after', purgeHelp)
    .action(async (paths: string[], _own: object, self: Command) => {
      const { purge } = await import('./purge/purge.ts');
      process.exitCode = await purge(paths, self.optsWithGlobals<Flags>());
    });
}
