/** Reads an S3 inventory: the files of a manifest, or one file of rows, from a disk or a bucket. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { AsyncBuffer } from 'hyparquet';
import { z } from 'zod';
import type { BucketReader } from '../bucket-reader.ts';
import { columnsOf, objectsInCsv, objectsInParquet } from './inventory-rows.ts';
import type { StagedObject } from './staging.ts';

/** A file of rows that can be read at any place. */
interface RowsFile {
  readonly name: string;
  readonly bytes: number;
  read(at: number, length: number): Promise<Buffer>;
}

export interface Inventory {
  /** The bucket that it is of; undefined where it does not say. */
  readonly bucket: string | undefined;
  /** The time of which it is. */
  readonly asOf: Date;
  /** Changes with the inventory. */
  readonly source: string;
  readonly files: readonly RowsFile[];
  readonly schema: readonly string[];
}

/** Of a file of rows without a manifest. */
const usualSchema: readonly string[] = ['Bucket', 'Key', 'Size', 'LastModifiedDate', 'ETag'];

const manifestForm = z.object({
  sourceBucket: z.string().min(1),
  destinationBucket: z.string().optional(),
  creationTimestamp: z.coerce.number(),
  fileFormat: z.enum(['CSV', 'Parquet'], 'is of a format other than CSV and Parquet'),
  fileSchema: z.string(),
  files: z.array(z.object({ key: z.string().min(1) })).min(1),
});

/** Bytes of a bucket's file that are read at a time. */
const partBytes = 8 * 2 ** 20;

const addressForm = /^s3:\/\/([^/]+)\/(.+)$/;

async function diskFile(file: string): Promise<RowsFile> {
  const { size: bytes } = await stat(file);
  const read = async (at: number, length: number): Promise<Buffer> => {
    const parts: Buffer[] = [];
    for await (const part of createReadStream(file, { start: at, end: at + length - 1 })) parts.push(part as Buffer);
    return Buffer.concat(parts);
  };
  return { name: file, bytes, read };
}

async function bucketFile(reader: BucketReader, bucket: string, key: string): Promise<RowsFile> {
  const object = await reader.head(bucket, key);
  return { name: key, bytes: object.size, read: (at, length) => reader.readPart(bucket, key, object, at, length) };
}

/** The file of a manifest beside it on a disk: by its key, or where a copy of the inventory has it. */
async function besideManifest(manifest: string, key: string): Promise<RowsFile> {
  const folder = path.dirname(manifest);
  const name = path.basename(key);
  for (const place of [path.join(folder, name), path.join(folder, 'data', name), path.join(folder, '../data', name)])
    if (await stat(place).catch(() => undefined)) return diskFile(place);
  return diskFile(path.join(folder, key));
}

/** The inventory at an address or a path. Throws where it is none. */
export async function openInventory(location: string, reader: BucketReader): Promise<Inventory> {
  const [, bucket = '', key = ''] = addressForm.exec(location) ?? [];
  const file = key === '' ? await diskFile(location) : await bucketFile(reader, bucket, key);
  if (!location.endsWith('.json')) {
    const asOf = key === '' ? (await stat(location)).mtime : new Date((await reader.head(bucket, key)).modifiedMs);
    const source = `${location} ${file.bytes} ${asOf.getTime()}`;
    return { bucket: undefined, asOf, source, files: [file], schema: usualSchema };
  }
  const parsed = manifestForm.safeParse(JSON.parse((await file.read(0, file.bytes)).toString('utf8')));
  if (!parsed.success) throw new Error(`the manifest is none of an S3 inventory: ${z.prettifyError(parsed.error)}`);
  const { sourceBucket, destinationBucket, creationTimestamp, fileFormat, fileSchema, files } = parsed.data;
  const destination = destinationBucket?.replace(/^arn:[^:]*:s3:::/, '') ?? bucket;
  const found: RowsFile[] = [];
  for (const one of files)
    found.push(key === '' ? await besideManifest(location, one.key) : await bucketFile(reader, destination, one.key));
  return {
    bucket: sourceBucket,
    asOf: new Date(creationTimestamp),
    source: `${sourceBucket} ${creationTimestamp} ${files.length}`,
    files: found,
    // The schema of Parquet is in its files.
    schema: fileFormat === 'CSV' ? fileSchema.split(',').map((name) => name.trim()) : usualSchema,
  };
}

async function* chunksOf({ bytes, read }: RowsFile): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes; at += partBytes) yield await read(at, Math.min(partBytes, bytes - at));
}

function objectsOf(file: RowsFile, schema: readonly string[]): AsyncIterable<readonly StagedObject[]> {
  if (file.name.endsWith('.parquet')) {
    const slice = async (start: number, end = file.bytes): Promise<ArrayBuffer> => {
      const part = await file.read(start, end - start);
      return new Uint8Array(part).buffer;
    };
    const buffer: AsyncBuffer = { byteLength: file.bytes, slice };
    return objectsInParquet(buffer);
  }
  const chunks = Readable.from(chunksOf(file));
  return objectsInCsv(file.name.endsWith('.gz') ? pipedTo(chunks) : chunks, columnsOf(schema));
}

function pipedTo(chunks: Readable): AsyncIterable<Buffer> {
  const plain = createGunzip();
  chunks.on('error', (error) => plain.destroy(error));
  return chunks.pipe(plain);
}

/** Objects with the position behind them, by which reading goes on. */
export async function* readInventory(
  { files, schema }: Inventory,
  position: string | undefined,
): AsyncGenerator<{ readonly objects: readonly StagedObject[]; readonly position: string }> {
  const [firstFile = 0, firstRow = 0] = position?.split(':').map(Number) ?? [];
  for (const [index, file] of files.entries()) {
    if (index < firstFile) continue;
    let rows = 0;
    for await (const objects of objectsOf(file, schema)) {
      const skipped = index === firstFile ? Math.max(0, firstRow - rows) : 0;
      rows += objects.length;
      if (skipped < objects.length) yield { objects: objects.slice(skipped), position: `${index}:${rows}` };
    }
  }
}
