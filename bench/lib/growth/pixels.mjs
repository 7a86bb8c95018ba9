/** The cost of pixels: tiles of pyramids with 1, 10 and 100 times as many. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { requireRight } from '../checks.mjs';
import { fetchAnswer } from '../client.mjs';
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
  { title: 'tile, first time', width: 16, cell: ({ firstMs }) => formatMs(firstMs) },
  { title: 'tile, again', width: 11, cell: ({ againMs }) => formatMs(againMs) },
  { title: 'peak memory', width: 11, cell: ({ peak }) => formatMb(peak.resident) },
  { title: 'shared once', width: 12, cell: ({ peak }) => formatMb(peak.sharedOnce) },
]);

/** Milliseconds for one answer, over all of them, on one connection. */
async function msEach(load, server, requests) {
  const paths = requests.map(server.pathOf);
  const { answers, elapsedMs } = await load.once({ port: server.port, paths, connections: 1 });
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
  const infoMs = await timed(() => fetchAnswer(server.port, server.pathOf(infoRequest(scan))));
  await requireRight(server, infoRequest(scan));
  const pictures = tilesOf(scan.size);
  const requests = pictures.slice(0, count + 8).map((picture) => pictureRequest(scan, picture));
  // The first ones also start the render processes’ decoders; they are looked at, not timed.
  for (const request of requests.slice(0, 8)) await requireRight(server, request);
  const firstMs = await msEach(load, server, requests.slice(8));
  const againMs = await msEach(load, server, requests.slice(8));
  const peak = memory.stop().get(server.name);
  await server.close();
  return {
    megapixels: Math.round((side * side) / 1e6),
    tiles: pictures.length,
    fileBytes,
    infoMs,
    firstMs,
    againMs,
    peak,
  };
}

/** Measures each size with a server of its own. */
export async function growPixels(context, report) {
  const stored = await makeStoredTiles(tileSide, storedTiles);
  for (const side of sides) report(await measureSize(side, stored, context));
}
