/** Measures tiles of pyramids with 100 megapixels, and with 10 and 100 times as many. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { requireCorrect } from '../checks.mjs';
import { fetchResponse } from '../http-client.mjs';
import { watchMemory } from '../memory.mjs';
import { infoRequest, pictureRequest, tilesOf } from '../requests.mjs';
import { startLectern } from '../servers/lectern.mjs';
import { formatMb, formatMs, tableOf } from '../table.mjs';
import { writePyramid } from './big-pyramid.mjs';
import { makeStoredTiles } from './stored-tiles.mjs';

const sides = [10_000, 31_623, 100_000];
const storedTiles = 64;
const tileSide = 512;

export const pixelTable = tableOf([
  { title: 'pixels', width: 8, cell: ({ megapixels }) => `${megapixels.toLocaleString('en')} M` },
  { title: 'tiles', width: 7, cell: ({ tiles }) => tiles.toLocaleString('en') },
  { title: 'file', width: 7, cell: ({ fileBytes }) => formatMb(fileBytes) },
  { title: 'first info.json', width: 15, cell: ({ infoMs }) => formatMs(infoMs) },
  { title: 'tile, uncached', width: 16, cell: ({ uncachedMs }) => formatMs(uncachedMs) },
  { title: 'tile, cached', width: 12, cell: ({ cachedMs }) => formatMs(cachedMs) },
  { title: 'peak memory', width: 11, cell: ({ peak }) => formatMb(peak.resident) },
  { title: 'shared once', width: 12, cell: ({ peak }) => formatMb(peak.sharedOnce) },
]);

/** Mean milliseconds per response, on one connection. */
async function msEach(load, server, requests) {
  const paths = requests.map(server.pathOf);
  const { answers, elapsedMs } = await load.unique({ port: server.port, paths, connections: 1 });
  return elapsedMs / answers;
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function measureSize(side, stored, { load, count, runFolder }) {
  const folder = path.join(runFolder, `pixels-${side}`);
  const library = path.join(folder, 'library');
  await mkdir(library, { recursive: true });
  const scan = {
    name: 'big.tif',
    file: path.join(library, 'big.tif'),
    size: { width: side, height: side },
    levels: true,
  };
  const fileBytes = await writePyramid(scan.file, scan.size, stored);
  const server = await startLectern({ folder: library, runFolder: folder });
  const memory = watchMemory([server]);
  const infoMs = await timed(() => fetchResponse(server.port, server.pathOf(infoRequest(scan))));
  await requireCorrect(server, infoRequest(scan));
  const pictures = tilesOf(scan.size);
  const requests = pictures.slice(0, count + 8).map((picture) => pictureRequest(scan, picture));
  // The first requests also start the decoders of the render processes; they are checked but not timed.
  for (const request of requests.slice(0, 8)) await requireCorrect(server, request);
  const uncachedMs = await msEach(load, server, requests.slice(8));
  const cachedMs = await msEach(load, server, requests.slice(8));
  const peak = memory.stop().get(server.name);
  await server.close();
  return {
    megapixels: Math.round((side * side) / 1e6),
    tiles: pictures.length,
    fileBytes,
    infoMs,
    uncachedMs,
    cachedMs,
    peak,
  };
}

/** Measures each size with a new server. */
export async function measurePixelGrowth(context, report) {
  const stored = await makeStoredTiles(tileSide, storedTiles);
  for (const side of sides) report(await measureSize(side, stored, context));
}
