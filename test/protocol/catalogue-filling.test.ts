/** How the catalogue is filled: crawls that go on, second crawls, and S3 inventories, and what is in it then. */
// @module-tag postgres
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BucketReader } from '../../src/features/catalogue/bucket-reader.ts';
import { type FillResult, type FillRun, fillByCrawl, fillByInventory } from '../../src/features/catalogue/fill/fill.ts';
import { statusOf } from '../../src/features/catalogue/fill/status.ts';
import { migrate } from '../../src/features/catalogue/postgres/migrate.ts';
import { PostgresCatalogue } from '../../src/features/catalogue/postgres/postgres-catalogue.ts';
import { startPostgres, type TestPostgres } from '../fixtures/postgres-server.ts';
import { type ComputedBucket, startComputedBucket } from '../s3/computed-bucket.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-filling-'));
const bytes = Buffer.from('an image, by its name');
const nameOf = (index: number): string => `p${String(index).padStart(7, '0')}.tif`;
const part = { bucket: 'flat', prefix: '' };
const digest = '0123456789abcdef0123456789abcdef';

let postgres: TestPostgres;
let catalogue: PostgresCatalogue;
let bucket: ComputedBucket | undefined;
let reader: BucketReader;

beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  const address = await postgres.createDatabase();
  catalogue = new PostgresCatalogue({ address, connections: 2, isTold: true, onFault: () => undefined });
  await migrate(catalogue.database);
  reader = new BucketReader({ pathStyle: true });
});
afterEach(async () => {
  await catalogue.close();
  await reader.close();
  await bucket?.close();
  bucket = undefined;
});
afterAll(async () => {
  await postgres.close();
  rmSync(scratch, { recursive: true, force: true });
});

async function openBucket(images: number, others: Readonly<Record<string, Buffer>> = {}): Promise<void> {
  await bucket?.close();
  bucket = await startComputedBucket({ bucket: 'flat', prefix: 'scans/', images, nameOf, bytes, others });
  await reader.close();
  const credentials = { accessKeyId: 'reader', secretAccessKey: 'secret' };
  reader = new BucketReader({ endpoint: bucket.endpoint, pathStyle: true, credentials });
}

const runWith = (more: Partial<FillRun> = {}): FillRun => ({
  ...{ database: catalogue.database, reader, signal: new AbortController().signal },
  ...more,
});

const crawl = (more: Partial<FillRun> = {}): Promise<FillResult> => fillByCrawl(part, runWith(more));

const flat = () => catalogue.bucket('flat');
const counts = async (prefix: string) => {
  const found = await flat().folder(prefix).counts();
  return found && [found.images, found.folders];
};

describe('a crawl', () => {
  it('that is stopped goes on where it stopped, and the catalogue says nothing before its end', async () => {
    await openBucket(50_000);
    const abort = new AbortController();
    const stopped = await crawl({ signal: abort.signal, onProgress: () => abort.abort() });
    expect(stopped).toEqual({ objects: 20_000, described: 0, isStopped: true });
    await catalogue.start();
    expect(flat().covers('scans/')).toBe(false);
    expect(await statusOf(catalogue.database)).toMatchObject({
      areas: [{ path: 'flat', filledAt: undefined, filling: 20_000 }],
    });
    bucket?.takeRequests();
    expect(await crawl()).toEqual({ objects: 50_000, described: 0, isStopped: false });
    expect(bucket?.takeRequests().length).toBe(30);
    expect(await counts('scans/')).toEqual([50_000, 0]);
    expect(await counts('')).toEqual([0, 1]);
    await expect.poll(() => flat().covers('scans/')).toBe(true);
    expect(await statusOf(catalogue.database)).toMatchObject({
      areas: [{ path: 'flat', objects: 50_000, filling: undefined }],
      images: 50_000,
    });
  });

  it('that comes second takes out what is gone, and folders that are empty then, and adds what is new', async () => {
    await openBucket(300, { 'old/sub/1.png': bytes, 'old/sub/2.png': bytes, 'same/1.png': bytes });
    await crawl();
    expect(await counts('old/')).toEqual([0, 1]);
    await openBucket(299, { 'new/1.png': bytes, 'same/1.png': bytes });
    await crawl();
    expect(await counts('scans/')).toEqual([299, 0]);
    expect(await counts('old/sub/')).toBeUndefined();
    expect(await counts('old/')).toBeUndefined();
    expect(await counts('')).toEqual([0, 3]);
    expect(await flat().find(`scans/${nameOf(298)}`)).toMatchObject({ size: bytes.length, etag: `"${digest}"` });
    expect(await flat().find(`scans/${nameOf(299)}`)).toBeUndefined();
  });

  it('does not bring back what was removed while it ran, nor take out what was added', async () => {
    await openBucket(10);
    await crawl();
    const now = Date.now() + 60_000;
    const object = { size: 3, etag: '"abc"', modifiedMs: now };
    await catalogue.take([
      { bucket: 'flat', key: `scans/${nameOf(3)}`, object: undefined, atMs: now },
      { bucket: 'flat', key: 'scans/added.tif', object, atMs: now },
    ]);
    await crawl();
    expect(await flat().find(`scans/${nameOf(3)}`)).toBeUndefined();
    expect(await flat().find('scans/added.tif')).toEqual(object);
    expect(await counts('scans/')).toEqual([10, 0]);
  });

  it('knows the positions of names in long folders', async () => {
    await openBucket(30_000);
    await crawl();
    const scans = flat().folder('scans/');
    const part = async (from: number, count: number) => (await scans.images({ from, count })).map(({ name }) => name);
    expect(await part(20_001, 2)).toEqual([nameOf(20_000), nameOf(20_001)]);
    expect(await part(29_999, 5)).toEqual([nameOf(29_998), nameOf(29_999)]);
    expect(await scans.positionOf(nameOf(20_000))).toBe(20_001);
    const now = Date.now() + 60_000;
    const added = { size: 3, etag: '"abc"', modifiedMs: now };
    await catalogue.take([{ bucket: 'flat', key: 'scans/p0000000-a.tif', object: added, atMs: now }]);
    expect(await scans.positionOf(nameOf(20_000))).toBe(20_002);
    expect(await part(20_002, 1)).toEqual([nameOf(20_000)]);
    expect(await scans.counts()).toMatchObject({ images: 30_001, changedMs: now });
  });
});

const rows = [
  ['books/herbal/001.tif', 100, '2026-01-02T03:04:05.000Z', digest],
  ['books/herbal/002.tif', 200, '2026-01-02T03:04:06.000Z', `${digest}-17`],
  ['books/a + b/Ünï"code, %.tif', 300, '2026-01-02T03:04:07.000Z', 'no-digest-at-all'],
] as const;

/** As AWS writes it: fields in quotation marks, keys encoded as in addresses. */
const csvOf = (some: readonly (typeof rows)[number][]): string =>
  some
    .map(([key, ...fields]) => ['flat', encodeURIComponent(key).replaceAll('%20', '+'), ...fields])
    .map((fields) => `${fields.map((field) => `"${field}"`).join(',')}\n`)
    .join('');

function manifest(folder: string, more: object): string {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'manifest.json');
  const common = { sourceBucket: 'flat', destinationBucket: 'arn:aws:s3:::lists', version: '2016-11-30' };
  writeFileSync(file, JSON.stringify({ ...common, creationTimestamp: String(Date.UTC(2026, 0, 3)), ...more }));
  return file;
}

async function expectRows(): Promise<void> {
  for (const [key, size, modified, etag] of rows)
    expect(await flat().find(key), key).toEqual({ size, etag: `"${etag}"`, modifiedMs: Date.parse(modified) });
  expect(await counts('books/')).toEqual([0, 2]);
}

describe('an inventory', () => {
  it('of CSV files is read whole, in the columns that its manifest names', async () => {
    const folder = path.join(scratch, 'csv');
    const files = [{ key: 'lists/data/1.csv.gz' }, { key: 'lists/data/2.csv' }];
    const file = manifest(folder, {
      fileFormat: 'CSV',
      fileSchema: 'Bucket, Key, Size, LastModifiedDate, ETag',
      files,
    });
    mkdirSync(path.join(folder, 'data'));
    writeFileSync(path.join(folder, 'data/1.csv.gz'), gzipSync(csvOf(rows.slice(0, 2))));
    writeFileSync(path.join(folder, 'data/2.csv'), csvOf(rows.slice(2)));
    expect(await fillByInventory(file, undefined, runWith())).toEqual({ objects: 3, described: 0, isStopped: false });
    await expectRows();
  });

  it('of Parquet files is read whole', async () => {
    const folder = path.join(scratch, 'parquet');
    const files = [{ key: 'lists/data/1.parquet' }];
    const file = manifest(folder, { fileFormat: 'Parquet', fileSchema: 'message s3.inventory {}', files });
    const column = <T>(name: string, index: 0 | 1 | 2 | 3, as: (value: string | number) => T) => ({
      name,
      data: rows.map((row) => as(row[index])),
    });
    const columnData = [
      column('key', 0, String),
      column('size', 1, (size) => BigInt(size)),
      column('last_modified_date', 2, (date) => new Date(date)),
      column('e_tag', 3, String),
    ];
    writeFileSync(path.join(folder, '1.parquet'), Buffer.from(parquetWriteBuffer({ columnData })));
    expect(await fillByInventory(file, part, runWith())).toMatchObject({ objects: 3 });
    await expectRows();
  });

  it('in a bucket is read from there', async () => {
    const fileSchema = 'Bucket, Key, Size, LastModifiedDate, ETag';
    const head = { sourceBucket: 'other', destinationBucket: 'arn:aws:s3:::flat', creationTimestamp: '1767398400000' };
    const text = JSON.stringify({ ...head, fileFormat: 'CSV', fileSchema, files: [{ key: 'lists/1.csv.gz' }] });
    const others = { 'lists/manifest.json': Buffer.from(text), 'lists/1.csv.gz': gzipSync(csvOf(rows)) };
    await openBucket(1, others);
    await fillByInventory('s3://flat/lists/manifest.json', undefined, runWith());
    expect(await catalogue.bucket('other').folder('books/').counts()).toMatchObject({ folders: 2 });
  });

  it('of another form says what is wrong', async () => {
    const files = [{ key: '1.orc' }];
    const orc = manifest(path.join(scratch, 'orc'), { fileFormat: 'ORC', fileSchema: 'struct<>', files });
    await expect(fillByInventory(orc, undefined, runWith())).rejects.toThrow('other than CSV and Parquet');
    const lacking = { fileFormat: 'CSV', fileSchema: 'Bucket, Key', files: [{ key: '1.csv' }] };
    const file = manifest(path.join(scratch, 'lacking'), lacking);
    writeFileSync(path.join(scratch, 'lacking/1.csv'), csvOf(rows));
    await expect(fillByInventory(file, undefined, runWith())).rejects.toThrow(
      'needs Key, Size, LastModifiedDate and ETag',
    );
    const alone = path.join(scratch, 'alone.csv');
    writeFileSync(alone, csvOf(rows));
    await expect(fillByInventory(alone, undefined, runWith())).rejects.toThrow('name s3://bucket too');
  });
});
