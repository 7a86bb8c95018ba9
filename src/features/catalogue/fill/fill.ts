/** Fills the catalogue: by a crawl of a bucket, or by an S3 inventory of it. */
import type { BucketReader } from '../bucket-reader.ts';
import type { Database } from '../postgres/database.ts';
import { folderPath } from '../postgres/stored-forms.ts';
import { crawl } from './crawl.ts';
import { describeFolders } from './folder-words.ts';
import { openInventory, readInventory } from './inventory.ts';
import { Filling, type StagedObject } from './staging.ts';

/** A bucket, or the part of it below a prefix. */
export interface FilledPart {
  readonly bucket: string;
  /** Empty, or with a slash at the end. */
  readonly prefix: string;
}

export interface FillRun {
  readonly database: Database;
  readonly reader: BucketReader;
  /** Ends the run after what is being written; the next run goes on from there. */
  readonly signal: AbortSignal;
  /** Called with the number of objects that were read, from the beginning. */
  readonly onProgress?: (objects: number) => void;
  /** Called when all objects are read, and are being sorted and counted; then when metadata is being read. */
  readonly onStep?: (step: 'objects' | 'metadata') => void;
}

export interface FillResult {
  readonly objects: number;
  /** Folders whose metadata was new or changed. */
  readonly described: number;
  /** Whether it ended before its end. */
  readonly isStopped: boolean;
}

/** Objects that are written at a time. */
const batchObjects = 20_000;

interface Batch {
  readonly objects: readonly StagedObject[];
  readonly position: string;
}

/** The position of a filling that has all objects. */
const atEnd = 'end';

/** While a batch is written, the next one is read. */
async function* inBatches(parts: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  let objects: StagedObject[] = [];
  let last = '';
  for await (const part of parts) {
    for (const object of part.objects) objects.push(object);
    last = part.position;
    if (objects.length < batchObjects) continue;
    yield { objects, position: last };
    objects = [];
  }
  if (objects.length > 0) yield { objects, position: last };
}

interface Source {
  readonly source: string;
  readonly asOf: Date;
  /** Objects behind a position, which is undefined at the beginning. */
  readonly read: (position: string | undefined) => AsyncIterable<Batch>;
}

async function fill(part: FilledPart, { source, asOf, read }: Source, run: FillRun): Promise<FillResult> {
  const { database, reader, signal, onProgress, onStep } = run;
  const { filling, state } = await Filling.begin(database, { ...part, source, asOf });
  let { objects } = state;
  if (state.position !== atEnd) {
    let writing = Promise.resolve();
    for await (const batch of inBatches(read(state.position))) {
      await writing;
      if (signal.aborted) return { objects, described: 0, isStopped: true };
      writing = filling.add(batch.objects, batch.position);
      writing.catch(() => undefined);
      objects += batch.objects.length;
      onProgress?.(objects);
    }
    await writing;
    if (signal.aborted) return { objects, described: 0, isStopped: true };
    await filling.add([], atEnd);
  }
  onStep?.('objects');
  await filling.finish();
  onStep?.('metadata');
  const path = folderPath(part.bucket, part.prefix);
  return { objects, described: await describeFolders(database, { path, scope: 'below' }, reader), isStopped: false };
}

export function fillByCrawl(part: FilledPart, run: FillRun): Promise<FillResult> {
  async function* read(position: string | undefined): AsyncGenerator<Batch> {
    for await (const objects of crawl(run.reader.requests(part.bucket), part, position)) {
      const last = objects.at(-1)?.key;
      if (last !== undefined) yield { objects, position: last };
    }
  }
  return fill(part, { source: 'crawl', asOf: new Date(), read }, run);
}

/** `part` is the whole bucket of the inventory where it is not given. Throws where the inventory does not name its bucket either. */
export async function fillByInventory(
  location: string,
  part: FilledPart | undefined,
  run: FillRun,
): Promise<FillResult> {
  const inventory = await openInventory(location, run.reader);
  const { bucket, asOf, source } = inventory;
  const own = part ?? (bucket === undefined ? undefined : { bucket, prefix: '' });
  if (own === undefined)
    throw new Error(
      'a file of an inventory without its manifest does not say of which bucket it is: name s3://bucket too',
    );
  if (bucket !== undefined && own.bucket !== bucket)
    throw new Error(`the inventory is one of the bucket ${bucket}, and not of ${own.bucket}`);
  return fill(own, { source, asOf, read: (position) => readInventory(inventory, position) }, run);
}
