/** The command `lectern pdf`: writes the pages of a folder as a PDF document. */
import type { Command } from 'commander';
import { numberFrom } from '../common/option-values.ts';
import { withSettings } from '../common/settings-flags.ts';
import type { PdfFlags } from './pdf.ts';

const help = `
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
    .addHelpText('after', help)
    .action(async (folder: string, folders: string[], _own: PdfFlags, self: Command) => {
      const { writePdf } = await import('./pdf.ts');
      process.exitCode = await writePdf(folder, folders, self.optsWithGlobals<PdfFlags>());
    });
}
