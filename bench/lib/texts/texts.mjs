/** Measures the index of texts: making it alone and beside tiles, its size, and searches beside tiles. */
import { once } from 'node:events';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { BenchFailure } from '../failure.mjs';
import { fetchResponse } from '../http-client.mjs';
import { startLoad } from '../load.mjs';
import { cpuMs } from '../process-tree.mjs';
import { startProgram } from '../processes.mjs';
import { startLectern, thisCheckout } from '../servers/lectern.mjs';
import { median, quantile } from '../statistics.mjs';
import { randomFrom, wordBy } from './generated-pages.mjs';
import { makeTextLibrary } from './text-library.mjs';

const efforts = {
  full: { txt: 100_000, alto: 20_000, rounds: 8, queries: 400 },
  quick: { txt: 10_000, alto: 2_000, rounds: 4, queries: 150 },
};
const connections = 4;
const tilesInRound = 300;
const scanSide = 3000;
/** That of the process which the server starts. */
const backgroundPriority = 10;
/** The pyramid of the scan is made within this time. */
const derivedMs = 8000;

const rate = (count, ms) => (count * 1000) / ms;
const percent = (part) => `${(part * 100).toFixed(1)} %`;

async function bytesIn(folder) {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.includes('lectern-search.sqlite'));
  const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** `lectern index` for a library, with the caches of the run; `priority` is a `nice` value. */
function startIndexing(folder, cache, priority = 0) {
  const program = path.join(thisCheckout, 'bin/lectern.cjs');
  let output = '';
  const child = startProgram(process.execPath, [program, 'index', folder], {
    env: { XDG_CACHE_HOME: cache },
    onText: (chunk) => {
      output += chunk;
    },
  });
  setPriority(child.pid, priority);
  return { child, output: () => output };
}

/** Makes the index of a library from nothing; resolves to the elapsed time and the processor time of its processes in ms. */
async function indexAlone(folder, cache) {
  const start = performance.now();
  const { child, output } = startIndexing(folder, cache);
  let usedMs = 0;
  const timer = setInterval(() => {
    usedMs = Math.max(usedMs, cpuMs([child.pid]));
  }, 50);
  const [code] = await once(child, 'exit');
  clearInterval(timer);
  if (code !== 0) throw new BenchFailure(`lectern index ended with exit code ${code}.\n${output()}`);
  return { elapsedMs: performance.now() - start, usedMs };
}

async function measureIndexing(format, pages, runFolder) {
  const [folder, cache] = [path.join(runFolder, format), path.join(runFolder, `${format}-cache`)];
  const { wordBytes } = await makeTextLibrary(folder, { pages, format });
  const { elapsedMs, usedMs } = await indexAlone(folder, cache);
  const bytes = await bytesIn(cache);
  console.log(
    `${pages.toLocaleString('en')} pages (${format}): ${rate(pages, elapsedMs).toFixed(0)} a second, ` +
      `${(usedMs / pages).toFixed(2)} ms of processor time each; the index is ${(bytes / wordBytes).toFixed(2)} x the words`,
  );
  return { folder, cache };
}

async function makeScan(folder) {
  const random = randomFrom(7);
  const side = scanSide / 10;
  const noise = Buffer.from(Array.from({ length: side * side * 3 }, () => Math.floor(random() * 256)));
  const scan = sharp(noise, { raw: { width: side, height: side, channels: 3 } }).resize(scanSide, scanSide);
  await mkdir(path.join(folder, 'scans'), { recursive: true });
  await writeFile(path.join(folder, 'scans/scan.jpg'), await scan.jpeg({ quality: 85 }).toBuffer());
}

/** Tiles that were not requested before. */
function takeTiles(random) {
  const at = () => Math.floor(random() * (scanSide - 512));
  return Array.from(
    { length: tilesInRound },
    () => `/iiif/3/scans%2Fscan.jpg/${at()},${at()},512,512/512,/0/default.jpg`,
  );
}

/** Tiles while the index is made from nothing at low priority, by a process that is ended behind them. */
async function tilesBesideIndexing(tiles, folder, cache) {
  await rm(cache, { recursive: true, force: true });
  const { child } = startIndexing(folder, cache, backgroundPriority);
  await pause(1500);
  const result = await tiles();
  if (child.exitCode !== null) throw new BenchFailure('The index was made before the tiles were.');
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  return result;
}

const msEach = ({ answers, elapsedMs }) => elapsedMs / answers;

/**
 * Pairs of tiles alone and beside indexing, in turn one or the other first; resolves to the additional time of each pair, as
 * a fraction.
 */
async function slowing({ load, server, folder, runFolder, rounds }) {
  const random = randomFrom(11);
  const tiles = () => load.unique({ port: server.port, paths: takeTiles(random), connections });
  const beside = () => tilesBesideIndexing(tiles, folder, path.join(runFolder, 'beside-cache'));
  // The first tiles begin the pyramid of the scan.
  await tiles();
  await pause(derivedMs);
  const slower = [];
  for (let round = 0; round < rounds; round++) {
    const first = await (round % 2 === 0 ? tiles() : beside());
    const second = await (round % 2 === 0 ? beside() : tiles());
    const [alone, both] = round % 2 === 0 ? [first, second] : [second, first];
    slower.push(msEach(both) / msEach(alone) - 1);
  }
  return slower;
}

/** Searches in texts alone (`from=2`), one after the other; resolves to their times in ms. */
async function searchTimes(server, count, seed) {
  const random = randomFrom(seed);
  const times = [];
  for (let query = 0; query < count; query++) {
    const words = Array.from({ length: 1 + (query % 2) }, () => wordBy(random)).join(' ');
    const start = performance.now();
    const { status, body } = await fetchResponse(server.port, `/api/search.json?from=2&q=${encodeURIComponent(words)}`);
    times.push(performance.now() - start);
    if (status !== 200 || JSON.parse(body.toString()).texts === null) throw new BenchFailure(`“${words}”: no search.`);
  }
  return times;
}

async function searchTimesBesideTiles({ load, server, queries }) {
  const random = randomFrom(13);
  let isDone = false;
  const tiles = (async () => {
    while (!isDone) await load.unique({ port: server.port, paths: takeTiles(random), connections });
  })();
  const times = await searchTimes(server, queries, 19);
  isDone = true;
  await tiles;
  return times;
}

const timesText = (times) => `p50 ${quantile(times, 0.5).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms`;

/** Measures and prints everything. */
export async function runTexts({ quick }, runFolder) {
  const { txt, alto, rounds, queries } = quick ? efforts.quick : efforts.full;
  await measureIndexing('alto', alto, runFolder);
  await rm(path.join(runFolder, 'alto'), { recursive: true });
  const { folder, cache } = await measureIndexing('txt', txt, runFolder);
  await makeScan(folder);
  const load = startLoad({ runFolder });
  const server = await startLectern({
    folder,
    runFolder,
    environment: { XDG_CACHE_HOME: cache, LECTERN_SEARCH__REFRESH_MINUTES: '0' },
  });
  const slower = await slowing({ load, server, folder, runFolder, rounds });
  console.log(
    `tiles beside indexing at low priority take ${percent(median(slower))} more time (${slower.map(percent).join(', ')})`,
  );
  await searchTimes(server, 50, 17);
  console.log(`searches alone: ${timesText(await searchTimes(server, queries, 18))}`);
  console.log(`searches beside tiles: ${timesText(await searchTimesBesideTiles({ load, server, queries }))}`);
  await load.close();
  await server.close();
}
