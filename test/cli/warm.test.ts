import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { startApp } from '../protocol/running-app.ts';

const program = fileURLToPath(new URL('../../bin/lectern.cjs', import.meta.url));
const photos = fileURLToPath(new URL('../fixtures/golden/images/hires/photos', import.meta.url));
const cache = mkdtempSync(path.join(tmpdir(), 'lectern-warm-'));

const run = (environment: Readonly<Record<string, string>> = {}, folder = photos) =>
  spawnSync(process.execPath, [program, 'warm', folder], {
    encoding: 'utf8',
    env: { ...process.env, XDG_CACHE_HOME: cache, LECTERN_RENDER__PROCESSES: '1', ...environment },
  });

describe('lectern warm', () => {
  afterAll(() => rmSync(cache, { recursive: true }));

  it('makes thumbnails and first tiles once, and a server finds them', async () => {
    const first = run();
    expect([first.status, first.stdout]).toEqual([
      0,
      expect.stringMatching(/^8 images, (\d+) pictures: \d+ made, \d+ were there; 0 faults\n$/),
    ]);
    expect(first.stderr).toContain('100 %: 8 of 8');
    expect(run().stdout).toMatch(/^8 images, \d+ pictures: 0 made, \d+ were there; 0 faults\n$/);
    const app = await startApp({ library: { folders: [photos] }, cache: { directory: path.join(cache, 'lectern') } });
    const thumbnail = await app.get('/iiif/3/odd1201x799.jpg/full/301,200/0/default.jpg');
    const tile = await app.get('/iiif/3/land3000x2000.jpg/0,0,2048,2000/512,500/0/default.jpg');
    expect([thumbnail.status, tile.status]).toEqual([200, 200]);
    const overview = (await app.get('/server/dlConfig.jsp')).body.toString();
    expect(overview).toContain('0 memory, 2 disk, 0 shared, 0 joined');
    await app.close();
  });

  it('explains why it can’t run with exit code 2, and names files that it can’t render with exit code 1', () => {
    const off = run({ LECTERN_CACHE: '{"directory":false}' });
    expect([off.status, off.stderr]).toEqual([2, expect.stringContaining('cache.directory')]);
    const broken = run({}, path.join(photos, '../broken'));
    expect([broken.status, broken.stderr]).toEqual([1, expect.stringContaining('empty.jpg: ')]);
  });
});
