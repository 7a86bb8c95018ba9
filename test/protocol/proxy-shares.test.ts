/** How the example `deploy/nginx-many.conf` divides the images among servers, by nginx itself, when one of three leaves and comes back. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../fixtures/redis-server.ts';

const example = new URL('../../deploy/nginx-many.conf', import.meta.url);
const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-shares-'));
const images = 1000;

/** Each answers with its own number. */
let backends: Server[] = [];
let nginx: ChildProcess | undefined;
let base = '';

const listen = (server: Server, port = 0): Promise<unknown> =>
  new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)));
const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const backend = (number: number): Server => createServer((_request, response) => response.end(String(number)));

/** The example with three servers instead of two, on ports of this machine. */
function configuration(port: number, ports: readonly number[]): string {
  const servers = ports.map((one) => `server 127.0.0.1:${one} max_fails=1 fail_timeout=5s;`).join('\n  ');
  const text = readFileSync(example, 'utf8')
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace(/(?: *server lectern-\d:8080[^\n]*\n)+/, `  ${servers}\n`);
  writeFileSync(path.join(scratch, 'example.conf'), text);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${scratch}/${name};`,
  );
  const file = path.join(scratch, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${scratch}/pid; error_log ${scratch}/error.log;
events { worker_connections 256; }
http { access_log off; ${temporary.join(' ')} include ${scratch}/example.conf; }`,
  );
  return file;
}

beforeAll(async () => {
  backends = [0, 1, 2].map(backend);
  for (const server of backends) await listen(server);
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  const environment = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };
  nginx = spawn('nginx', ['-c', configuration(port, backends.map(portOf))], { env: environment, stdio: 'inherit' });
  nginx.once('error', (cause) => {
    throw new Error('nginx is missing: apt-get install nginx-light', { cause });
  });
  await vi.waitFor(async () => expect((await fetch(base)).status).toBe(200), { timeout: 20_000 });
});
afterAll(() => {
  nginx?.kill('SIGTERM');
  for (const server of backends) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(scratch, { recursive: true, force: true });
});

/** For each image the server that is asked for it. */
async function places(): Promise<readonly number[]> {
  const found: number[] = [];
  for (let from = 0; from < images; from += 50) {
    const answers = Array.from({ length: 50 }, async (_, index) => {
      const response = await fetch(`${base}/iiif/3/book%2Fp${from + index}.tif/info.json`);
      expect(response.status).toBe(200);
      return Number(await response.text());
    });
    found.push(...(await Promise.all(answers)));
  }
  return found;
}

const countOf = (found: readonly number[], server: number): number => found.filter((one) => one === server).length;

it('gives each of three servers about a third, moves only the images of one that leaves, and gives them back', async () => {
  const before = await places();
  const shares = [0, 1, 2].map((server) => countOf(before, server) / images);
  for (const share of shares) {
    expect(share).toBeGreaterThan(0.22);
    expect(share).toBeLessThan(0.45);
  }

  const leaving = backends[1];
  const port = leaving === undefined ? 0 : portOf(leaving);
  leaving?.closeAllConnections();
  await new Promise((resolve) => leaving?.close(resolve));
  const during = await places();
  expect(countOf(during, 1)).toBe(0);
  const moved = during.filter((server, index) => server !== before[index]).length;
  expect(moved).toBe(countOf(before, 1));
  // Both others take a part of it.
  for (const server of [0, 2]) expect(countOf(during, server)).toBeGreaterThan(countOf(before, server) + moved / 5);
  console.log(
    `shares ${shares.map((share) => `${Math.round(100 * share)} %`).join(', ')}; ${moved} of ${images} images moved, of those ${countOf(during, 0) - countOf(before, 0)} to the first and ${countOf(during, 2) - countOf(before, 2)} to the third`,
  );

  const back = backend(1);
  backends.splice(1, 1, back);
  await listen(back, port);
  await vi.waitFor(async () => expect(await places()).toEqual(before), { timeout: 30_000, interval: 1000 });
});
