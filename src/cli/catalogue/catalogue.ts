/** Runs `lectern catalogue crawl`, `inventory` and `status`. */
import { accessOf } from '../../config/store-access.ts';
import { kindOf, storagePathOf } from '../../core/storage/storages.ts';
import { BucketReader } from '../../features/catalogue/bucket-reader.ts';
import {
  type FilledPart,
  type FillResult,
  type FillRun,
  fillByCrawl,
  fillByInventory,
} from '../../features/catalogue/fill/fill.ts';
import { type AreaStatus, statusOf } from '../../features/catalogue/fill/status.ts';
import { Database } from '../../features/catalogue/postgres/database.ts';
import { migrate } from '../../features/catalogue/postgres/migrate.ts';
import { configurationOf } from '../common/command-configuration.ts';
import { bytesText, counted, durationText, messageOf, numberText, printable } from '../common/text.ts';
import { UsageError, withUsageErrors } from '../common/usage-error.ts';

export interface CatalogueFlags {
  readonly config?: string;
}

/** How often it is told how many objects were read, in ms. */
const progressMs = 10_000;

/** A bucket, or a part of it, by its address. */
function partOf(address: string): FilledPart {
  const kind = address.startsWith('s3://') ? kindOf(address) : undefined;
  if (kind === undefined)
    throw new UsageError(`${printable(address)} is no address of a bucket, such as s3://bucket/prefix`);
  const faults = kind.faultsOf(address);
  if (faults.length > 0) throw new UsageError(faults.join('\n'));
  const [, bucket = '', ...names] = storagePathOf(address).split('/');
  return { bucket, prefix: names.map((name) => `${name}/`).join('') };
}

/** Runs work on the database of the settings. */
async function withDatabase(
  { config }: CatalogueFlags,
  work: (database: Database, reader: BucketReader) => Promise<number>,
): Promise<number> {
  const { settings } = await configurationOf([], config === undefined ? {} : { config });
  const { postgres: address, passwordFile } = settings.catalogue;
  if (address === undefined)
    throw new UsageError('there is no catalogue: set catalogue.postgres to the address of its database');
  const database = new Database({ address, passwordFile, connections: 4 });
  const reader = new BucketReader(accessOf(settings));
  try {
    await migrate(database);
    return await work(database, reader);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    console.error(`lectern: ${printable(messageOf(error))}`);
    return 1;
  } finally {
    await reader.close();
    await database.close();
  }
}

const stepTexts = { objects: 'sorting and counting', metadata: 'reading the metadata of folders' } as const;

function printResult({ objects, described, isStopped }: FillResult, seconds: number): number {
  if (isStopped) {
    console.error(
      `lectern: stopped after ${counted(objects, 'object', 'objects')}; started again, it goes on from here`,
    );
    return 1;
  }
  const metadata = `the metadata of ${counted(described, 'folder', 'folders')} read anew`;
  console.log(`${counted(objects, 'object', 'objects')} in the catalogue, ${metadata}, in ${durationText(seconds)}`);
  return 0;
}

const runFilling = (flags: CatalogueFlags, fill: (run: FillRun) => Promise<FillResult>): Promise<number> =>
  withDatabase(flags, async (database, reader) => {
    const abort = new AbortController();
    process.once('SIGINT', () => abort.abort());
    process.once('SIGTERM', () => abort.abort());
    const beganMs = performance.now();
    let saidMs = beganMs;
    const result = await fill({
      ...{ database, reader, signal: abort.signal },
      onProgress(objects) {
        if (performance.now() - saidMs < progressMs) return;
        saidMs = performance.now();
        process.stderr.write(`${numberText(objects)} objects, ${durationText((saidMs - beganMs) / 1000)}\n`);
      },
      onStep(step) {
        process.stderr.write(`${stepTexts[step]}, ${durationText((performance.now() - beganMs) / 1000)}\n`);
      },
    });
    return printResult(result, (performance.now() - beganMs) / 1000);
  });

/** Lists a bucket, or a part of it; resolves to the exit code. */
export const crawlBucket = (address: string, flags: CatalogueFlags): Promise<number> =>
  withUsageErrors(async () => {
    const part = partOf(address);
    return runFilling(flags, (run) => fillByCrawl(part, run));
  });

/** Reads an inventory of a bucket, or of a part of it; resolves to the exit code. */
export const readInventoryOf = (
  location: string,
  address: string | undefined,
  flags: CatalogueFlags,
): Promise<number> =>
  withUsageErrors(async () => {
    const part = address === undefined ? undefined : partOf(address);
    return runFilling(flags, (run) => fillByInventory(location, part, run));
  });

function lineOf({ path, filledAt, asOf, objects, filling }: AreaStatus): string {
  const done =
    filledAt === undefined ? 'not filled yet' : `${counted(objects, 'object', 'objects')} as of ${asOf?.toISOString()}`;
  const running = filling === undefined ? '' : `; a filling has read ${counted(filling, 'object', 'objects')}`;
  return `s3://${printable(path)}: ${done}${running}`;
}

/** Prints what is in the catalogue; resolves to the exit code. */
export const catalogueStatus = (flags: CatalogueFlags): Promise<number> =>
  withUsageErrors(() =>
    withDatabase(flags, async (database) => {
      const { areas, images, folders, bytes } = await statusOf(database);
      for (const area of areas) console.log(lineOf(area));
      const totals = `${counted(images, 'image', 'images')} in ${counted(folders, 'folder', 'folders')}`;
      console.log(`${totals}, ${bytesText(bytes)} in the database`);
      return 0;
    }),
  );
