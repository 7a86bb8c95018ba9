/** Runs `lectern doctor`: examines all files, and prints the reports. */
import { pino } from 'pino';
import { withStorages } from '../../app/open-storages.ts';
import { kindOf, Storages } from '../../core/storage/storages.ts';
import { configurationOf } from '../common/command-configuration.ts';
import { requireFolders } from '../common/folder-walk.ts';
import { createDecodeCheck, type Decoding, examine, formatTally } from './examination.ts';
import { Jpeg2000Files, jpeg2000Report, quarantineReport, SlowImages, slowReport } from './reports.ts';

function printToStdout(line: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(`${line}\n`, () => resolve()));
}

/** Runs the command and gives its exit code: 0 where nothing is wrong, 1 where something is. Throws UsageError and SettingsError. */
export async function doctor(roots: readonly string[], decoding: Decoding, config?: string): Promise<number> {
  // Settings that don't hold for folders of the disk must not keep them from being examined.
  if (!roots.some((root) => kindOf(root).needsSettings)) return examineAll(roots, decoding, new Storages());
  const { settings } = await configurationOf(roots, config === undefined ? {} : { config });
  const unshared = { ...settings, pyramids: { ...settings.pyramids, shared: undefined } };
  return withStorages(unshared, roots, pino({ level: 'silent' }), (storages) => examineAll(roots, decoding, storages));
}

async function examineAll(roots: readonly string[], decoding: Decoding, storages: Storages): Promise<number> {
  await requireFolders(roots, storages);
  process.stdout.on('error', () => process.exit(1));
  const slow = new SlowImages();
  const check = createDecodeCheck(decoding, undefined, storages);
  const jpeg2000 = new Jpeg2000Files();
  const add: SlowImages['add'] = (file, pages) => {
    slow.add(file, pages);
    jpeg2000.add(file, pages);
  };
  const tally = await examine(roots, printToStdout, { add }, check, storages);
  await check.close();
  const inQuarantine = await quarantineReport(roots, storages);
  for (const line of inQuarantine) await printToStdout(line);
  for (const line of await slowReport(slow, storages)) await printToStdout(line);
  for (const line of jpeg2000Report(jpeg2000)) await printToStdout(line);
  await printToStdout(`${tally.faults > 0 ? '\n' : ''}${formatTally(tally)}`);
  return tally.faults + inQuarantine.length > 0 ? 1 : 0;
}
