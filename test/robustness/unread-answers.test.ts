/**
 * Clients that ask for much and read nothing, against the real command in a cgroup of 1 GB: it is never killed, serves the
 * next requests, and cuts the clients off (survive.md, "Load and faults").
 */
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConfinedServer, startConfinedServer } from '../fixtures/confined-server.ts';

const pages = 1900;
const folder = mkdtempSync(path.join(tmpdir(), 'lectern-unread-'));
const inFolder = (name: string): string => path.join(folder, name);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let server: ConfinedServer;
const sockets: Socket[] = [];

async function writeImages(): Promise<void> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const scan = sharp({ create: { width: 3000, height: 2000, channels: 3, background: 'gray', noise } });
  const small = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'blue' } })
    .jpeg()
    .toBuffer();
  writeFileSync(inFolder('scan.jpg'), await scan.jpeg({ quality: 90 }).toBuffer());
  writeFileSync(inFolder('7mb.jpg'), Buffer.concat([small], 7_000_000));
  writeFileSync(inFolder('100mb.jpg'), small);
  truncateSync(inFolder('100mb.jpg'), 100_000_000);
  mkdirSync(inFolder('book'));
  for (let page = 0; page < pages; page++) {
    writeFileSync(inFolder(`book/page-${String(page).padStart(5, '0')}-of-a-book-with-a-long-name.jpg`), small);
  }
}

/** Requests a path and reads the whole answer: its status, and the ms that it took. */
function ask(address: string): Promise<{ status: number; ms: number }> {
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    const request = get(`${server.url}${address}`, { agent: false }, (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, ms: performance.now() - startMs }));
    });
    request.setTimeout(20_000, () => request.destroy(new Error('no answer within 20 s')));
    request.on('error', reject);
  });
}

const requestOf = (address: string): string => `GET ${address} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** Opens connections that send these bytes each and read nothing. */
async function attack(connections: number, bytesFor: (index: number) => string): Promise<void> {
  for (let index = 0; index < connections; index++) {
    const socket = connect({ host: '127.0.0.1', port: server.port });
    socket.on('error', () => undefined);
    socket.pause();
    sockets.push(socket);
    const bytes = bytesFor(index);
    if (bytes !== '') socket.write(bytes);
    if (index % 100 === 99) await pause(20);
  }
}

/** The value of a metric of the server. */
async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** One document is written whatever its size, as soon as there is some room. */
const largestDocument = 8e6;

let asked = 0;

/** Asks for a new thumbnail every 200 ms for some seconds, and prints what the attack did. */
async function expectAnswers(label: string, seconds: number): Promise<void> {
  const answers: { status: number; ms: number }[] = [];
  let [peak, waiting] = [0, 0];
  for (const endMs = performance.now() + seconds * 1000; performance.now() < endMs; ) {
    answers.push(await ask(`/Scaler?fn=scan.jpg&dw=${100 + (asked++ % 300)}`));
    peak = Math.max(peak, server.group.anonymousBytes());
    waiting = Math.max(waiting, await metric('lectern_outgoing_bytes'));
    await pause(200);
  }
  const slowestMs = Math.round(Math.max(...answers.map(({ ms }) => ms)));
  console.log(
    `${label}: ${answers.length} further requests, the slowest ${slowestMs} ms; ` +
      `processes ${Math.round(peak / 1e6)} MB, with the pages of files ${Math.round(server.group.peakUsageBytes() / 1e6)} MB`,
  );
  expect(server.isUnharmed()).toBe(true);
  expect(waiting).toBeLessThan((await metric('lectern_outgoing_max_bytes')) + largestDocument);
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  // A second on a machine that does nothing else; the attack itself needs a core.
  expect(slowestMs).toBeLessThan(20_000);
}

/** The number of sockets that the server has open. */
const openSockets = (): number => {
  const descriptors = `/proc/${server.pid}/fd`;
  return readdirSync(descriptors).filter((descriptor) => {
    try {
      return readlinkSync(`${descriptors}/${descriptor}`).startsWith('socket:');
    } catch {
      return false;
    }
  }).length;
};

const attacks: readonly (readonly [label: string, connections: number, bytesFor: (index: number) => string])[] = [
  ['300 pipelined requests for a file of 7 MB', 1, () => requestOf('/Scaler?fn=7mb.jpg&mo=rawfile').repeat(300)],
  ['300 connections for a file of 7 MB', 300, () => requestOf('/Scaler?fn=7mb.jpg&mo=rawfile')],
  ['300 connections for a file of 100 MB', 300, () => requestOf('/Scaler?fn=100mb.jpg&mo=rawfile')],
  ['300 connections for a folder list', 300, () => requestOf('/api/dirInfo-json.jsp?fn=book').repeat(12)],
  ['300 connections for a manifest', 300, () => requestOf('/presentation/3/book/manifest.json').repeat(5)],
  ['300 connections for distinct pictures', 300, (n) => requestOf(`/Scaler?fn=scan.jpg&dw=${2000 + 3 * n}`).repeat(5)],
  ['10,000 connections that send nothing', 10_000, () => ''],
];

describe('a server of 1 GB whose clients read nothing', { tags: 'memory-cgroup' }, () => {
  let own = 0;

  beforeAll(async () => {
    await writeImages();
    server = await startConfinedServer({
      memoryBytes: 2 ** 30,
      folders: [folder],
      env: { LECTERN_RENDER__PROCESSES: '2' },
    });
    expect((await ask('/presentation/3/book/manifest.json')).status).toBe(200);
    expect((await ask('/Scaler?fn=scan.jpg&dw=90')).status).toBe(200);
    own = openSockets();
  });
  afterAll(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [label, connections, bytesFor] of attacks) {
    it(`lives through ${label}, and serves the next requests`, async () => {
      await attack(connections, bytesFor);
      await expectAnswers(label, 5);
    });
  }

  it('has cut off all of them when they have no request', async () => {
    // Each of five requests for a picture that waits on a connection can take until its deadline.
    await expect.poll(openSockets, { timeout: 120_000, interval: 500 }).toBeLessThanOrEqual(own + 4);
    await expectAnswers('afterwards', 1);
  });
});
