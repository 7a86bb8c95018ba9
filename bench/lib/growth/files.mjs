/** Measures start, pages and listings of libraries with 1,000 to 1,000,000 files. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { BenchFailure } from '../failure.mjs';
import { fetchResponse } from '../http-client.mjs';
import { watchMemory } from '../memory.mjs';
import { startLectern } from '../servers/lectern.mjs';
import { formatMb, formatMs, tableOf } from '../table.mjs';
import { makeManyFiles, pageSize } from './many-files.mjs';

const otherPages = 200;

export const fileTable = tableOf([
  { title: 'files', width: 9, cell: ({ count }) => count.toLocaleString('en') },
  { title: 'pages', width: 7, cell: ({ pages }) => pages.toLocaleString('en') },
  { title: 'to listen', width: 9, cell: ({ startedMs }) => formatMs(startedMs) },
  { title: 'first pn', width: 8, cell: ({ firstMs }) => formatMs(firstMs) },
  { title: 'another pn', width: 10, cell: ({ otherMs }) => formatMs(otherMs) },
  { title: 'cached pn', width: 9, cell: ({ cachedMs }) => formatMs(cachedMs) },
  { title: 'dirInfo', width: 8, cell: ({ listMs }) => formatMs(listMs) },
  { title: 'peak memory', width: 11, cell: ({ peak }) => formatMb(peak.resident) },
  { title: 'shared once', width: 12, cell: ({ peak }) => formatMb(peak.sharedOnce) },
]);

/** Resolves to a response as JSON, and the ms that it took. */
async function request(server, address) {
  const start = performance.now();
  const { status, body } = await fetchResponse(server.port, address);
  const ms = performance.now() - start;
  if (status !== 200) throw new BenchFailure(`${address} is answered with status ${status}.`);
  return { ms, document: JSON.parse(body.toString('utf8')) };
}

const pageAddress = (page) => `/api/ImgInfo-json.jsp?fn=pages&pn=${page}`;

async function requestPage(server, page) {
  const { ms, document } = await request(server, pageAddress(page));
  const expected = `page-${String(page).padStart(6, '0')}.jpg`;
  if (document.filename !== expected || document.width !== pageSize.width) {
    throw new BenchFailure(`Page ${page} is ${document.filename}, ${document.width} pixels wide; not ${expected}.`);
  }
  return ms;
}

async function requestListing(server, pages) {
  const { ms, document } = await request(server, '/api/dirInfo-json.jsp?fn=pages');
  if (document.files?.length === pages) return ms;
  throw new BenchFailure(`The list of the folder has ${document.files?.length} files, not ${pages}.`);
}

async function msEach(load, server, pages) {
  const options = { port: server.port, paths: pages.map(pageAddress), connections: 1 };
  const { answers, elapsedMs } = await load.unique(options);
  return elapsedMs / answers;
}

async function measureCount(count, folder, load) {
  const { library, pages } = await makeManyFiles(folder, count);
  const server = await startLectern({ folder: library, runFolder: folder });
  const memory = watchMemory([server]);
  const middle = Math.ceil(pages / 2);
  const firstMs = await requestPage(server, middle);
  const others = Array.from({ length: otherPages }, (_, index) => Math.ceil(((index + 0.3) * pages) / otherPages));
  const otherMs = await msEach(load, server, others);
  const cachedMs = await msEach(load, server, Array(1000).fill(middle));
  const listMs = await requestListing(server, pages);
  const peak = memory.stop().get(server.name);
  await server.close();
  return { count, pages, startedMs: server.startedMs, firstMs, otherMs, cachedMs, listMs, peak };
}

/** Measures each library with a new server, and removes it before the next one is made. */
export async function measureFileGrowth({ load, counts, runFolder }, report) {
  for (const count of counts) {
    const folder = path.join(runFolder, `files-${count}`);
    report(await measureCount(count, folder, load));
    await rm(folder, { recursive: true });
  }
}
