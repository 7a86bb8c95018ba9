/** The command `lectern purge`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { purgeKeyOf } from '../../src/core/http/shared-caches.ts';
import { runInProcess } from './run-command.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-purge-'));
const config = path.join(scratch, 'lectern.json');
const images = fileURLToPath(new URL('../fixtures/golden/images/hires', import.meta.url));

let target: Server;
const taken: string[] = [];
let status = 200;

beforeAll(async () => {
  target = createServer((request, response) => {
    taken.push(String(request.headers['surrogate-key']));
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const { port } = target.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}/`;
  writeFileSync(
    config,
    JSON.stringify({
      library: { folders: [images] },
      purge: { targets: [{ name: 'edge', template: 'varnish', address }] },
    }),
  );
});
afterAll(() => {
  target.close();
  rmSync(scratch, { recursive: true });
});

describe('purge', () => {
  it('sends the keys of images, also by names without their extension, and of folders', async () => {
    const { stdout, code } = await runInProcess(['purge', 'photos/gray900x675', 'books', '--config', config]);
    expect([stdout, code]).toEqual(['edge: done\n', 0]);
    expect(taken.join()).toContain(purgeKeyOf('photos/gray900x675.jpg'));
    expect(taken.join()).toContain(purgeKeyOf('books'));
    expect(taken.join()).not.toContain(purgeKeyOf(''));
  });

  it('sends the key of everything for a slash', async () => {
    expect((await runInProcess(['purge', '/', '--config', config])).code).toBe(0);
    expect(taken.at(-1)).toContain(purgeKeyOf(''));
  });

  it('says what is refused', async () => {
    status = 403;
    const { stdout, code } = await runInProcess(['purge', 'books', '--config', config]);
    expect([stdout, code]).toEqual(['edge: the answer had the status 403\n', 1]);
  });

  it.each([
    [['purge', '../etc', '--config', config], '../etc is no path of a library'],
    [['purge', 'books'], 'no purge.targets'],
  ])('refuses %j', async (args, message) => {
    const { stderr, code } = await runInProcess(args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
