/** Flipped bits in derived pyramids: no answer shows them, the pyramid is deleted, and built again from its source. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomIntegers } from '../fixtures/files/random.mjs';
import { blobs } from './blob-image.ts';
import { type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-bit-rot-'));
const folder = path.join(scratch, 'scans');
const intact = path.join(scratch, 'intact');
const size = { width: 2300, height: 1500 } as const;

const start = (store: string | false): Promise<RunningApp> =>
  startApp({
    library: { folders: [folder] },
    // Without a cache each request reads the pyramid.
    cache: { memoryBytes: 0, directory: false },
    pyramids: store === false ? { maxBytes: 0 } : { directory: store, maxBytes: 1e9 },
  });

const iiif = (picture: string): string => `/iiif/3/scan.tif/${picture}`;

/** All tiles of all levels, as a viewer requests them. */
function tileAddresses(): readonly string[] {
  const addresses: string[] = [];
  for (const scale of [1, 2, 4, 8]) {
    const side = 512 * scale;
    for (let y = 0; y < size.height; y += side) {
      for (let x = 0; x < size.width; x += side) {
        const [width, height] = [Math.min(side, size.width - x), Math.min(side, size.height - y)];
        const shown = `${Math.ceil(width / scale)},${Math.ceil(height / scale)}`;
        addresses.push(iiif(`${x},${y},${width},${height}/${shown}/0/default.jpg`));
      }
    }
  }
  return addresses;
}

const addresses = [
  ...tileAddresses(),
  iiif('100,200,900,700/450,350/0/default.jpg'),
  iiif('1300,700,1000,800/500,400/90/gray.jpg'),
  iiif('300,900,1200,600/600,300/0/default.webp'),
  iiif('full/200,/0/default.jpg'),
  iiif('full/!900,900/0/default.jpg'),
  '/Scaler?fn=scan&dw=150&dh=150',
  '/Scaler?fn=scan&dw=700&wx=0.4&wy=0.4&ww=0.5&wh=0.5',
];

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const pyramidsIn = (store: string): readonly string[] => readdirSync(store).filter((name) => name.endsWith('.tif'));

/** Resolves when the store holds a pyramid; only the test's own time-out limits it. */
async function pyramidIn(store: string): Promise<string> {
  for (;;) {
    const [name] = pyramidsIn(store);
    if (name !== undefined) return name;
    await pause(50);
  }
}

async function answersOf(app: RunningApp): Promise<readonly Buffer[]> {
  const answers: Buffer[] = [];
  for (const address of addresses) {
    const { status, body } = await app.get(address);
    expect(status).toBe(200);
    answers.push(body);
  }
  return answers;
}

/** Resolves when answers come from the pyramid: its file appears a moment before. */
async function pyramidUsed(app: RunningApp): Promise<void> {
  const [first = ''] = addresses;
  while (fromSource?.[0]?.equals((await app.get(first)).body)) await pause(50);
}

let name = '';
let [fromPyramid, fromSource]: (readonly Buffer[])[] = [];
beforeAll(async () => {
  mkdirSync(folder);
  mkdirSync(intact);
  await blobs(size.width, size.height).tiff({ compression: 'none' }).toFile(path.join(folder, 'scan.tif'));
  const without = await start(false);
  fromSource = await answersOf(without);
  await without.close();
  const app = await start(intact);
  for (let count = 0; count < 3; count++) await app.get(addresses[0] ?? '');
  name = await pyramidIn(intact);
  await pyramidUsed(app);
  fromPyramid = await answersOf(app);
  await app.close();
  expect(fromPyramid.filter((answer, index) => fromSource?.[index]?.equals(answer)).length).toBeLessThan(5);
}, 120_000);

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A store whose pyramid has one bit flipped in each part of this many bytes. */
function damagedStore(seed: number, partBytes: number): string {
  const store = mkdtempSync(path.join(scratch, 'store-'));
  const bytes = readFileSync(path.join(intact, name));
  const random = randomIntegers(seed);
  for (let start = 0; start < bytes.length; start += partBytes) {
    const at = Math.min(bytes.length - 1, start + (random() % partBytes));
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (random() % 8));
  }
  writeFileSync(path.join(store, name), bytes);
  return store;
}

it.each([3])('one flipped bit in each 64 kB shows in no answer, and is healed (seed %i)', async (seed) => {
  const store = damagedStore(seed, 65_536);
  const damaged = readFileSync(path.join(store, name));
  const app = await start(store);
  try {
    const answers = await answersOf(app);
    const wrong = addresses.filter((_, index) => {
      const answer = answers[index];
      return !answer || !(fromPyramid?.[index]?.equals(answer) || fromSource?.[index]?.equals(answer));
    });
    expect(wrong).toEqual([]);
    expect(app.logLines.filter((line) => line.includes('a derived pyramid is damaged'))).toHaveLength(1);
    expect((await app.get('/metrics')).body.toString()).toMatch(/^lectern_pyramids_damaged_total 1$/m);
    await pyramidIn(store);
    await pyramidUsed(app);
    const healed = readFileSync(path.join(store, name));
    expect(healed.equals(damaged)).toBe(false);
    expect(healed.equals(readFileSync(path.join(intact, name)))).toBe(true);
    expect(await answersOf(app)).toEqual(fromPyramid);
  } finally {
    await app.close();
  }
});

it('an intact pyramid of another server is used as it is', async () => {
  const store = mkdtempSync(path.join(scratch, 'store-'));
  copyFileSync(path.join(intact, name), path.join(store, name));
  const app = await start(store);
  expect(await answersOf(app)).toEqual(fromPyramid);
  expect(app.logLines.filter((line) => line.includes('damaged'))).toEqual([]);
  await app.close();
});
