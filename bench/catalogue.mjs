/** Measures a catalogue of very many objects in a computed store: see README.md. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { infoOf, searchOf, someImages, tileOf } from './lib/catalogue/addresses.mjs';
import { fill, sizesOf } from './lib/catalogue/filling.mjs';
import { writeInventory } from './lib/catalogue/inventory.mjs';
import { layoutsOf } from './lib/catalogue/keys.mjs';
import { summaryOf } from './lib/catalogue/measures.mjs';
import { startPostgres } from './lib/catalogue/postgres.mjs';
import {
  measureChange,
  measureFolders,
  measureImages,
  measurePages,
  measureSearches,
} from './lib/catalogue/serving.mjs';
import { BenchFailure } from './lib/failure.mjs';
import { fetchResponse } from './lib/http-client.mjs';
import { watchMemory } from './lib/memory.mjs';
import { cpuMs } from './lib/process-tree.mjs';
import { startWorker, stop, stopAllOnExit } from './lib/processes.mjs';
import { startLectern } from './lib/servers/lectern.mjs';
import { formatMb, formatMs, tableOf } from './lib/table.mjs';

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '300000' },
    folder: { type: 'string', default: path.join(process.env.TMPDIR ?? '/tmp', 'lectern-catalogue') },
    keep: { type: 'boolean', default: false },
  },
});
const keys = Number(values.keys);
const folder = path.resolve(values.folder);
const bucket = 'scans';
const token = 'told-by-the-store';
const layouts = layoutsOf(keys);

const table = tableOf([
  { title: 'answer', width: 48, left: true, cell: ({ name }) => name },
  { title: 'number', width: 6, cell: ({ count }) => String(count) },
  { title: 'p50', width: 8, cell: ({ p50 }) => formatMs(p50) },
  { title: 'p95', width: 8, cell: ({ p95 }) => formatMs(p95) },
  { title: 'max', width: 8, cell: ({ max }) => formatMs(max) },
  { title: 'CPU', width: 8, cell: ({ cpu }) => formatMs(cpu > 0 ? cpu : NaN) },
  { title: 'requests', width: 8, cell: ({ store }) => String(store.most) },
  { title: 'lists', width: 5, cell: ({ store }) => String(store.lists) },
  { title: 'memory', width: 8, cell: ({ bytes }) => formatMb(bytes) },
  { title: 'bytes', width: 8, cell: ({ store }) => String(store.bytes) },
]);
const lines = [];
const print = (line) => {
  lines.push(line);
  console.log(line);
};

/** A small scan whose levels libvips writes: the same one for all runs in the folder, since the catalogue has its size. */
async function pyramid() {
  const file = path.join(folder, 'image.tif');
  const noise = { type: 'gaussian', mean: 128, sigma: 30 };
  if (!existsSync(file))
    await sharp({ create: { width: 480, height: 640, channels: 3, background: 'gray', noise } })
      .tiff({ tile: true, pyramid: true, tileWidth: 256, tileHeight: 256, compression: 'jpeg', quality: 85 })
      .toFile(file);
  return readFileSync(file);
}

const textFile = (name, text) => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};

/** What reads the files of the database anew from the disk. */
function forgetPages(data) {
  for (const name of readdirSync(data, { recursive: true }).filter((one) => /^base\/\d+\/\d+/.test(one)))
    execFileSync('dd', [`if=${path.join(data, name)}`, 'iflag=nocache', 'count=0', 'status=none']);
}

async function run() {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const image = await pyramid();
  const inventoryFolder = path.join(folder, 'inventory');
  const manifest = path.join(inventoryFolder, 'manifest.json');
  if (!existsSync(manifest)) {
    const began = performance.now();
    const { bytes } = await writeInventory(inventoryFolder, { bucket, layouts, image, createdMs: Date.now() });
    print(`inventory: ${formatMb(bytes)}, written in ${formatMs(performance.now() - began)}`);
  }
  const store = startWorker('computed-store');
  const { endpoint } = await store.send({ kind: 'start', bucket, keys, image });
  let postgres = await startPostgres(path.join(folder, 'postgres'));
  const settings = () => ({
    // Texts of pages are not measured here.
    search: { refreshMinutes: 0 },
    catalogue: { postgres: postgres.address, notifications: true, eventsTokenFile: textFile('token', token) },
    objectStorage: {
      endpoint,
      pathStyle: true,
      accessKeyId: 'reader',
      secretAccessKeyFile: textFile('secret', 'secret'),
    },
  });
  const filledFile = path.join(folder, 'filled.json');
  if (!existsSync(filledFile)) {
    const file = textFile('fill.json', JSON.stringify({ library: { folders: [`s3://${bucket}`] }, ...settings() }));
    writeFileSync(filledFile, JSON.stringify(await fill(file, manifest)));
  }
  const filled = JSON.parse(readFileSync(filledFile, 'utf8'));
  const sizes = await sizesOf(postgres);
  const minutes = (seconds) => `${(seconds / 60).toFixed(1)} min`;
  print(
    `filled in ${minutes(filled.seconds)}: read in ${minutes(filled.readSeconds)} (${Math.round(keys / filled.readSeconds)} rows a second), ` +
      `sorted and indexed after ${minutes(filled.mergedSeconds)}; the command took ${formatMb(filled.memoryBytes)} of memory`,
  );
  print(`database: tables ${formatMb(sizes.tables)}, indexes ${formatMb(sizes.indexes)}`);
  for (const { name, bytes } of sizes.largest) print(`  ${name}: ${formatMb(bytes)}`);

  await postgres.close();
  forgetPages(path.join(folder, 'postgres/data'));
  postgres = await startPostgres(path.join(folder, 'postgres'));
  // The index of headers is there by default: the first requests of a run find it empty.
  const start = (name) => {
    const environment = { XDG_CACHE_HOME: path.join(folder, name, 'xdg') };
    return startLectern({ folder: `s3://${bucket}`, runFolder: folder, name, environment, settings: settings() });
  };
  for (const name of ['Lectern', 'other']) rmSync(path.join(folder, name), { recursive: true, force: true });
  let server = await start('Lectern');
  const pids = [server.pids[0], postgres.pid];
  const memory = watchMemory([{ name: 'Lectern', pids: [server.pids[0]] }]);
  print(`\n${table.head}`);
  async function row(name, work) {
    memory.during(name);
    const before = cpuMs(pids);
    const answers = await work();
    const { count, ...summary } = summaryOf(answers);
    const bytes = memory.peakOf('Lectern', name);
    print(table.row({ name, count, ...summary, bytes, cpu: (cpuMs(pids) - before) / count }));
    return answers;
  }
  const parts = { server, store, layouts, row, print };
  await measureSearches(parts, 'cold');
  await measureSearches(parts, 'warm');
  await measureImages(parts);
  await measureFolders(parts);
  await measurePages(parts);
  const peak = memory.stop().get('Lectern');
  print(`\nmemory: ${formatMb(peak.bytes)} at most, at: ${peak.row}`);
  print(peak.each.map(({ program, bytes }) => `${program} ${formatMb(bytes)}`).join(', '));

  const other = await start('other');
  const changes = [];
  for (let index = 0; index < 10; index++)
    changes.push(
      await measureChange(
        { server, other, store, bucket, image, token },
        `flat/ffffffff-ffff-4fff-8fff-${Date.now()}${index}.tif`,
      ),
    );
  print(`a new image is seen by another server after ${changes.map((ms) => formatMs(ms)).join(', ')}`);
  await other.close();

  const [known] = someImages(layouts[1], 1, 61);
  const [fresh] = someImages(layouts[1], 1, 63);
  process.kill(server.pids[0], 'SIGKILL');
  await store.send({ kind: 'take' });
  const began = performance.now();
  server = await start('Lectern');
  const since = [`listens ${formatMs(performance.now() - began)}`];
  for (const [name, address] of [
    ['a cached tile', tileOf(known)],
    ['a tile of a new image', tileOf(fresh)],
    ['info.json', infoOf(someImages(layouts[2], 1, 63)[0])],
    ['a search', searchOf('atlas')],
  ]) {
    const { status } = await fetchResponse(server.port, address);
    if (status !== 200) throw new BenchFailure(`After a restart ${address} is ${status}.`);
    since.push(`${name} ${formatMs(performance.now() - began)}`);
  }
  const { requests } = await store.send({ kind: 'take' });
  print(`after kill -9, since the start of the command: ${since.join(', ')}; requests: ${requests.join(', ')}`);
  await server.close();
  await stop(store.child);
  await postgres.close();
}

try {
  stopAllOnExit();
  await run();
  writeFileSync(path.join(import.meta.dirname, 'catalogue.txt'), `${lines.join('\n')}\n`);
  if (!values.keep) rmSync(folder, { recursive: true, force: true });
} catch (error) {
  console.error(error instanceof BenchFailure ? `\nbench: ${error.message}` : error);
  process.exit(1);
}
