/** The command `lectern doctor`: names faulty metadata files and texts, and images that can't be read. */
import type { Command } from 'commander';

const help = `
Each fault is a line of its own, with its place: metadata.yaml:12: sentence, or page-001.jpg: reason.
Texts are looked for beside the images and in folders named alto, page, hocr, txt and ocr.
Images of which a part is missing are found by their headers: TIFF files whose strips or tiles lie beyond their end, and files
without their end, which are decoded. Damage inside of a file is found with --decode, as far as its decoder can tell.
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
    .addHelpText('after', help)
    .action(async (folders: string[], _own: DoctorFlags, self: Command) => {
      const { decode, config } = self.optsWithGlobals<DoctorFlags>();
      const { doctor } = await import('./doctor.ts');
      process.exitCode = await doctor(folders, decode ? 'all' : 'suspicious', config);
    });
}
