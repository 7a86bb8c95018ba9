/** Every flipped bit of a derived pyramid is found before a byte of it is sent or decoded. */
import { closeSync, mkdtempSync, openSync, readFileSync, realpathSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JpegTiles, Level, Resolution } from '../../src/core/image/model/image-set.ts';
import { passTile } from '../../src/core/image/plan/passthrough.ts';
import { planPart, planRender } from '../../src/core/image/plan/plan-render.ts';
import type { SendTile } from '../../src/core/image/plan/plan-types.ts';
import { createFileProbe } from '../../src/core/library/file-facts.ts';
import { buildPyramid } from '../../src/core/pyramids/build.ts';
import { createFinder } from '../../src/core/pyramids/pyramids.ts';
import { LocalPyramidStore } from '../../src/core/pyramids/store.ts';
import { execute } from '../../src/core/render/execute.ts';
import { createTileReader } from '../../src/core/render/tiles/tile-reader.ts';
import { Storages } from '../../src/core/storage/storages.ts';
import { randomIntegers } from '../fixtures/files/random.mjs';
import { blobs } from '../protocol/blob-image.ts';
import { sampleOf } from '../sweep.ts';
import { temporaryFolder } from './pictures.ts';

const folder = realpathSync(temporaryFolder());
const directory = mkdtempSync(path.join(folder, 'store-'));
const probe = createFileProbe();
const storages = new Storages();
const tiles = createTileReader((file) => storages.handle(file));
afterAll(() => storages.close());

let source: Resolution;
let file = '';
let bytes = Buffer.alloc(0);
beforeAll(async () => {
  const scan = path.join(folder, 'scan.tif');
  await blobs(2304, 1536).tiff({ compression: 'none' }).toFile(scan);
  const [read] = await probe(scan);
  if (read === undefined) throw new Error('the source can’t be read');
  source = read;
  const store = new LocalPyramidStore({ directory, maxBytes: 1e9 });
  const { signal } = new AbortController();
  const outcome = await buildPyramid(source, {
    store,
    quality: 85,
    probe,
    storages,
    deadlineMs: 60_000,
    maxMemoryBytes: 2 ** 30,
    signal,
  });
  if (outcome.kind !== 'made') throw new Error(JSON.stringify(outcome));
  file = store.pathOf(outcome.name);
  bytes = readFileSync(file);
}, 60_000);

/** The pyramid as the server finds it after a start; undefined where it is damaged, and deleted. */
async function find(): Promise<Resolution | undefined> {
  const store = new LocalPyramidStore({ directory, maxBytes: 1e9 });
  await store.refresh();
  const nothing = (): void => undefined;
  return createFinder({ store, quality: 85, probe, storages, onFault: nothing, onDropped: nothing })(source);
}

function tilesOf(pyramid: Resolution, level: Level): readonly SendTile[] {
  const { columns, rows } = level.stored as JpegTiles;
  const { width, height } = level.tile ?? level;
  const scale = pyramid.width / level.width;
  return Array.from({ length: columns * rows }, (_, index): SendTile => {
    const [x, y] = [(index % columns) * width, Math.floor(index / columns) * height];
    const output = { width: Math.min(width, level.width - x), height: Math.min(height, level.height - y) };
    const region = { x: x * scale, y: y * scale, width: output.width * scale, height: output.height * scale };
    const finish = { turn: { flop: false, turns: 0 }, rotation: 0, color: {}, kernel: 'lanczos3' } as const;
    const frame = { resolution: pyramid, source: region, output };
    const planned = planRender(frame, { ...finish, format: 'jpeg', profiles: 'convert' });
    const plan = passTile(planned.render, level);
    if ('reason' in plan) throw new Error(plan.reason);
    return plan;
  });
}

type Outcome = 'damaged' | Buffer;

/** Every stored tile as it is sent. */
async function allTiles(pyramid: Resolution): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const plan of pyramid.levels.flatMap((level) => tilesOf(pyramid, level))) {
    const read = await tiles.read(plan);
    outcomes.push(read.kind === 'tile' ? read.bytes : 'damaged');
  }
  return outcomes;
}

/** One rendering of the whole of each level, which decodes all tiles. */
function allLevels(pyramid: Resolution): Promise<readonly Outcome[]> {
  const whole = { x: 0, y: 0, width: pyramid.width, height: pyramid.height };
  return Promise.all(
    pyramid.levels.map((level) =>
      execute(planPart(pyramid, whole, level, 'webp')).then(
        (made): Outcome => made.bytes,
        (error: { readonly code?: string }): Outcome =>
          error.code === 'damaged' ? 'damaged' : Buffer.from(String(error)),
      ),
    ),
  );
}

/** Writes the file anew with one flipped bit. */
function flip(bit: number): void {
  writeFileSync(file, bytes);
  const at = Math.floor(bit / 8);
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.from([(bytes[at] ?? 0) ^ (1 << (bit % 8))]), 0, 1, at);
  closeSync(descriptor);
}

const isRight = (outcome: Outcome, right: Outcome | undefined): boolean =>
  outcome !== 'damaged' && Buffer.isBuffer(right) && outcome.equals(right);

it('one bit anywhere: each tile and each rendering is right or found damaged, and the bit is found', {
  tags: 'sampled',
  timeout: 60_000,
}, async () => {
  const intact = await find();
  if (intact === undefined) throw new Error('the pyramid is not found');
  const right = [...(await allTiles(intact)), ...(await allLevels(intact))];
  expect(right).not.toContain('damaged');
  const random = randomIntegers(5);
  // Bits all over the file, and those of its last parts, which say where everything lies and what checksums it has.
  const last = bytes.length - 3000;
  const bits = [
    ...Array.from({ length: 24 }, () => random() % (bytes.length * 8)),
    ...Array.from({ length: 30 }, () => last * 8 + (random() % (3000 * 8))),
    ...Array.from({ length: 8 }, (_, at) => at * 8 + (random() % 8)),
  ];
  const wrong: string[] = [];
  for (const bit of sampleOf(bits, 16)) {
    flip(bit);
    const found = await find();
    if (found === undefined) continue;
    const sent = await allTiles(found);
    const rendered = await allLevels(found);
    const outcomes = [...sent, ...rendered];
    if (!sent.includes('damaged') || !rendered.includes('damaged')) wrong.push(`bit ${bit} is not found`);
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome !== 'damaged' && !isRight(outcome, right[index])) wrong.push(`bit ${bit} shows in ${index}`);
    }
  }
  expect(wrong).toEqual([]);
});
