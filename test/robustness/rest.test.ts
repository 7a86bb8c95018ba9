/** The memory of a server that was under load, after a while without requests: what only renderings need is given back. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServerProcess, startServerProcess } from '../fixtures/server-process.ts';
import { scene } from '../pixels/jpeg-pyramid.ts';

/** What an hour after load may take in all, in bytes; what ends by itself until then ends here after `idleMs`. */
const maxRestBytes = 150e6;
const idleMs = 5000;

const [width, height] = [6000, 4000];
const requests = Number(process.env['LECTERN_ROBUSTNESS_REST_REQUESTS'] ?? 3000);

const childrenOf = (pid: number): readonly number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
  );

/** The memory of a process in bytes, of which pages that others have too count with their share. */
const proportionalBytes = (pid: number): number =>
  Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1]) * 1024;

const memoryOf = ({ pid }: ServerProcess): number =>
  [pid, ...childrenOf(pid)].reduce((sum, each) => sum + proportionalBytes(each), 0);

describe.runIf(process.platform === 'linux')('a server that rests after load', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-rest-'));
  let server: ServerProcess;

  beforeAll(async () => {
    const tiled = { compression: 'jpeg', tile: true, tileWidth: 512, tileHeight: 512, pyramid: true } as const;
    writeFileSync(path.join(folder, 'scan.tif'), await scene(width, height).tiff(tiled).toBuffer());
    server = await startServerProcess([folder], {
      LECTERN_RENDER__IDLE_MS: String(idleMs),
      LECTERN_RENDER__PROCESSES: '2',
      LECTERN_CACHE__MEMORY_BYTES: '64000000',
      LECTERN_SEARCH__ENABLED: 'false',
      // As in the container and the unit of systemd.
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: '131072',
      NODE_OPTIONS: '--max-semi-space-size=8',
    });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has at most 150 MB in all, and renders again', async () => {
    const region = (index: number): string => {
      const [x, y] = [(index * 137) % (width - 1500), (index * 89) % (height - 1200)];
      return index % 3 === 0
        ? `/iiif/3/scan.tif/full/${100 + (index % 300)},/0/default.jpg`
        : index % 3 === 1
          ? `/iiif/3/scan.tif/${x},${y},1500,1200/${400 + (index % 200)},/0/default.jpg`
          : `/api/dlInfo-json.jsp?fn=scan.tif&dw=${index}`;
    };
    let [next, peakBytes] = [0, 0];
    const statuses = new Set<number>();
    const client = async (): Promise<void> => {
      while (next < requests) {
        const index = next++;
        statuses.add((await server.get(region(index))).status);
        if (index % 100 === 0) peakBytes = Math.max(peakBytes, memoryOf(server));
      }
    };
    await Promise.all(Array.from({ length: 8 }, client));
    expect([...statuses]).toEqual([200]);
    expect(childrenOf(server.pid)).toHaveLength(2);
    await expect.poll(() => childrenOf(server.pid), { timeout: 4 * idleMs, interval: 500 }).toEqual([]);
    // V8 collects garbage some seconds after the last work.
    await expect.poll(() => memoryOf(server), { timeout: 60_000, interval: 1000 }).toBeLessThan(maxRestBytes);
    console.log(
      `at most ${Math.round(peakBytes / 1e6)} MB under load, ${Math.round(memoryOf(server) / 1e6)} MB at rest`,
    );
    expect((await server.get('/iiif/3/scan.tif/10,10,900,900/500,/0/default.jpg')).status).toBe(200);
  });
});
