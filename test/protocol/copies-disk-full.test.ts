// @module-tag mount
/** A disk that is full of copies of objects: own copies go first, and nothing fails but what needs one (survive.md, "Load and faults"). */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mountSmallDisk, type SmallDisk } from '../fixtures/small-disk.ts';
import { record } from '../robustness/recorded-metrics.ts';
import { type ComputedBucket, startComputedBucket } from '../s3/computed-bucket.ts';
import { pyramidOf } from '../s3/large-pyramid.ts';
import { storeSettings } from '../s3/store-settings.ts';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-copies-disk-full-'));
const diskMegabytes = 8;

let disk: SmallDisk;
let jpeg: Buffer;
let bucket: ComputedBucket;
let app: RunningApp;

/** Noise, so that the file is large. */
const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: 'gray', noise: { type: 'gaussian', mean: 128, sigma: 30 } },
  });

const nameOf = (index: number): string => `page ${String(index).padStart(4, '0')}.jpg`;
const copies = (): string => path.join(disk.folder, 'lectern-copies');

beforeAll(async () => {
  disk = mountSmallDisk(path.join(scratch, 'disk'), diskMegabytes);
  jpeg = await noise(1600, 1300).jpeg({ quality: 85 }).toBuffer();
  const pyramid = await pyramidOf(2000, 1500);
  const others = { 'scans/pyramid.tif': pyramid };
  bucket = await startComputedBucket({ bucket: 'scans', prefix: 'scans/', images: 80, nameOf, bytes: jpeg, others });
  app = await startApp({
    library: { folders: ['s3://scans/scans'] },
    objectStorage: { ...storeSettings(scratch, bucket), spoolDirectory: disk.folder },
  });
}, 60_000);
afterAll(async () => {
  await app?.close();
  await bucket?.close();
  disk?.unmount();
  rmSync(scratch, { recursive: true, force: true });
});

const picture = (page: number): string => `/iiif/3/${encodeURIComponent(nameOf(page))}/full/300,/0/default.jpg`;
const statusOf = async (address: string): Promise<number> => (await app.get(address)).status;

const readiness = async (): Promise<ReceivedResponse> => app.get('/readyz');
const metric = async (name: string): Promise<number> => {
  const line = (await app.get('/metrics')).body
    .toString()
    .split('\n')
    .find((one) => one.startsWith(`lectern_${name} `));
  return Number(line?.split(' ').at(-1));
};
const linesOf = (text: string): readonly string[] =>
  app.logLines.filter((line) => line.includes(text)).map((line) => JSON.parse(line).msg);

/** What the disk holds of copies that are not whole. */
const leftovers = (): readonly string[] =>
  readdirSync(copies()).filter((name) => {
    if (name === 'CACHEDIR.TAG') return false;
    return !name.endsWith('.copy') || statSync(path.join(copies(), name)).size !== jpeg.length;
  });

/** Before each, the disk has space. */
beforeEach(async () => {
  disk.empty();
  await expect.poll(async () => (await readiness()).headers['lectern-degraded']).toBe(undefined);
});

let next = 0;
const unseen = (): string => picture(next++);

describe('copies of objects', () => {
  it('give way to new ones, the oldest first, where the disk is smaller than their bound', async () => {
    const evictions = await metric('copies_evictions_total');
    const count = Math.ceil((diskMegabytes * 2 ** 20) / jpeg.length) + 3;
    for (let page = 0; page < count; page++) expect(await statusOf(unseen())).toBe(200);
    expect(await metric('copies_evictions_total')).toBeGreaterThan(evictions);
    expect(await metric('copies_faults_total{reason="full"}')).toBe(0);
    expect(leftovers()).toEqual([]);
  });

  it('give way also where others fill the disk while one is being written', async () => {
    expect([await statusOf(unseen()), await statusOf(unseen())]).toEqual([200, 200]);
    disk.fill(64 * 1024);
    expect(await statusOf(unseen())).toBe(200);
    expect(leftovers()).toEqual([]);
  });

  it('that find no space are 503, for these pictures alone, and the server says so until there is space', async () => {
    rmSync(copies(), { recursive: true });
    disk.fill();
    const [before, taken] = [await metric('copies_faults_total{reason="full"}'), bucket.takeBytes()];
    expect(taken).toBeGreaterThan(0);
    const refused = await app.get(unseen());
    expect([refused.status, refused.headers['retry-after'], refused.headers['cache-control']]).toEqual([
      ...[503, expect.stringMatching(/^\d+$/), 'no-store'],
    ]);
    expect(refused.body.toString()).toBe(
      'The server’s disk has no space for a copy of the image’s file; ask again later.\n',
    );
    const page = encodeURIComponent(nameOf(next++));
    for (const form of ['&mo=errtxt', '&mo=errcode', '&mo=errimg', '']) {
      const answer = await app.get(`/Scaler?fn=${page}&dw=200${form}`);
      expect([form, answer.status, answer.headers['retry-after']]).toEqual([form, 503, expect.any(String)]);
      expect(answer.body.toString('latin1')).not.toContain(scratch);
    }
    expect(await metric('copies_faults_total{reason="full"}')).toBeGreaterThan(before);
    // Stored tiles, regions from tiles, headers, lists and originals need no copy.
    const without = [
      '/iiif/3/pyramid.tif/256,0,256,256/256,256/0/default.jpg',
      '/iiif/3/pyramid.tif/100,50,700,600/350,/0/default.jpg',
      '/iiif/3/pyramid.tif/full/150,/0/default.png',
      `/iiif/3/${page}/info.json`,
      `/Scaler?fn=${page}&mo=rawfile`,
    ];
    for (const address of without) expect([address, await statusOf(address)]).toEqual([address, 200]);
    const ready = await readiness();
    expect([ready.status, ready.headers['lectern-degraded']]).toEqual([200, 'copies']);
    expect((await app.get('/metrics')).body.toString()).toContain('\nlectern_degraded{part="copies"} 1\n');
    disk.empty();
    expect(await statusOf(unseen())).toBe(200);
    await expect.poll(async () => (await readiness()).headers['lectern-degraded'], { timeout: 3000 }).toBe(undefined);
  });

  it('of a disk that has space again are no fault any more within 3 s, though nobody asks for one', async () => {
    rmSync(copies(), { recursive: true });
    disk.fill();
    expect(await statusOf(unseen())).toBe(503);
    disk.empty();
    await expect.poll(async () => (await readiness()).headers['lectern-degraded'], { timeout: 3000 }).toBe(undefined);
  });

  it('made for many requests at once are whole or refused, and never deleted while they are read', async () => {
    rmSync(copies(), { recursive: true });
    const expected = (await app.get(unseen())).body;
    disk.fill(2.5 * jpeg.length);
    const answers = await Promise.all(Array.from({ length: 12 }, () => app.get(unseen())));
    const statuses = answers.map(({ status }) => status);
    // On a busy machine the store of the test may be late.
    expect(statuses.filter((status) => ![200, 503, 504].includes(status))).toEqual([]);
    expect(statuses).toContain(200);
    for (const { status, body } of answers) if (status === 200) expect(body.equals(expected)).toBe(true);
    expect(leftovers()).toEqual([]);
    expect(await statusOf(unseen())).toBe(200);
  });

  it('that can’t be written for another reason are 503 too, and made again afterwards', async () => {
    rmSync(copies(), { recursive: true });
    writeFileSync(copies(), 'no folder');
    const { status, body } = await app.get(unseen());
    expect([status, body.toString()]).toEqual([
      503,
      'The server can’t write a copy of the image’s file; ask again later.\n',
    ]);
    expect((await readiness()).headers['lectern-degraded']).toBe('copies');
    rmSync(copies());
    expect(await statusOf(unseen())).toBe(200);
    expect((await readiness()).headers['lectern-degraded']).toBe(undefined);
  });

  it('are made again where somebody deletes them', async () => {
    expect(await statusOf(picture(0))).toBe(200);
    rmSync(copies(), { recursive: true });
    expect(await statusOf('/iiif/3/page%200000.jpg/full/211,/0/default.jpg')).toBe(200);
  });

  it('are told in one line for each time that the disk was full, and one at its end', () => {
    // Further lines about the same fault would come a minute later at the earliest.
    expect(linesOf('The disk of the copies of objects is full')).toHaveLength(1);
    expect(linesOf('The disk of the copies of objects has space again')).toHaveLength(1);
    expect(linesOf('Copies of objects can’t be written')).toHaveLength(1);
    expect(linesOf('Copies of objects can be written again')).toHaveLength(1);
    expect(app.logLines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
    expect(app.logLines.filter((line) => line.includes('"code":"no-space"')).length).toBeLessThanOrEqual(2);
  });

  it('raise the alert of a full disk by the metrics of that time, and none before', {
    tags: 'prometheus',
  }, async () => {
    rmSync(copies(), { recursive: true });
    let scrapes = 0;
    const read = async (): Promise<string> => {
      const text = (await app.get('/metrics')).body.toString();
      scrapes++;
      return text;
    };
    const alertsDuring = async (work: () => Promise<void>): Promise<readonly string[]> => {
      const recording = record(() => [{ instance: 'server', read }]);
      const scraped = async (): Promise<void> => {
        const before = scrapes;
        await expect.poll(() => scrapes).toBeGreaterThan(before + 1);
      };
      await scraped();
      await work();
      await scraped();
      return recording.stop();
    };
    expect(await alertsDuring(async () => expect(await statusOf(unseen())).toBe(200))).toEqual([]);
    rmSync(copies(), { recursive: true });
    const full = await alertsDuring(async () => {
      disk.fill();
      expect(await statusOf(unseen())).toBe(503);
    });
    expect(full).toEqual(['LecternCopiesDiskFull']);
  });
});
