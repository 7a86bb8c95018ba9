/** How the examples of nginx and Varnish in `deploy` divide the images among servers, by the programs themselves, when one of three leaves and comes back. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { findProgram } from '../../scripts/test-needs.mjs';
import { freePort } from '../fixtures/redis-server.ts';

const deploy = new URL('../../deploy/', import.meta.url);
const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-shares-'));
const images = 1000;

/** Each answers with its own number. */
let backends: Server[] = [];
let proxy: ChildProcess | undefined;
let base = '';

const listen = (server: Server, port = 0): Promise<unknown> =>
  new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)));
const portOf = (server: Server): number => (server.address() as AddressInfo).port;
/** Nothing is stored by the proxy, so that each request reaches a server. */
const backend = (number: number): Server =>
  createServer((_request, response) => response.setHeader('cache-control', 'no-store').end(String(number)));

/** Writes the configuration of a proxy: the example with three servers instead of two, on ports of this machine. Returns its arguments. */
type Configure = (port: number, ports: readonly number[]) => readonly string[];

const readExample = (name: string): string => readFileSync(new URL(name, deploy), 'utf8');

function write(name: string, text: string): string {
  const file = path.join(scratch, name);
  writeFileSync(file, text);
  return file;
}

const proxies: Readonly<Record<'nginx' | 'varnishd', Configure>> = {
  nginx(port, ports) {
    const servers = ports.map((one) => `server 127.0.0.1:${one} max_fails=1 fail_timeout=5s;`).join('\n  ');
    const text = readExample('nginx-many.conf')
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replace(/(?: *server lectern-\d:8080[^\n]*\n)+/, `  ${servers}\n`);
    write('example.conf', text);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${scratch}/${name};`,
    );
    const file = write(
      'nginx.conf',
      `daemon off; master_process off; pid ${scratch}/pid; error_log ${scratch}/error.log;
events { worker_connections 256; }
http { access_log off; ${temporary.join(' ')} include ${scratch}/example.conf; }`,
    );
    return ['-c', file];
  },
  varnishd(port, ports) {
    const third = `backend lectern_3 {\n  .host = "127.0.0.1";\n  .port = "${ports[2]}";\n  .probe = ready;\n}\n`;
    const text = readExample('varnish.vcl')
      .replace('"8081"', `"${ports[0]}"`)
      .replace('"8082"', `"${ports[1]}"`)
      .replace('sub vcl_init {', `${third}\nsub vcl_init {`)
      .replace(/( *servers\.add_backend\(lectern_)2\);\n/, '$12);\n$13);\n');
    const address = ['-a', `127.0.0.1:${port}`, '-n', path.join(scratch, 'varnish')];
    return ['-F', '-j', 'none', '-s', 'malloc,16m', ...address, '-f', write('example.vcl', text)];
  },
};

/** Starts a proxy before three servers; the second test begins with none of the first. */
async function start(program: keyof typeof proxies): Promise<void> {
  backends = [0, 1, 2].map(backend);
  for (const server of backends) await listen(server);
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  const args = proxies[program](port, backends.map(portOf));
  proxy = spawn(findProgram(program) ?? program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  await vi.waitFor(async () => expect((await fetch(base)).status).toBe(200), { timeout: 30_000 });
}
afterEach(async () => {
  const ended = new Promise((resolve) => proxy?.once('exit', resolve));
  proxy?.kill('SIGTERM');
  await ended;
  for (const server of backends) {
    server.closeAllConnections();
    server.close();
  }
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

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

describe('nginx', { tags: 'nginx' }, () => contract('nginx'));
describe('varnishd', { tags: 'varnish' }, () => contract('varnishd'));

function contract(program: keyof typeof proxies): void {
  it('gives each of three servers about a third, moves only the images of one that leaves, and gives them back', async () => {
    await start(program);
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
      `${program}: shares ${shares.map((share) => `${Math.round(100 * share)} %`).join(', ')}; ${moved} of ${images} images moved, of those ${countOf(during, 0) - countOf(before, 0)} to the first and ${countOf(during, 2) - countOf(before, 2)} to the third`,
    );

    const back = backend(1);
    backends.splice(1, 1, back);
    await listen(back, port);
    await vi.waitFor(async () => expect(await places()).toEqual(before), { timeout: 30_000, interval: 1000 });
  });

  it('sends all requests for an image to one server: by each API, with a token, of a form, and with parameters in any place', async () => {
    await start(program);
    const serverOf = async (address: string, init: RequestInit = {}): Promise<string> => {
      const response = await fetch(base + address, init);
      expect(response.status, address).toBe(200);
      return response.text();
    };
    const seen = new Set<string>();
    for (let index = 0; index < 24; index++) {
      const name = `b%C3%BCcher%2Fband ${index}%2Fp1.tif`.replace(' ', '%20');
      const found = await Promise.all([
        serverOf(`/iiif/3/${name}/info.json`),
        serverOf(`/iiif/3/${name}/0,0,512,512/512,512/0/default.jpg`),
        serverOf(`/digilib/iiif/2/${name}/full/max/0/default.jpg?token=secret`),
        serverOf(`/iiif/3/${name}/full/max/0/default.jpg`, { headers: { authorization: 'Bearer secret' } }),
        serverOf(`/Scaler?fn=${name}&dw=50`),
        serverOf(`/servlet/Scaler?dw=50&fn=${name}`),
        serverOf(`/Scaler?dw=50;fn=${name};pn=2`),
        serverOf('/iiif/3/elsewhere/info.json', { headers: { 'x-image': name } }).then(() =>
          serverOf(`/Texter?fn=${name}`),
        ),
        serverOf(`/Texter?fn=${name}`, { method: 'POST', body: 'pn=1' }),
      ]);
      expect(new Set(found).size, `${name}: ${found.join(' ')}`).toBe(1);
      seen.add(found[0] ?? '');
    }
    expect([...seen].sort()).toEqual(['0', '1', '2']);
  });
}
