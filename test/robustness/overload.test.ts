/**
 * Twice as many distinct full-size pictures as can be made, in a server of 1 GB with one core, while the generator has another:
 * survive.md, "Load and faults". For ten minutes: LECTERN_TEST_OVERLOAD_SECONDS=600.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ConfinedServer, startConfinedServer } from '../fixtures/confined-server.ts';
import type { LoadRequest, LoadResult } from '../fixtures/load/generator.mjs';

const seconds = Number(process.env['LECTERN_TEST_OVERLOAD_SECONDS'] ?? 60);

/** The default of `limits.deadlineMs`. */
const deadlineMs = 15_000;

/** For the way of an answer to a client on a busy machine. */
const slackMs = 1500;

const generator = fileURLToPath(new URL('../fixtures/load/run.mjs', import.meta.url));
const scans = 6;
const [width, height] = [4000, 3000];

interface Load {
  readonly requests: readonly LoadRequest[];
  readonly order: 'once' | 'random';
  readonly seconds?: number;
  readonly connections?: number;
  readonly rate?: number;
}

/** The core of the generators, where there is more than one. */
const onOwnCore = (command: readonly string[]): ChildProcess => {
  const [program = '', ...args] = availableParallelism() > 1 ? ['taskset', '-c', '1', ...command] : command;
  return spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
};

async function run(port: number, load: Load): Promise<LoadResult> {
  const child = onOwnCore([process.execPath, generator]);
  child.stdin?.end(JSON.stringify({ port, timeoutMs: 60_000, ...load }));
  if (child.stdout === null) throw new TypeError('the generator has no output');
  return JSON.parse(await text(child.stdout)) as LoadResult;
}

const fullSize = (scan: number, wide: number): string => `/iiif/3/scan${scan}.jpg/full/${wide},/0/default.jpg`;

/** Distinct pictures of almost full size, of 40 clients. */
const fulls = (count: number, from = 0): readonly LoadRequest[] =>
  Array.from({ length: count }, (_, index) => ({
    kind: 'full',
    target: fullSize(index % scans, width - Math.floor((from + index) / scans)),
    client: `192.0.2.${index % 40}`,
  }));

const tileSide = 256;
const columns = Math.floor(width / tileSide);

const tiles: readonly LoadRequest[] = Array.from({ length: columns * 8 }, (_, index) => {
  const [x, y] = [(index % columns) * tileSide, Math.floor(index / columns) * tileSide];
  const target = `/iiif/3/tiled.tif/${x},${y},${tileSide},${tileSide}/${tileSide},/0/default.jpg`;
  return { kind: 'tile', target, client: '198.51.100.1' };
});

/** Distinct thumbnails, as a folder's page shows them. */
const thumbnails = (count: number): readonly LoadRequest[] =>
  Array.from({ length: count }, (_, index) => ({
    kind: 'thumbnail',
    target: `/Scaler?fn=tiled&dw=${100 + (index % 400)}&dh=${300 + Math.floor(index / 400)}&mo=errtxt`,
    client: '198.51.100.2',
  }));

describe('a server of 1 GB with twice the load that it can take', { tags: 'memory-cgroup' }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-overload-'));
  let server: ConfinedServer;
  const start = (): Promise<ConfinedServer> =>
    startConfinedServer({
      memoryBytes: 2 ** 30,
      folders: [folder],
      ...(availableParallelism() > 1 && { cores: '0' }),
      env: { LECTERN_RENDER__PROCESSES: '1', LECTERN_HTTP__TRUSTED_PROXIES: '["127.0.0.1"]' },
    });

  beforeAll(async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 12 } as const;
    const picture = sharp({ create: { width, height, channels: 3, background: 'gray', noise } });
    const jpeg = await picture.jpeg({ quality: 85 }).toBuffer();
    for (let scan = 0; scan < scans; scan++) {
      await sharp(jpeg)
        .modulate({ hue: scan * 60 })
        .jpeg({ quality: 85 })
        .toFile(path.join(folder, `scan${scan}.jpg`));
    }
    const tiling = { tile: true, tileWidth: tileSide, tileHeight: tileSide, pyramid: true } as const;
    await sharp(jpeg)
      .tiff({ ...tiling, compression: 'jpeg', quality: 85 })
      .toFile(path.join(folder, 'tiled.tif'));
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  /** Some pictures with the hashes of their bytes, made by a server that has nothing else to do. */
  async function known(): Promise<readonly LoadRequest[]> {
    const idle = await start();
    const hashed: LoadRequest[] = [];
    for (const request of fulls(24)) {
      const response = await fetch(`${idle.url}${request.target}`);
      const body = Buffer.from(await response.arrayBuffer());
      hashed.push({ ...request, sha256: createHash('sha256').update(body).digest('hex') });
    }
    await idle.stop();
    return hashed;
  }

  vi.setConfig({ testTimeout: (seconds + 300) * 1000 });

  it(`answers every client within its deadline for ${seconds} s, and serves tiles and thumbnails as before`, async () => {
    const hashed = await known();
    server = await start();
    const { port } = server;
    const before = await run(port, { requests: tiles, order: 'random', seconds: 5, rate: 60 });
    const measured = await run(port, { requests: fulls(300, 6000), order: 'once', seconds: 8, connections: 4 });
    const capacity = (measured.kinds['full']?.served ?? 0) / measured.seconds;
    expect(capacity).toBeGreaterThan(0);
    const rate = 2 * capacity;
    const unknown = fulls(Math.ceil(rate * seconds), hashed.length);
    // One in ten is known, so that some of the pictures are compared byte by byte.
    const requests = unknown.flatMap((request, index) => {
      const compared = index % 10 === 0 ? hashed[index / 10] : undefined;
      return compared === undefined ? [request] : [request, compared];
    });
    const [full, small, thumbnail] = await Promise.all([
      run(port, { requests, order: 'once', seconds, connections: 2000, rate }),
      run(port, { requests: tiles, order: 'random', seconds, connections: 200, rate: 60 }),
      run(port, { requests: thumbnails(seconds * 2), order: 'once', seconds, connections: 200, rate: 2 }),
    ]);
    const [fullRow, tileRow, thumbnailRow] = [full.kinds['full'], small.kinds['tile'], thumbnail.kinds['thumbnail']];
    console.log(
      JSON.stringify({
        capacity,
        unloaded: before.kinds['tile'],
        fullRow,
        tileRow,
        thumbnailRow,
        peak: server.group.peakUsageBytes(),
        anonymous: server.group.anonymousBytes(),
      }),
    );

    expect(server.isUnharmed()).toBe(true);
    expect([...full.examples, ...small.examples, ...thumbnail.examples]).toEqual([]);
    for (const row of [fullRow, tileRow, thumbnailRow]) {
      expect(Object.keys(row?.statuses ?? {}).filter((status) => status !== '200' && status !== '503')).toEqual([]);
      expect(row?.maxMs).toBeLessThan(deadlineMs + slackMs);
    }
    // The load was too much, and the server worked as much as before.
    expect(fullRow?.refused).toBeGreaterThan(0);
    expect(fullRow?.served).toBeGreaterThan((capacity * seconds) / 3);
    expect(tileRow?.served).toBe(tileRow?.count);
    expect(tileRow?.p99Ms).toBeLessThan(Math.max(60, 5 * (before.kinds['tile']?.p99Ms ?? 0)));
    expect(thumbnailRow?.served).toBeGreaterThan((thumbnailRow?.count ?? 0) * 0.9);
  });
});
