/** The command `lectern doctor`: names faulty metadata files and images that can't be read. */
import type { Command } from 'commander';
import { findOpjDecompress } from '../../render/jpeg2000/opj-program.ts';
import { requireFolders } from '../common/folder-walk.ts';
import { createDecodeCheck, type Decoding } from './decode-check.ts';
import { examine, formatTally } from './examination.ts';
import { Jpeg2000Files, jpeg2000Report } from './jpeg2000-report.ts';
import { putAsideReport } from './put-aside-report.ts';
import { SlowImages, slowReport } from './slow-report.ts';

function printToStdout(line: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(`${line}\n`, () => resolve()));
}

/** Runs the command and gives its exit code: 0 where nothing is wrong, 1 where something is. Throws UsageError. */
async function doctor(roots: readonly string[], decoding: Decoding): Promise<number> {
  await requireFolders(roots);
  process.stdout.on('error', () => process.exit(1));
  const slow = new SlowImages();
  const check = createDecodeCheck(decoding);
  const jpeg2000 = new Jpeg2000Files();
  const add: SlowImages['add'] = (file, pages) => {
    slow.add(file, pages);
    jpeg2000.add(file, pages);
  };
  const tally = await examine(roots, printToStdout, { add }, check);
  await check.close();
  const putAside = await putAsideReport(roots);
  for (const line of putAside) await printToStdout(line);
  for (const line of await slowReport(slow)) await printToStdout(line);
  for (const line of jpeg2000Report(jpeg2000, findOpjDecompress(true))) await printToStdout(line);
  await printToStdout(`${tally.faults > 0 ? '\n' : ''}${formatTally(tally)}`);
  return tally.faults + putAside.length > 0 ? 1 : 0;
}

const help = `
Each fault is a line of its own, with its place: metadata.yaml:12: sentence, or page-001.jpg: reason.
Images of which a part is missing are found by their headers: TIFF files whose strips or tiles lie beyond their end, and files
without their end, which are decoded. Damage inside of a file is found with --decode, as far as its decoder can tell.
Files that a server has put aside, since decoding them crashed, took too much memory or too long, are named too.
Images that are slow to cut are no fault: twenty of them are named, one is measured, all are counted. So are JPEG 2000 files
whose shape makes them slow, with the settings of encoders that help.
Folders inside are looked through as well; names that begin with a dot are left out.

Exit code: 0 where nothing is wrong, 1 where something is, 2 for a folder that does not exist.
To serve a folder named doctor, write ./doctor.`;

export function addDoctorCommand(lectern: Command): void {
  lectern
    .command('doctor')
    .description(
      'Looks for faults in metadata files, for images that can’t be read, and for those that are slow to cut.',
    )
    .argument('<folders...>', 'folders of scans')
    .option('--decode', 'decodes all pixels of every image, which takes as long as to read all of them')
    .addHelpText('after', help)
    .action(async (folders: string[], { decode }: { decode?: boolean }) => {
      process.exitCode = await doctor(folders, decode ? 'all' : 'suspicious');
    });
}
