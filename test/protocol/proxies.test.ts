/** The examples of proxies in `deploy`, by the programs themselves: Debian’s nginx and varnish. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runProgram, startNginx, writeNginxConfiguration } from '../fixtures/nginx.ts';
import { freePort } from '../fixtures/redis-server.ts';
import { type ServerProcess, startServerProcess } from '../fixtures/server-process.ts';

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));
const samples = fileURLToPath(new URL('../../samples', import.meta.url));
const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-proxies-'));

let servers: readonly ServerProcess[] = [];
let base = '';
let nginx: Awaited<ReturnType<typeof startNginx>> | undefined;

const startServers = async (): Promise<void> => {
  const env = { LECTERN_ACCESS_LOG__STDOUT: 'true', LECTERN_HTTP__TRUSTED_PROXIES: '["127.0.0.1"]' };
  servers = await Promise.all([startServerProcess([samples], env), startServerProcess([samples], env)]);
  const port = await freePort();
  nginx = await startNginx({ example: 'nginx-many.conf', port, servers: servers.map((server) => server.port) });
  base = `http://127.0.0.1:${port}`;
};
afterAll(() => {
  nginx?.close();
  for (const server of servers) server.kill();
  rmSync(scratch, { recursive: true, force: true });
});

let count = 0;

/** For each address the index of the server that answers it, by the servers' access logs. */
async function serversOf(addresses: readonly string[]): Promise<readonly number[]> {
  const marks = addresses.map(() => `mark${count++}.`);
  for (const [index, address] of addresses.entries()) {
    const response = await fetch(`${base}${address}${address.includes('?') ? '&' : '?'}${marks[index]}`);
    await response.arrayBuffer();
  }
  const serverOf = (mark: string): number => servers.findIndex(({ log }) => log.some((line) => line.includes(mark)));
  await vi.waitFor(() => expect(marks.map(serverOf)).not.toContain(-1), { timeout: 20_000 });
  return marks.map(serverOf);
}

/** Different addresses of one image. */
const addressesOf = (name: string): readonly string[] => [
  `/iiif/3/${name}/info.json`,
  `/iiif/3/${name}/full/64,/0/default.jpg`,
  `/iiif/2/${name}/0,0,64,64/64,/0/default.jpg`,
  `/Scaler?dw=50&fn=${name}`,
  `/Scaler?fn=${name}&dw=60`,
];

const names = Array.from({ length: 16 }, (_, index) => `image-${index}`);

describe('nginx before two servers', { tags: 'nginx' }, () => {
  beforeAll(startServers);

  it('always sends an image to the same server, by whichever API, and when that is killed moves its share alone', async () => {
    const addresses = names.flatMap(addressesOf);
    const perImage = addresses.length / names.length;
    const found = await serversOf(addresses);
    for (const [index, name] of names.entries()) {
      expect(new Set(found.slice(index * perImage, (index + 1) * perImage)).size, name).toBe(1);
    }
    // Each has a share.
    expect(new Set(found)).toEqual(new Set([0, 1]));
    servers[0]?.kill();
    expect(new Set(await serversOf(addresses))).toEqual(new Set([1]));
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
  });

  it('keeps what is for the watchers of a server from readers', async () => {
    for (const address of ['/metrics', '/readyz']) expect((await fetch(`${base}${address}`)).status).toBe(404);
  });
});

it('has an example of nginx before one server that nginx accepts', { tags: 'nginx' }, async () => {
  const folder = path.join(scratch, 'nginx');
  mkdirSync(folder);
  writeNginxConfiguration(folder, { example: 'nginx.conf', port: await freePort(), servers: [] });
});

it('has an example of Varnish that Varnish compiles', { tags: 'varnish' }, () => {
  const folder = path.join(scratch, 'varnish');
  mkdirSync(folder);
  const code = runProgram('varnishd', ['-C', '-n', folder, '-f', path.join(deploy, 'varnish.vcl')]);
  expect(code).toContain('lectern_2');
});
