/** The cost of files: a start, pages and lists of libraries with 1,000 to 1,000,000 files. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { fetchAnswer } from '../client.mjs';
import { BenchFailure } from '../failure.mjs';
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
  { title: 'known pn', width: 8, cell: ({ knownMs }) => formatMs(knownMs) },
  { title: 'dirInfo', width: 8, cell: ({ listMs }) => formatMs(listMs) },
  { title: 'peak memory', width: 11, cell: ({ peak }) => formatMb(peak.resident) },
  { title: 'shared once', width: 12, cell: ({ peak }) => formatMb(peak.sharedOnce) },
]);

/** One answer as JSON, and how many ms it took. */
async function ask(server, address) {
  const start = performance.now();
  const { status, body } = await fetchAnswer(server.port, address);
  const ms = performance.now() - start;
  if (status !== 200) throw new BenchFailure(`${address} is answered with status ${status}.`);
  return { ms, document: JSON.parse(body.toString('utf8')) };
}

const pageAddress = (page) => `/api/ImgInfo-json.jsp?fn=pages&pn=${page}`;

async function askPage(server, page) {
  const { ms, document } = await ask(server, pageAddress(page));
  const expected = `page-${String(page).padStart(6, '0')}.jpg`;
  if (document.filename !== expected || document.width !== pageSize.width) {
    throw new BenchFailure(`Page ${page} is ${document.filename}, ${document.width} pixels wide; not ${expected}.`);
  }
  return ms;
}

async function askList(server, pages) {
  const { ms, document } = await ask(server, '/api/dirInfo-json.jsp?fn=pages');
  if (document.files?.length === pages) return ms;
  throw new BenchFailure(`The list of the folder has ${document.files?.length} files, not ${pages}.`);
}

async function msEach(load, server, pages) {
  const question = { port: server.port, paths: pages.map(pageAddress), connections: 1 };
  const { answers, elapsedMs } = await load.once(question);
  return elapsedMs / answers;
}

async function measureCount(count, folder, load) {
  const { library, pages } = await makeManyFiles(folder, count);
  const server = await startLectern({ folder: library, runFolder: folder });
  const memory = watchMemory([server]);
  const middle = Math.ceil(pages / 2);
  const firstMs = await askPage(server, middle);
  const others = Array.from({ length: otherPages }, (_, index) => Math.ceil(((index + 0.3) * pages) / otherPages));
  const otherMs = await msEach(load, server, others);
  const knownMs = await msEach(load, server, Array(1000).fill(middle));
  const listMs = await askList(server, pages);
  const peak = memory.stop().get(server.name);
  await server.close();
  return { count, pages, startedMs: server.startedMs, firstMs, otherMs, knownMs, listMs, peak };
}

/** Measures each library with a server of its own; a library is removed before the next is made. */
export async function growFiles({ load, counts, runFolder }, report) {
  for (const count of counts) {
    const folder = path.join(runFolder, `files-${count}`);
    report(await measureCount(count, folder, load));
    await rm(folder, { recursive: true });
  }
}
