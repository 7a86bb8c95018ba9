/** Asks for tiles of scans until the answers show that Lectern reads something better: another ETag for the same tile. */
import { fetchAnswer } from './client.mjs';
import { pictureRequest } from './requests.mjs';
import { pause } from './settle.mjs';

const pollMs = 250;
/** Tiles of a row at the top left, as a viewer that has just been opened asks for them. */
const firstTiles = Array.from({ length: 6 }, (_, index) => ({
  region: { x: 512 * index, y: 512, width: 512, height: 512 },
  width: 512,
  height: 512,
}));

async function tagOf(server, scan) {
  const { lectern } = pictureRequest(scan, firstTiles[0]);
  return (await fetchAnswer(server.port, lectern)).headers.etag;
}

/**
 * Waits until each of the scans, of which nobody has asked anything yet, has its derived pyramid: for `all` ms at most, and
 * where not one has it, for `first` ms. Gives the names of those that have, and how long it waited.
 */
export async function awaitDerived(server, scans, { first, all }) {
  const tags = new Map();
  const start = performance.now();
  for (const scan of scans) {
    tags.set(scan, await tagOf(server, scan));
    for (const picture of firstTiles.slice(1)) {
      await fetchAnswer(server.port, pictureRequest(scan, picture).lectern);
    }
  }
  const names = new Set();
  const asked = performance.now();
  const isOver = () => performance.now() > asked + (names.size === 0 ? first : all);
  while (names.size < scans.length && !isOver()) {
    for (const scan of scans) {
      if (!names.has(scan.name) && (await tagOf(server, scan)) !== tags.get(scan)) names.add(scan.name);
    }
    await pause(pollMs);
  }
  return { names, waitedMs: performance.now() - start };
}
