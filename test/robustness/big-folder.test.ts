/** Folders of 100,000 and of a million images: their lists and manifests delay no other request, and take bounded memory. */
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServerProcess, startServerProcess } from '../fixtures/server-process.ts';

const files = 100_000;
const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-big-'));
let server: ServerProcess;

/** Makes a folder with this number of images. */
function makeFolder(folder: string, count: number, jpeg: Buffer): void {
  mkdirSync(path.join(scratch, folder));
  const numbered = (index: number) => path.join(scratch, `${folder}/page${String(index).padStart(6, '0')}.jpg`);
  for (let index = 0; index < count; index++) {
    // File systems bound the number of names of a file.
    const first = Math.floor(index / 1000) * 1000;
    if (index === first) writeFileSync(numbered(index), jpeg);
    else linkSync(numbered(first), numbered(index));
  }
}

beforeAll(async () => {
  const jpeg = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#246' } })
    .jpeg()
    .toBuffer();
  mkdirSync(path.join(scratch, 'small'));
  writeFileSync(path.join(scratch, 'small/image.jpg'), jpeg);
  makeFolder('big', files, jpeg);
  makeFolder('huge', 1_000_000, jpeg);
  server = await startServerProcess([scratch, '--log-level', 'warn'], {
    LECTERN_RENDER__PROCESSES: '1',
    LECTERN_LIMITS__MAX_MANIFEST_PAGES: '200000',
  });
}, 300_000);

afterAll(async () => {
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
});

const memoryMiB = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;

/** Processor time of the server's main thread since its start, in ms: unlike other times it does not depend on what else the machine does. */
const mainThreadMs = (): number => Number(readFileSync(`/proc/${server.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

/** Requests another image; `blockedMs` is the processor time of the server's main thread until the answer. */
async function small() {
  const before = mainThreadMs();
  const { status, ms } = await server.get('/api/dlInfo-json.jsp?fn=small/image');
  return { status, ms, blockedMs: mainThreadMs() - before };
}

/** Requests a path, and another image all the time beside it; the longest that this took, in ms, and the most memory, in MiB. */
async function beside(target: string) {
  let isDone = false;
  const answer = server.get(target).finally(() => {
    isDone = true;
  });
  let [slowestMs, longestBlockedMs, mostMiB] = [0, 0, 0];
  while (!isDone) {
    const { status, ms, blockedMs } = await small();
    expect(status).toBe(200);
    slowestMs = Math.max(slowestMs, ms);
    longestBlockedMs = Math.max(longestBlockedMs, blockedMs);
    mostMiB = Math.max(mostMiB, memoryMiB());
  }
  const { status, ms, body } = await answer;
  console.info(
    `${target}: ${Math.round(ms)} ms; others ${Math.round(slowestMs)} ms, ${Math.round(longestBlockedMs)} of processor time, ${Math.round(mostMiB)} MiB at most`,
  );
  return { status, body: body.toString('utf8'), longestBlockedMs, mostMiB };
}

/** The main thread computes no longer than this before it answers others, in ms. */
const maxBlockedMs = 1500;

it.each([
  ['the first list', '/api/folder.json?fn=big&count=100'],
  ['a part in the middle', '/api/folder.json?fn=big&count=100&from=50001'],
  ['a page by its label', '/api/folder.json?fn=big&count=100&label=page099999'],
  ['a search', '/api/search.json?q=page0999'],
  ['the list of digilib', '/api/dirInfo-json.jsp?fn=big'],
])('%s delays nobody', async (_name, target) => {
  const { status, longestBlockedMs } = await beside(target);
  expect(status).toBe(200);
  expect(longestBlockedMs).toBeLessThan(maxBlockedMs);
});

it('its manifest is complete, delays nobody, and takes bounded memory', { timeout: 300_000 }, async () => {
  const { status, body, longestBlockedMs, mostMiB } = await beside('/presentation/3/big/manifest.json');
  expect(status).toBe(200);
  expect(JSON.parse(body).items).toHaveLength(files);
  expect(longestBlockedMs).toBeLessThan(maxBlockedMs);
  expect(mostMiB).toBeLessThan(900);
});

it.each([
  ['an image by its name', '/api/dlInfo-json.jsp?fn=huge/page999999', 200],
  ['an image by its number', '/Scaler?fn=huge&pn=777777&dw=30', 200],
  ['the first list', '/api/folder.json?fn=huge&count=100', 200],
  ['a part in the middle', '/api/folder.json?fn=huge&count=100&from=500001', 200],
  ['a manifest', '/presentation/3/huge/manifest.json', 413],
])('of a million images: %s delays nobody', { timeout: 60_000 }, async (_name, target, expected) => {
  const { status, longestBlockedMs, mostMiB } = await beside(target);
  expect(status).toBe(expected);
  expect(longestBlockedMs).toBeLessThan(maxBlockedMs);
  expect(mostMiB).toBeLessThan(1000);
});
