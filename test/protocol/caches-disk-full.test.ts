// @module-tag mount
/** All folders of the server on a disk that is full: everything is answered without them. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mountSmallDisk, type SmallDisk } from '../fixtures/small-disk.ts';
import { type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-caches-disk-full-'));
const scans = path.join(scratch, 'scans');
const pages = 6;

let disk: SmallDisk;
const at = (name: string): string => path.join(disk.folder, name);

const bytesBelow = (name: string): number => {
  try {
    return readdirSync(at(name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'CACHEDIR.TAG')
      .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
  } catch {
    return 0;
  }
};

beforeAll(async () => {
  mkdirSync(path.join(scans, 'book'), { recursive: true });
  const gaussian = { type: 'gaussian', mean: 128, sigma: 10 } as const;
  // Slow to cut, so that a pyramid is made.
  const png = await sharp({ create: { width: 2600, height: 2400, channels: 3, background: 'gray', noise: gaussian } })
    .png({ compressionLevel: 1 })
    .toBuffer();
  writeFileSync(path.join(scans, 'slow.png'), png);
  const jpeg = await sharp({ create: { width: 300, height: 400, channels: 3, background: 'gray', noise: gaussian } })
    .jpeg()
    .toBuffer();
  for (let page = 1; page <= pages; page++) {
    writeFileSync(path.join(scans, `book/p${page}.jpg`), jpeg);
    writeFileSync(path.join(scans, `book/p${page}.txt`), `wort${page} gemeinsam`);
  }
  disk = mountSmallDisk(path.join(scratch, 'disk'), 24);
}, 60_000);
afterAll(() => {
  disk?.unmount();
  rmSync(scratch, { recursive: true, force: true });
});

/** One request of each kind; the size of pictures is new at each call, so that they are made. */
let size = 60;
const addresses = (): readonly string[] => {
  size = 60 + ((size - 58) % 220);
  return [
    `/iiif/3/book!p1/full/${size},/0/default.jpg`,
    `/iiif/3/book!p1/full/${size},/0/default.png`,
    `/iiif/3/slow/1200,${size},256,256/256,256/0/default.jpg`,
    '/iiif/3/book!p2/info.json',
    '/api/dlInfo-json.jsp?fn=book/p3',
    '/api/folder.json?fn=book',
    '/presentation/3/book/manifest.json',
    '/api/search.json?q=gemeinsam',
    '/api/text/book/p1.json',
  ];
};

async function expectAnswers(app: RunningApp): Promise<void> {
  for (const address of addresses()) {
    const { status, body } = await app.get(address);
    expect([address, status]).toEqual([address, 200]);
    expect(body.toString('latin1')).not.toContain(scratch);
  }
}

const start = (): Promise<RunningApp> =>
  startApp({
    library: { folders: [scans] },
    cache: { memoryBytes: 0, directory: at('cache') },
    pyramids: { directory: at('pyramids'), maxBytes: 2 ** 30 },
    index: { directory: at('index') },
    search: { directory: at('search') },
    pdf: { directory: at('documents') },
  });

/** Pictures that nobody requested before are stored again, after a pause that grows with the failures. */
const expectCached = (app: RunningApp): Promise<void> =>
  expect
    .poll(
      async () => {
        const before = bytesBelow('cache');
        await expectAnswers(app);
        return bytesBelow('cache') > before;
      },
      { timeout: 90_000, interval: 300 },
    )
    .toBe(true);

const faultsOf = (app: RunningApp): readonly string[] => app.logLines.filter((line) => JSON.parse(line).level >= 50);

describe('a full disk with all folders of the server', () => {
  it('harms no answer at the start, and later when they are in use; the cache is used as soon as there is space', async () => {
    disk.fill();
    const app = await start();
    try {
      for (let round = 0; round < 3; round++) await expectAnswers(app);
      expect(['cache', 'pyramids', 'index', 'search'].map(bytesBelow)).toEqual([0, 0, 0, 0]);
      expect((await app.get('/readyz')).status).toBe(200);
      disk.empty();
      await expectCached(app);
      disk.fill();
      for (let round = 0; round < 3; round++) await expectAnswers(app);
      const document = await app.get('/pdf/book.pdf');
      expect([document.status, document.body.toString()]).toEqual([
        503,
        'The server’s disk has no space for the document; ask again later.\n',
      ]);
      expect(document.body.toString('latin1')).not.toContain(scratch);
      expect(faultsOf(app)).toEqual([]);
    } finally {
      await app.close();
    }
  }, 120_000);
});
