/** Requests tiles of scans until Lectern answers from derived pyramids, which a changed ETag of the same tile shows. */
import { fetchResponse } from './http-client.mjs';
import { pictureRequest } from './requests.mjs';
import { pause } from './settle.mjs';

const pollMs = 250;
/** Adjacent tiles, as a viewer requests them when it opens. */
const firstTiles = Array.from({ length: 6 }, (_, index) => ({
  region: { x: 512 * index, y: 512, width: 512, height: 512 },
  width: 512,
  height: 512,
}));

async function etagOf(server, scan) {
  const { lectern } = pictureRequest(scan, firstTiles[0]);
  return (await fetchResponse(server.port, lectern)).headers.etag;
}

/**
 * Waits until each of the scans, which must not have been requested before, has its derived pyramid, or `mostMs` are over. Resolves to the
 * names of the scans that have one, and the time waited.
 */
export async function waitForDerived(server, scans, mostMs) {
  const tags = new Map();
  const start = performance.now();
  for (const scan of scans) {
    tags.set(scan, await etagOf(server, scan));
    for (const picture of firstTiles.slice(1)) {
      await fetchResponse(server.port, pictureRequest(scan, picture).lectern);
    }
  }
  const names = new Set();
  const end = performance.now() + mostMs;
  while (names.size < scans.length && performance.now() < end) {
    for (const scan of scans) {
      if (!names.has(scan.name) && (await etagOf(server, scan)) !== tags.get(scan)) names.add(scan.name);
    }
    await pause(pollMs);
  }
  return { names, waitedMs: performance.now() - start };
}
