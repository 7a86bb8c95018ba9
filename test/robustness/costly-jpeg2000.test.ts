/** JPEG 2000 files of some kB whose headers say gigabytes or millions of parts: refused soon, with the limit, or rendered in little memory. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConfinedServer, rendersEachRequest, startConfinedServer } from '../fixtures/confined-server.ts';
import { type CodingStyle, emptyTiles, type Grid } from '../unit/core/library/headers/build-files.ts';
import { ask, MiB, peakOf, resetPeaks } from './watched-answers.ts';

const memoryBytes = 1024 * MiB;
const maxProcessBytes = 300 * MiB;
/** A picture or a clear error is there within this time (survive.md, “Files”). */
const maxMs = 20_000;

const oneComponent: Grid['components'] = [[7, 1, 1]];

const untiled = (side: number, style: CodingStyle, packetBytes = 100_000, components = oneComponent): Buffer =>
  emptyTiles({ width: side, height: side, components }, style, 1, packetBytes);

/** Whatever is asked of them. */
const refused = {
  'huge.j2k': () => untiled(2 ** 31, { levels: 5 }),
  'wide.j2k': () => emptyTiles({ width: 2 ** 31, height: 2 ** 25, components: oneComponent }, { levels: 5 }, 1, 100),
  'untiled.j2k': () => untiled(100_000, { levels: 5 }),
  'precincts.j2k': () => untiled(8192, { levels: 0, precincts: [0] }),
  'blocks.j2k': () => untiled(16_384, { levels: 3, block: [0, 0] }),
  'channels.j2k': () =>
    untiled(
      5000,
      { levels: 5, componentTransform: 1 },
      100_000,
      Array.from({ length: 200 }, () => [7, 1, 1] as const),
    ),
} as const;

/** At least as a thumbnail, or a part of them. */
const served = {
  'tiles.j2k': () =>
    emptyTiles({ width: 4080, height: 4112, tile: [0, 0, 16, 16], components: oneComponent }, { levels: 2 }, 65_535, 3),
  'small-blocks.j2k': () => untiled(2048, { levels: 5, block: [0, 0] }),
  'precinct.j2k': () => untiled(12_000, { levels: 5, precincts: [0xff, 0x55, 0xff, 0xff, 0xff, 0xff] }),
  'deep.j2k': () => untiled(20_000, { levels: 32 }),
  'no-levels.j2k': () => untiled(20_000, { levels: 0 }),
  'layers.j2k': () => untiled(1000, { levels: 5, layers: 65_535 }, 5_000_000),
} as const;

const requestsFor = (name: string): readonly string[] => [
  `/iiif/3/${name}/full/!200,200/0/default.jpg`,
  `/iiif/3/${name}/0,0,512,512/max/0/default.jpg`,
  `/iiif/3/${name}/full/max/0/default.jpg`,
  `/Scaler?fn=${name}&dw=200&mo=errtxt`,
];

describe('JPEG 2000 files that say more than they hold', { tags: 'memory-cgroup' }, () => {
  let folder = '';
  let server: ConfinedServer;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'lectern-costly-'));
    for (const [name, make] of Object.entries({ ...refused, ...served }))
      writeFileSync(path.join(folder, name), make());
    writeFileSync(
      path.join(folder, 'components.j2k'),
      untiled(
        100,
        {},
        10,
        Array.from({ length: 16_384 }, () => [7, 1, 1] as const),
      ),
    );
    server = await startConfinedServer({ memoryBytes, folders: [folder], env: rendersEachRequest });
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function askFor(request: string) {
    resetPeaks(server.renderProcessIds());
    const { status, ms, body } = await ask(server, request);
    const text = status === 200 ? '' : body.toString('utf8', 0, 200);
    return { status, ms, peak: peakOf(server.renderProcessIds()), text: `${request}: ${status} ${text}` };
  }

  it.each(Object.keys(refused))('refuses %s at once, and names the limit', async (name) => {
    for (const request of requestsFor(name)) {
      const { status, ms, text } = await askFor(request);
      expect(status, text).toBe(413);
      expect(text).toMatch(/would take about \d+ MB of memory; at most \d+ MB/);
      expect(ms, text).toBeLessThan(1000);
    }
    expect(server.isUnharmed()).toBe(true);
  });

  it.each(Object.keys(served))(
    'gives pictures of %s in time and in bounded memory, or names the limit',
    async (name) => {
      const statuses: number[] = [];
      for (const request of requestsFor(name)) {
        const { status, ms, peak, text } = await askFor(request);
        statuses.push(status);
        if (status !== 200) expect(text).toMatch(/would take about \d+ MB of memory; at most \d+ MB/);
        expect(ms, text).toBeLessThan(maxMs);
        expect(peak, text).toBeLessThan(maxProcessBytes);
      }
      expect(statuses).toContain(200);
      expect(server.isUnharmed()).toBe(true);
    },
  );

  it('takes a file of 16,384 components for none', async () => {
    const { status, ms } = await askFor('/iiif/3/components.j2k/full/max/0/default.jpg');
    expect(status).toBe(404);
    expect(ms).toBeLessThan(1000);
  });
});
