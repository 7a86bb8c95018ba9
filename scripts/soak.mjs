// Sends valid and invalid requests in random order to the real command for some minutes, and prints what became of them by
// class, and what the server and its render processes held over time. It fails where an answer is a 500 or 504 or cut off, an
// error is logged, the server ends, memory or descriptors grow, or temporary files are left.
// Usage: npm run soak -- [--minutes N] [--connections N] [--seed N]
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { randomIntegers } from '../test/fixtures/files/random.mjs';
import { runLoad, tableOf } from '../test/fixtures/load/generator.mjs';
import { figuresOf, isFlat } from './soak/process-figures.mjs';
import { largeSize, soakRequests } from './soak/requests.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const golden = (name) => `${root}test/fixtures/golden/images/${name}`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    connections: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
  },
});
const [minutes, connections, seed] = [values.minutes, values.connections, values.seed].map(Number);
if (!(minutes > 0) || !(connections >= 1) || !Number.isInteger(seed)) {
  console.error('Usage: npm run soak -- [--minutes N] [--connections N] [--seed N]');
  process.exit(2);
}

/** Distinct requests: few enough that they repeat within minutes, so that what is kept of each one has its limit by then. */
const distinct = 3000;
const samples = 24;
/** In less time, caches still fill, and nothing can be said of growth. */
const minutesToJudge = 2;

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-soak-'));
const folders = Object.fromEntries(['cache', 'large', 'tmp'].map((name) => [name, path.join(scratch, name)]));

/** Pictures that are large enough for pyramids, with some texture. */
async function makeImages() {
  for (const folder of Object.values(folders)) mkdirSync(folder);
  const names = ['one.png', 'two.tif', 'three.jpg', 'four.png'];
  for (const [index, name] of names.entries()) {
    const random = randomIntegers(seed + index);
    const texture = Buffer.from(Uint8Array.from({ length: 300 * 225 * 3 }, () => random() % 256));
    const image = sharp(texture, { raw: { width: 300, height: 225, channels: 3 } }).resize(
      largeSize.width,
      largeSize.height,
    );
    await image.toFile(path.join(folders.large, name));
  }
  return names.map((name) => `large!${name}`);
}

/** Starts the command, and resolves when it serves. The log has the lines that are JSON or went to standard error. */
async function startServer() {
  const log = [];
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:PORT|HOST|LECTERN_.*)$/.test(name))),
    XDG_CACHE_HOME: folders.cache,
    TMPDIR: folders.tmp,
    LECTERN_CACHE__MEMORY_BYTES: String(16 * 2 ** 20),
    LECTERN_CACHE__MAX_BYTES: String(64 * 2 ** 20),
    LECTERN_LIBRARY__VIRTUAL_FOLDERS: JSON.stringify([{ link: 'large', folder: folders.large }]),
  };
  const server = spawn(process.execPath, [`${root}bin/lectern.cjs`, golden('hires'), golden('scaled'), '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.once('exit', () => server.kill('SIGKILL'));
  const ended = new Promise((resolve) => server.once('exit', (code, signal) => resolve({ code, signal })));
  server.stderr.on('data', (chunk) => log.push(...String(chunk).trim().split('\n')));
  const port = await new Promise((resolve, reject) => {
    let output = '';
    server.stdout.on('data', (chunk) => {
      output += chunk;
      for (const line of String(chunk).split('\n')) if (line.startsWith('{')) log.push(line);
      const found = /Start page +http:\/\/[^:]+:(\d+)\//.exec(output);
      if (found) resolve(Number(found[1]));
    });
    void ended.then(() => reject(new Error(`the server does not serve:\n${log.join('\n')}`)));
  });
  return { server, port, log, ended };
}

function printSeries(series) {
  console.log('\n  second  server MiB  children MiB  children  descriptors  of children  temporary files');
  for (const {
    second,
    serverMiB,
    childrenMiB,
    children,
    serverDescriptors,
    childrenDescriptors,
    temporaryFiles,
  } of series) {
    const cells = [second, serverMiB, childrenMiB, children, serverDescriptors, childrenDescriptors, temporaryFiles];
    console.log(
      cells.map((cell, column) => String(Math.round(cell)).padStart([8, 12, 14, 10, 13, 13, 17][column])).join(''),
    );
  }
}

async function main() {
  const large = await makeImages();
  const { server, port, log, ended } = await startServer();
  const requests = soakRequests(large, distinct, seed);
  const random = randomIntegers(seed);
  const series = [];
  const startMs = performance.now();
  const sample = () => ({
    second: (performance.now() - startMs) / 1000,
    ...figuresOf(server.pid, { cache: folders.cache, scratch: folders.tmp }),
  });
  const timer = setInterval(() => series.push(sample()), (minutes * 60_000) / samples);
  const result = await runLoad({
    port,
    connections,
    seconds: minutes * 60,
    isStopped: () => server.exitCode !== null || server.signalCode !== null,
    next: () => requests[random() % requests.length],
    onAnswer: (_, { status }) =>
      typeof status === 'string'
        ? status === 'aborted'
          ? undefined
          : 'no answer'
        : status < 500 || status === 501 || status === 503
          ? undefined
          : 'a server error',
  });
  clearInterval(timer);
  const isAlive = server.exitCode === null && server.signalCode === null;
  // What goes on for clients that went away, and pyramids that are being built, come to their end.
  let idle = sample();
  for (let seconds = 0; isAlive && seconds < 60 && idle.temporaryFiles > 0; seconds++) {
    await pause(1000);
    idle = sample();
  }
  const stopMs = performance.now();
  server.kill('SIGTERM');
  const { code } = await ended;
  const errors = log.filter((line) => !line.startsWith('{') || JSON.parse(line).level >= 50);

  console.log(`${minutes} minutes, ${connections} connections, seed ${seed}\n`);
  console.log(tableOf(result));
  printSeries([...series, idle]);
  const isLong = minutes >= minutesToJudge;
  if (!isLong)
    console.log(`\nOnly runs of ${minutesToJudge} minutes and more judge whether memory and descriptors grow.`);
  const faults = [
    [result.faults > 0, `${result.faults} answers were server errors, cut off, or missing`],
    [errors.length > 0, `${errors.length} errors were logged`],
    [!isAlive, 'the server ended'],
    [
      isAlive && (code !== 0 || performance.now() - stopMs > 20_000),
      `SIGTERM ended it with ${code} after ${Math.round((performance.now() - stopMs) / 1000)} s`,
    ],
    [isLong && !isFlat(series, 'serverMiB', 10, 25), 'the memory of the server grows'],
    [isLong && !isFlat(series, 'childrenMiB', 15, 60), 'the memory of its children grows'],
    [isLong && !isFlat(series, 'serverDescriptors', 10, 15), 'the descriptors of the server grow in number'],
    [isLong && !isFlat(series, 'childrenDescriptors', 10, 15), 'the descriptors of its children grow in number'],
    [idle.temporaryFiles > 0, `${idle.temporaryFiles} temporary files are left`],
  ].filter(([isFault]) => isFault);
  for (const line of [...result.examples, ...errors.slice(0, 5)]) console.log(`  ${line.slice(0, 500)}`);
  console.log(faults.length === 0 ? '\nNo faults.' : `\nFaults: ${faults.map(([, text]) => text).join('; ')}.`);
  rmSync(scratch, { recursive: true, force: true });
  process.exit(faults.length === 0 ? 0 : 1);
}

await main();
