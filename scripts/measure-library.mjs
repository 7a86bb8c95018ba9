// Measures the times and the memory of large libraries: one folder of many pages, and many folders.
// Usage: npm run build && node scripts/measure-library.mjs [FOLDERS] [IMAGES]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createApp } from '../dist/app/app.js';
import { readSettings } from '../dist/config/configuration.js';
import { parseIdentifier } from '../dist/core/image/model/identifier.js';
import { MetadataIndex } from '../dist/core/library/index/metadata-index.js';
import { Library } from '../dist/core/library/library.js';

const { positionals } = parseArgs({ allowPositionals: true });
const [folderCount = 100, imageCount = 1000] = positionals.map(Number);
const pageCount = 100_000;
const concurrency = 16;
const memoryBytes = 64 * 2 ** 20;
const onePixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-measure-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
const numbered = (name, number) => `${name}${String(number).padStart(6, '0')}`;

function makeFolder(folder, count) {
  mkdirSync(path.join(scratch, folder), { recursive: true });
  for (let page = 0; page < count; page++)
    writeFileSync(path.join(scratch, folder, `${numbered('page', page)}.jpg`), onePixel);
}

async function timed(label, work, times = 1) {
  const startedMs = performance.now();
  for (let round = 0; round < times; round++) await work(round);
  console.log(`${label.padEnd(52)} ${((performance.now() - startedMs) / times).toFixed(3).padStart(10)} ms`);
}

function open(root) {
  const store = new MetadataIndex({
    directory: path.join(scratch, 'index'),
    maxBytes: 2 ** 30,
    onFault: console.error,
  });
  const library = new Library({
    roots: [path.join(scratch, root)],
    followLinksOutside: false,
    orientation: 'apply',
    onUnreadable: console.error,
    store,
    maxMemoryBytes: memoryBytes,
  });
  return { library, close: () => store.close() };
}

async function describe(library, name, page = 1) {
  const located = await library.locate(parseIdentifier(name), page);
  await library.imageMetadata(located);
  return library.describe(located);
}

async function measurePages() {
  makeFolder('large/book', pageCount);
  await new Promise((resolve) => setTimeout(resolve, 2500));
  for (const phase of ['first', 'after a restart']) {
    console.log(`\nOne folder of ${pageCount} pages, ${phase}`);
    const { library, close } = open('large');
    const pn = (page) => library.locate(parseIdentifier('book'), page);
    await timed('pn, not cached', () => pn(pageCount / 2));
    await timed('pn, cached', (round) => pn(1 + round * 37), 2000);
    await timed('a name without extension, not cached', () => library.locate(parseIdentifier('book/page000001'), 1));
    await timed(
      'a name without extension, cached',
      (round) => library.locate(parseIdentifier(`book/${numbered('page', round * 37)}`), 1),
      2000,
    );
    await close();
  }
  const settings = readSettings(
    { library: { folders: [path.join(scratch, 'large')] }, render: { processes: 0 }, index: { directory: false } },
    {},
    undefined,
  );
  const { server } = await createApp(settings);
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  const list = async () => (await fetch(`${address}/api/dirInfo-json.jsp?fn=book`)).json();
  await timed('dirInfo of all pages, not cached', list);
  await timed('dirInfo of all pages, cached', list, 5);
  await server.close();
}

async function visitAll(library) {
  for (let folder = 0; folder < folderCount; folder++) {
    for (let page = 0; page < imageCount; page += concurrency) {
      const pages = Array.from({ length: Math.min(concurrency, imageCount - page) }, (_, index) => page + index);
      await Promise.all(pages.map((one) => describe(library, `${numbered('book', folder)}/${numbered('page', one)}`)));
    }
  }
}

async function measureFolders() {
  for (let folder = 0; folder < folderCount; folder++) makeFolder(`many/${numbered('book', folder)}`, imageCount);
  await new Promise((resolve) => setTimeout(resolve, 2500));
  for (const phase of ['first', 'after a restart']) {
    console.log(`\n${folderCount} folders of ${imageCount} images, ${phase}`);
    let opened;
    await timed('opened, and one image', async () => {
      opened = open('many');
      await describe(opened.library, `${numbered('book', folderCount - 1)}/page000000`);
    });
    await timed('all images', () => visitAll(opened.library));
    const { folders, files } = opened.library.load();
    const memory = Math.round(process.memoryUsage.rss() / 2 ** 20);
    console.log(
      `cached: ${folders.folders} folders, ${files.files} images; resident memory of the process: ${memory} MiB`,
    );
    await opened.close();
  }
}

await measurePages();
await measureFolders();
