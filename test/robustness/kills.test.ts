/**
 * `kill -9` at random moments, of the server or of a render process, while it answers mixed requests and builds pyramids:
 * no answer is ever wrong, and each next start works with what the killed ones left in the caches.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConfinedServer, plainEnvironment, startConfinedServer } from '../fixtures/confined-server.ts';
import { randomNumbers } from '../fixtures/files/random.mjs';
import { type LoadAnswer, runLoad } from '../fixtures/load/generator.mjs';
import { blobs } from '../protocol/blob-image.ts';

const kills = Number(process.env['LECTERN_ROBUSTNESS_KILLS'] ?? 120);
/** How many render processes of a server are killed before it is killed itself. */
const renderKillsALife = 3;
/** So many right answers before the first kill. */
const answersALife = 10;
/** The longest wait for that, in ms. */
const maxWaitMs = 60_000;

const MiB = 2 ** 20;
const memoryBytes = 1024 * MiB;
const bin = fileURLToPath(new URL('../../bin/lectern.cjs', import.meta.url));
const random = randomNumbers(Number(process.env['LECTERN_ROBUSTNESS_SEED'] ?? 1));
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Whether it became true in time. */
async function waitFor(condition: () => boolean): Promise<boolean> {
  const endMs = performance.now() + maxWaitMs;
  while (!condition() && performance.now() < endMs) await pause(10);
  return condition();
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Files that are large enough for pyramids, and a small one. */
const images = ['a.png', 'b.png', 'c.tif', 'd.tif', 'small.jpg'];

const tiles = (name: string): readonly string[] =>
  [0, 512, 1024, 1536].flatMap((x) =>
    [0, 512, 1024].flatMap((y) => [
      `/iiif/3/${name}/${x},${y},512,512/512,512/0/default.jpg`,
      `/Scaler?fn=${name}&wx=${x / 2400}&wy=${y / 1800}&ww=0.2&wh=0.2&dw=300&mo=errtxt`,
    ]),
  );

const requests: readonly (readonly [kind: string, target: string])[] = images.flatMap((name) => [
  ...(name === 'small.jpg' ? [] : tiles(name).map((target) => ['tile', target] as const)),
  ...['!100,100', '!200,200', '!320,320'].map(
    (size) => ['thumbnail', `/iiif/3/${name}/full/${size}/0/default.jpg`] as const,
  ),
  ['large', `/iiif/3/${name}/full/max/0/default.jpg`] as const,
  ['large', `/iiif/3/${name}/full/!900,900/22.5/gray.png`] as const,
  ['info', `/iiif/3/${name}/info.json`] as const,
  ['info', `/Scaler?fn=${name}&mo=rawfile`] as const,
]);

describe('kill -9 at random moments', { tags: 'memory-cgroup' }, () => {
  let root: string;
  /** The right bodies by target: from the image itself, and from its pyramid. */
  const right = new Map<string, Set<string>>();
  const inRoot = (name: string): string => path.join(root, name);
  const environment = (cache: string, more = {}): NodeJS.ProcessEnv => ({
    XDG_CACHE_HOME: inRoot(cache),
    LECTERN_RENDER__PROCESSES: '2',
    LECTERN_HTTP__PUBLIC_ADDRESS: 'http://lectern.example',
    LECTERN_CACHE__MEMORY_BYTES: String(MiB),
    ...more,
  });
  const start = (env: NodeJS.ProcessEnv): Promise<ConfinedServer> =>
    startConfinedServer({ memoryBytes, folders: [inRoot('scans')], env });

  async function learn(env: NodeJS.ProcessEnv): Promise<void> {
    const server = await start(env);
    const left = [...requests];
    const next = () => {
      const [kind, target] = left.pop() ?? [];
      return kind === undefined || target === undefined ? undefined : { kind, target };
    };
    const { faults } = await runLoad({
      port: server.port,
      connections: 2,
      next,
      onAnswer: ({ target }, { status, body }) => {
        right.set(target, (right.get(target) ?? new Set()).add(hashOf(body)));
        return status === 200 ? undefined : 'is not served';
      },
    });
    expect(faults).toBe(0);
    await server.stop();
  }

  beforeAll(async () => {
    root = mkdtempSync(path.join(tmpdir(), 'lectern-kills-'));
    mkdirSync(inRoot('scans'));
    for (const [index, name] of images.entries()) {
      const image = name === 'small.jpg' ? blobs(600, 400) : blobs(2400, 1800 + 10 * index);
      await image
        .tiff({ compression: 'deflate' })
        .toFormat(name.endsWith('.png') ? 'png' : name.endsWith('.tif') ? 'tiff' : 'jpeg')
        .toFile(inRoot(`scans/${name}`));
    }
    await learn(environment('plain', { LECTERN_PYRAMIDS__MAX_BYTES: '0' }));
    const env = { ...plainEnvironment(), XDG_CACHE_HOME: inRoot('built') };
    const { status, stderr } = spawnSync(process.execPath, [bin, 'pyramid', inRoot('scans')], {
      env,
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    await learn(environment('built'));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('leaves no wrong answer and no start that fails', async () => {
    const env = environment('used');
    const wrong: string[] = [];
    const totals = { lives: 0, server: 0, render: 0, served: 0, failed: 0, building: 0, pyramids: 0, startMs: 0 };

    const store = inRoot('used/lectern/pyramids');
    const isBuilding = (): boolean => {
      const work = path.join(store, 'work');
      return existsSync(work) && readdirSync(work).length > 0;
    };

    function judge(target: string, { status, body, fault }: LoadAnswer, isKilled: boolean): void {
      if (isKilled && (fault !== undefined || typeof status === 'string')) return;
      const isWhole = status === 200 && fault === undefined;
      if (isWhole) totals.served++;
      if (isWhole && right.get(target)?.has(hashOf(body))) return;
      // A picture fails with its render process; nothing else does.
      if (status === 500) totals.failed++;
      else wrong.push(`${status} ${target}: ${fault ?? 'other bytes'}`);
    }

    /** One life of a server, from its start to its kill. */
    async function live(): Promise<void> {
      const startedMs = performance.now();
      const server = await start(env);
      totals.startMs = Math.max(totals.startMs, performance.now() - startedMs);
      let isKilled = false;
      const load = runLoad({
        port: server.port,
        // Every second life is calm, so that pyramids are built, which is done at low priority.
        ...(totals.lives % 2 === 0 ? { connections: 4 } : { rate: 20, connections: 20 }),
        isStopped: () => isKilled,
        next: () => {
          const [kind, target] = requests[Math.floor(random() * requests.length)] ?? ['', '/'];
          return { kind, target };
        },
        onAnswer: ({ target }, answer) => judge(target, answer, isKilled),
      });
      // However slow the machine is, each life answers something, and every fourth is killed while it builds a pyramid.
      const servedBefore = totals.served;
      await waitFor(() => totals.served >= servedBefore + answersALife);
      if (totals.lives % 4 === 1 && (await waitFor(isBuilding))) totals.building++;
      for (let kill = 0; kill < renderKillsALife; kill++) {
        await pause(random() * 400);
        const ids = server.renderProcessIds();
        const victim = ids[Math.floor(random() * ids.length)];
        if (victim === undefined) continue;
        process.kill(victim, 'SIGKILL');
        totals.render++;
      }
      await pause(random() * 2000);
      isKilled = true;
      process.kill(server.pid, 'SIGKILL');
      totals.server++;
      await Promise.all([server.ended, load]);
      expect(server.group.kills()).toBe(0);
      await expect.poll(() => server.group.processIds(), { timeout: 20_000 }).toEqual([]);
      await server.stop();
    }

    while (totals.server + totals.render < kills) {
      await live();
      if (existsSync(store)) totals.pyramids += readdirSync(store).filter((name) => name.endsWith('.tif')).length;
      // Now and then everything is made anew, so that kills meet writes and builds, and the next starts their leftovers.
      if (++totals.lives % 5 === 0) rmSync(inRoot('used'), { recursive: true, force: true });
    }
    const { server, render, served, failed, startMs } = totals;
    console.log(
      `${server} kills of the server, ${render} of render processes: ${served} right answers, ${wrong.length} wrong, ${failed} failed with their process, ${totals.building} lives ended while a pyramid was built, ${totals.pyramids} pyramids found after kills; slowest start ${Math.round(startMs)} ms`,
    );
    expect(wrong).toEqual([]);
    expect(totals.served).toBeGreaterThanOrEqual(server * answersALife);
    // Otherwise no kill met the building of a pyramid.
    expect(totals.building).toBeGreaterThan(0);
    // The last one answers everything, and what it finds in its caches is right.
    const last = await start(env);
    const left = [...requests];
    const { faults, examples } = await runLoad({
      port: last.port,
      next: () => {
        const [kind, target] = left.pop() ?? [];
        return kind === undefined || target === undefined ? undefined : { kind, target };
      },
      onAnswer: ({ target }, { status, body }) =>
        status === 200 && right.get(target)?.has(hashOf(body)) ? undefined : 'wrong after the last start',
    });
    expect([faults, examples]).toEqual([0, []]);
    expect((await last.stop()).code).toBe(0);
  });
});
