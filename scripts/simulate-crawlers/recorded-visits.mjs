// What a viewer asked in one visit, with its times, and readers who ask exactly the same for other books and pages.
import { setTimeout as pause } from 'node:timers/promises';
import { openClient } from './client.mjs';
import { bookName, pageName, pagesPerBook } from './library.mjs';
import { openViewer } from './viewers.mjs';

/** As many as a browser opens to one host. */
const connections = 6;

const recordedBook = 0;

/** The first header of a request that tells what kind of page asks. */
const sentHeaders = ['accept', 'accept-language', 'user-agent', 'origin', 'referer'];

/** Records one visit: `[{ atMs, target, headers }]`. */
export async function recordVisit(browser, kind, address, places) {
  const requests = [];
  let startMs = performance.now();
  const onSent = (request) => {
    const url = request.url();
    if (!url.startsWith(`${places.origin}/`)) return;
    const given = request.headers();
    const headers = Object.fromEntries(sentHeaders.filter((name) => name in given).map((name) => [name, given[name]]));
    requests.push({ atMs: performance.now() - startMs, target: url.slice(places.origin.length), headers });
  };
  const viewer = await openViewer(browser, { kind, address, places, onSent });
  startMs = performance.now();
  await viewer.visit(recordedBook, 0);
  await viewer.close();
  return requests;
}

/** A recorded target for another book, and for pages that come so many after those that were recorded. */
export const targetFor = (target, book, shift) =>
  target
    .replaceAll(bookName(recordedBook), bookName(book))
    .replace(/p(\d\d)\.(?:jpg|tif)/g, (_, page) => pageName((Number(page) + shift) % pagesPerBook));

/** Whether the browser has it from the first visit on: files of the reading room, not of the library. */
const isPageFile = (target) =>
  /\.(?:js|css|woff2|svg|png|ico|webmanifest)(?:\?|$)/.test(target) && !target.includes('/iiif/');

/** A reader who repeats a visit; `onRequest` is called with each answer. */
export function openRecordedReader({ port, address, requests, onRequest }) {
  const client = openClient(port, connections);
  let visited = 0;
  return {
    async visit(book, first) {
      const sent = visited++ === 0 ? requests : requests.filter(({ target }) => !isPageFile(target));
      const startMs = performance.now();
      const asked = [];
      for (const { atMs, target: recorded, headers } of sent) {
        const waitMs = atMs - (performance.now() - startMs);
        if (waitMs > 0) await pause(waitMs);
        const target = targetFor(recorded, book, first);
        const asking = client.get(target, { ...headers, 'x-forwarded-for': address });
        asked.push(asking.then((answer) => onRequest({ target, ...answer })));
      }
      await Promise.all(asked);
    },
    close: () => client.close(),
  };
}
