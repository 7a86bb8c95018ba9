/** Requests tiles of scans until Lectern answers from derived pyramids, which a changed ETag of the same tile shows. */
import { fetchResponse } from './http-client.mjs';
import { pictureRequest, tilesOf } from './requests.mjs';
import { pause } from './settle.mjs';

const pollMs = 250;

/** New tiles of a scan at each poll, as a viewer requests them for a view. */
const tilesEach = 6;

const answerTo = (server, scan, picture) => fetchResponse(server.port, pictureRequest(scan, picture).lectern);

/**
 * Waits until each of the scans, which must not have been requested before, has its derived pyramid, or `mostMs` are over. Resolves to the
 * names of the scans that have one, and the time waited.
 */
export async function waitForDerived(server, scans, mostMs) {
  const start = performance.now();
  const waiting = new Map();
  for (const scan of scans) {
    const [first, ...others] = tilesOf(scan.size);
    const { etag } = (await answerTo(server, scan, first)).headers;
    waiting.set(scan, { first, others, etag });
  }
  while (waiting.size > 0 && performance.now() < start + mostMs) {
    for (const [scan, { first, others, etag }] of waiting) {
      for (const picture of others.splice(0, tilesEach)) await answerTo(server, scan, picture);
      if ((await answerTo(server, scan, first)).headers.etag !== etag) waiting.delete(scan);
    }
    await pause(pollMs);
  }
  const names = new Set(scans.filter((scan) => !waiting.has(scan)).map(({ name }) => name));
  return { names, waitedMs: performance.now() - start };
}
