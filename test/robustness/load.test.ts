/** More requests and connections than a server can serve at once, within 1 GiB: all are answered, and none is forgotten. */
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConfinedServer, startConfinedServer } from '../fixtures/confined-server.ts';
import { randomNumbers } from '../fixtures/files/random.mjs';
import { runLoad, tableOf } from '../fixtures/load/generator.mjs';
import { ask, MiB } from './watched-answers.ts';

const count = Number(process.env['LECTERN_ROBUSTNESS_REQUESTS'] ?? 10_000);
const connectionCount = 10_000;

describe('more than the server can do at once', { tags: 'memory-cgroup' }, () => {
  let server: ConfinedServer;

  beforeAll(async () => {
    server = await startConfinedServer({
      memoryBytes: 1024 * MiB,
      env: { LECTERN_RENDER__PROCESSES: '2', LECTERN_CACHE__DIRECTORY: 'false', LECTERN_PYRAMIDS__MAX_BYTES: '0' },
    });
  });
  afterAll(async () => {
    await server.stop();
  });

  const made = async (): Promise<number> => {
    const { body } = await ask(server, '/metrics');
    return Number(/^lectern_cache_misses_total (\d+)$/m.exec(body.toString())?.[1]);
  };

  it('a thousand equal requests at once are one rendering', async () => {
    const target = '/iiif/3/photos!land3000x2000.jpg/full/1234,/0/default.png';
    const before = await made();
    let [sent, differing] = [0, 0];
    let first: Buffer | undefined;
    const { kinds } = await runLoad({
      port: server.port,
      connections: 1000,
      next: () => (sent++ < 1000 ? { kind: 'equal', target } : undefined),
      onAnswer: (_, { body }) => {
        first ??= body;
        if (!body.equals(first)) differing++;
      },
    });
    expect(kinds['equal']).toMatchObject({ served: 1000, refused: 0, errors: 0 });
    expect([differing, (await made()) - before]).toEqual([0, 1]);
    expect(server.isUnharmed()).toBe(true);
  });

  it('ten thousand mixed requests are all answered, within the memory', async () => {
    const random = randomNumbers(3);
    const upTo = (most: number): number => Math.floor(random() * most);
    const kindsOf: readonly (readonly [kind: string, target: () => string])[] = [
      ['tiles', () => `/iiif/3/tiff!tiled1500x1001.tif/${256 * upTo(5)},${256 * upTo(3)},256,256/256,/0/default.jpg`],
      ['information', () => `/api/dlInfo-json.jsp?fn=photos/odd1201x799&dw=${upTo(5000)}`],
      ['thumbnails', () => `/iiif/3/photos!port641x1003.jpg/full/!${60 + upTo(140)},200/0/default.jpg`],
      ['full sizes', () => `/iiif/3/photos!odd1201x799.jpg/full/${400 + upTo(801)},/${upTo(360)}/default.png`],
      ['documents', () => '/presentation/3/books%2Fbook1/manifest.json'],
    ];
    let sent = 0;
    const wrong: string[] = [];
    const result = await runLoad({
      port: server.port,
      connections: 200,
      timeoutMs: 60_000,
      next: () => {
        const [kind, target] = kindsOf[sent++ % kindsOf.length] ?? ['', () => '/'];
        return sent > count ? undefined : { kind, target: target() };
      },
      onAnswer: ({ target }, { status, headers }) => {
        const isClear = status === 200 || (status === 503 && headers['retry-after'] !== undefined);
        if (!isClear) wrong.push(`${status} ${target}`);
      },
    });
    console.log(`${tableOf(result)}\nat most ${Math.round(server.group.peakUsageBytes() / MiB)} MiB`);
    expect(wrong).toEqual([]);
    expect([result.faults, result.examples]).toEqual([0, []]);
    for (const kind of ['tiles', 'information', 'documents']) expect(result.kinds[kind]?.refused, kind).toBe(0);
    expect(server.isUnharmed()).toBe(true);
  });

  it('thousands of idle connections keep nobody from being served', async () => {
    const sockets: Socket[] = [];
    const open = (): Promise<void> =>
      new Promise((resolve) => {
        const socket = connect({ host: '127.0.0.1', port: server.port });
        socket.on('error', () => resolve());
        socket.on('connect', () => resolve());
        socket.resume();
        sockets.push(socket);
      });
    try {
      while (sockets.length < connectionCount) await Promise.all(Array.from({ length: 250 }, open));
      const { status, ms } = await ask(server, '/Scaler?fn=photos/odd1201x799&dw=77&mo=errtxt');
      const usedMiB = Math.round(server.group.anonymousBytes() / MiB);
      console.log(`beside ${sockets.length} idle connections: ${status} in ${Math.round(ms)} ms; ${usedMiB} MiB`);
      expect(status).toBe(200);
      expect(server.isUnharmed()).toBe(true);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});
