// Sends thousands of valid and invalid requests in random order to the real command, and fails where a response is 5xx, an
// error is logged, or memory grows. The same requests are sent in several rounds, each in another order, to distinguish
// the memory that a single large picture needs once from memory that is never released.
// Usage: npm run soak [-- COUNT [SEED]]
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { randomNumbers, shuffled } from '../test/fixtures/files/random.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const images = (name) => `${root}test/fixtures/golden/images/${name}`;
const count = Number(process.argv[2] ?? 10_000);
const seed = Number(process.argv[3] ?? 1);
const connections = 8;
const rounds = 10;

const random = randomNumbers(seed);
const pick = (list) => list[Math.floor(random() * list.length)];
const maybe = (chance, text) => (random() < chance ? text() : '');

const names = [
  'photos/odd1201x799',
  'photos/tiny100x80.jpg',
  'photos/port641x1003',
  'photos/exif6_800x533',
  'photos/cmyk500x400',
  'photos/gray900x675',
  'photos/progressive801x600',
  'png/rgba640x480',
  'png/gray16_400x300',
  'png/bitonal600x848',
  'png/palette512x384',
  'tiff/tiled1500x1001',
  'tiff/g4_1000x1414',
  'tiff/lzw1500x1001',
  'gif/anim0_320x240',
  'sort',
  'books/book1',
  'books/book2/leaf02',
  'names/with space',
  'names/ünïcödé 漢字',
  'names/quote"s',
  'nested/a/b/c/deep',
  'broken/empty',
  'broken/garbage',
  'broken/truncated',
  'broken/wrongext',
  'nosuch',
  '..',
  'photos/..',
  '%2e%2e',
  '',
  '/',
  '\0',
  'a\\b',
  '/etc/passwd',
  '.hidden',
];
const numbers = [
  '0',
  '1',
  '2',
  '17',
  '100',
  '300',
  '0.5',
  '-1',
  '1e9',
  'NaN',
  '',
  'abc',
  '0.001',
  '1e-9',
  '99999999999',
  '１',
];
const options = [
  'fit',
  'crop',
  'fill',
  'squeeze',
  'clip',
  'osize',
  'ascale',
  'hmir',
  'vmir',
  'png',
  'jpg',
  'webp',
  'pxarea',
  'sqarea',
  'hires',
  'lores',
  'errtxt',
  'errcode',
  'file',
  'rawfile',
  'q0',
  'q1',
  'bogus',
  '',
];
const fields = ['dw', 'dh', 'wx', 'wy', 'ww', 'wh', 'rot', 'scale', 'pn', 'ddpi', 'brgt', 'cont', 'ws', 'rgbm', 'rgba'];

function digilibQuery() {
  const separator = pick(['&', '&', '&', '&', ';', '&amp;']);
  const parts = [`fn=${encodeURIComponent(pick(names))}`];
  if (random() < 0.8) parts.push(`dw=${Math.floor(20 + random() * 400)}`);
  for (let extra = Math.floor(random() * 4); extra > 0; extra--) parts.push(`${pick(fields)}=${pick(numbers)}`);
  parts.push(maybe(0.5, () => `mo=${pick(options)},${pick(options)}`));
  return parts.filter(Boolean).join(separator);
}

const region = () =>
  pick(['full', 'square', '0,0,512,512', '100,50,200,300', 'pct:10,10,50,50', '5000,0,1,1', '0,0,0,0', 'x', '1,2,3']);
const size = () =>
  pick(['max', 'full', '200,', ',150', '!100,100', '50,80', 'pct:30', '^700,', '0,', '9999999,', 'x', '^']);
const rotation = () => pick(['0', '90', '!180', '22.5', '360', '361', '-1', 'x']);
const quality = () => pick(['default.jpg', 'gray.png', 'bitonal.webp', 'color.jpg', 'default.bmp', 'x', '.jpg']);
const identifier = () => encodeURIComponent(pick(names)).replaceAll('%2F', pick(['!', '%2F', '%2F', '/']));
const iiifPrefix = () =>
  pick(['/iiif/3', '/iiif/2', '/iiif/1', '/Scaler/IIIF', '/Scaler/IIIF/3', '/servlet/Scaler/IIIF/2', '/iiif/9']);

const kinds = [
  () => `/Scaler?${digilibQuery()}`,
  () => `/servlet/Scaler/${encodeURI(pick(names))}?${digilibQuery()}`,
  () => `/api/dlInfo-json.jsp?${digilibQuery()}`,
  () => `/api/dlInfo-json.jsp?${pick(names.slice(0, 5))}+${pick(numbers)}+1+fit`,
  () => `${iiifPrefix()}/${identifier()}/info.json`,
  () => `${iiifPrefix()}/${identifier()}/${region()}/${size()}/${rotation()}/${quality()}`,
  () => `${iiifPrefix()}/${identifier()}`,
  () =>
    `/presentation/${pick(['3', '2', '4'])}/${encodeURI(pick(names))}/${pick(['manifest.json', 'collection.json', 'canvas/x', 'x'])}`,
  () =>
    `/Manifester/IIIF${pick(['', '/2', '/3'])}/${identifier()}${pick(['', '/manifest', '/sequence/default', '/canvas/p1'])}`,
  () =>
    pick([
      '/',
      '/nosuch',
      '/%zz',
      '//',
      '/api/',
      '/Scaler/%C3',
      `/Scaler?${'x=1&'.repeat(200)}`,
      `/Scaler?${'x'.repeat(9000)}`,
    ]),
];

const method = () => pick(['GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE']);

function makeRequest() {
  const target = pick(kinds)().replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character));
  // One request in a hundred is aborted before its response arrives.
  return { target, verb: method(), abortAfterMs: random() < 0.01 ? random() * 20 : undefined };
}

function send(port, agent, { target, verb, abortAfterMs }) {
  return new Promise((resolve) => {
    const request = http.request({ host: '127.0.0.1', port, path: target, method: verb, agent }, (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode, target, verb }));
      response.on('error', () => resolve({ status: 'cut off', target, verb }));
    });
    request.setTimeout(30_000, () => request.destroy());
    request.on('error', (error) => resolve({ status: error.code ?? error.message, target, verb }));
    if (abortAfterMs !== undefined) setTimeout(() => request.destroy(), abortAfterMs);
    request.end();
  });
}

/** Resident memory in MiB. */
function memoryOf(pid) {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

async function main() {
  const server = spawn(process.execPath, [`${root}bin/lectern.cjs`, images('hires'), images('scaled'), '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.once('exit', () => server.kill());
  const log = [];
  server.stderr.on('data', (chunk) => log.push(...String(chunk).trim().split('\n')));
  const port = await new Promise((resolve) => {
    let output = '';
    server.stdout.on('data', (chunk) => {
      output += chunk;
      for (const line of String(chunk).split('\n')) if (line.startsWith('{')) log.push(line);
      const found = /Start page +http:\/\/[^:]+:(\d+)\//.exec(output);
      if (found) resolve(Number(found[1]));
    });
  });
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const statuses = {};
  const bad = [];
  const memory = [];
  const requests = Array.from({ length: Math.ceil(count / rounds) }, makeRequest);
  const started = performance.now();
  for (let round = 0; round < rounds; round++) {
    const left = shuffled(requests, seed + round);
    const sendAll = async () => {
      for (let request = left.pop(); request; request = left.pop()) {
        const answer = await send(port, agent, request);
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        if (typeof answer.status === 'number' && answer.status >= 500 && answer.status !== 501) bad.push(answer);
      }
    };
    await Promise.all(Array.from({ length: connections }, sendAll));
    memory.push(memoryOf(server.pid));
  }
  const seconds = (performance.now() - started) / 1000;
  const alive = server.exitCode === null;
  const errors = log.filter((line) => !line.startsWith('{') || JSON.parse(line).level >= 50);
  const [middle = 0, end = 0] = [memory[rounds / 2 - 1], memory.at(-1)];
  console.log(`${requests.length * rounds} requests in ${seconds.toFixed(0)} s: ${JSON.stringify(statuses)}`);
  console.log(`memory in MiB after each round: ${memory.join(' ')}`);
  console.log(
    `answers of 500 and above: ${bad.length}; error lines in the log: ${errors.length}; still serving: ${alive}`,
  );
  for (const { status, verb, target } of bad.slice(0, 5)) console.log(`  ${status} ${verb} ${target}`);
  for (const line of errors.slice(0, 5)) console.log(`  ${line}`);
  server.kill();
  const flat = end <= middle * 1.15 + 20;
  if (!flat) console.log('memory grew in the second half');
  process.exit(bad.length === 0 && errors.length === 0 && alive && flat ? 0 : 1);
}

await main();
