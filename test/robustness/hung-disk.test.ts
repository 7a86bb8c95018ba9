/** A disk that hangs, a real one: other disks are served as usual, and the server starts, says so and stops all the same. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type HangingDisk, mountHangingDisk } from '../fixtures/hanging-disk.ts';
import { type ServerProcess, startServerProcess, type TimedAnswer } from '../fixtures/server-process.ts';

let scratch = '';
const inScratch = (name: string): string => path.join(scratch, name);

const count = 40;

/** Numbered JPEG files, and a TIFF pyramid whose tiles are sent as they are stored. */
async function writeImages(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const noise = {
    create: {
      width: 700,
      height: 500,
      channels: 3 as const,
      noise: { type: 'gaussian' as const, mean: 128, sigma: 30 },
      background: '#888',
    },
  };
  const jpeg = await sharp(noise).jpeg().toBuffer();
  const tiff = await sharp(noise)
    .resize(2048, 2048)
    .tiff({ tile: true, pyramid: true, compression: 'jpeg' })
    .toBuffer();
  for (let index = 0; index < count; index++) writeFileSync(path.join(folder, `${index}.jpg`), jpeg);
  writeFileSync(path.join(folder, 'tiles.tif'), tiff);
}

beforeAll(async () => {
  scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'lectern-disk-')));
  await writeImages(inScratch('here'));
  await writeImages(inScratch('source'));
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let mounts = 0;

/** A disk that is unmounted at the end of the test, and the path of its mount point. */
async function mount(): Promise<{ readonly disk: HangingDisk; readonly mountPoint: string }> {
  const mountPoint = inScratch(`mount-${++mounts}`);
  const disk = await mountHangingDisk(inScratch('source'), mountPoint);
  onTestFinished(() => disk.unmount());
  return { disk, mountPoint };
}

/** A server with the folder `here`, and the others as virtual folders `far`, `far-2` and so on. */
async function start(...far: readonly string[]): Promise<ServerProcess> {
  const virtualFolders = far.map((folder, index) => ({ link: index === 0 ? 'far' : `far-${index + 1}`, folder }));
  const server = await startServerProcess([inScratch('here'), '--log-level', 'warn'], {
    LECTERN_LIBRARY__VIRTUAL_FOLDERS: JSON.stringify(virtualFolders),
    LECTERN_RENDER__PROCESSES: '2',
  });
  onTestFinished(() => server.kill());
  return server;
}

const tile = (folder: string, column: number): string =>
  `/iiif/3/${folder}tiles.tif/${column * 256},256,256,256/256,256/0/default.jpg`;

/** Requests of every kind that are answered from no cache. */
const requestsOf = (folder: string, index: number): readonly string[] => [
  `/Scaler?fn=${folder}${index % count}&dw=${100 + index}&mo=errtxt`,
  tile(folder.replace('/', '%2F'), index % 8),
  `/api/dlInfo-json.jsp?fn=${folder}${(index + 7) % count}`,
  `/api/folder.json?fn=${folder.replace(/\/$/, '')}&count=20&from=${(index % 20) + 1}`,
  `/Scaler?fn=${folder}${(index + 13) % count}&mo=rawfile`,
];

const slowest = (answers: readonly TimedAnswer[]): number => Math.max(...answers.map(({ ms }) => ms));
const statusesOf = (answers: readonly TimedAnswer[]): readonly number[] =>
  [...new Set(answers.map(({ status }) => status))].sort();

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks until the answer has the status, for at most 40 seconds. */
async function until(status: number, request: () => Promise<TimedAnswer>): Promise<TimedAnswer> {
  const endMs = performance.now() + 40_000;
  for (;;) {
    const answer = await request();
    if (answer.status === status || performance.now() > endMs) return answer;
    await pause(200);
  }
}

/** Longer than this no request of another disk takes, however busy the machine is. */
const usualMs = 5000;

const configPage = async (server: ServerProcess): Promise<string> =>
  (await server.get('/server/dlConfig.jsp')).body.toString('utf8');

describe('a disk that hangs', { tags: 'fuse' }, () => {
  describe.each(['read', 'all'] as const)('in calls of the kind “%s”', (calls) => {
    it('delays no request for another disk, and is answered 503 until it answers again', {
      timeout: 120_000,
    }, async () => {
      const { disk, mountPoint } = await mount();
      const server = await start(mountPoint);
      for (const request of requestsOf('far/', 0)) expect((await server.get(request)).status, request).toBe(200);
      await disk.hang(calls);
      const far: Promise<TimedAnswer>[] = [];
      const here: TimedAnswer[] = [];
      for (let index = 0; index < 60; index++) {
        far.push(...requestsOf('far/', index).map((request) => server.get(request)));
        here.push(...(await Promise.all(requestsOf('', index).map((request) => server.get(request)))));
        await pause(200);
      }
      expect(statusesOf(here)).toEqual([200]);
      expect(slowest(here)).toBeLessThan(usualMs);
      const failed = (await Promise.all(far)).filter(({ status }) => status !== 200);
      expect(failed.length).toBeGreaterThan(50);
      expect(statusesOf(failed).filter((status) => status !== 503 && status !== 504)).toEqual([]);
      console.info(
        `other disk while ${calls} hangs: ${Math.round(slowest(here))} ms at most; the disk itself: ${Math.round(slowest(failed))} ms`,
      );
      const picture = () => server.get('/Scaler?fn=far/39&dw=333&mo=errtxt');
      const refused = await picture();
      expect(refused.status).toBe(503);
      expect(refused.body.toString('utf8')).toBe(
        'The disk that holds this does not answer at the moment; ask again later.\n',
      );
      expect(refused.ms).toBeLessThan(usualMs);
      expect(await configPage(server)).toContain(`disk of ${mountPoint}</th><td><code>does not answer`);
      await disk.answer();
      expect((await until(200, picture)).status).toBe(200);
      for (const request of requestsOf('far/', 20)) expect((await server.get(request)).status, request).toBe(200);
    });
  });

  it('does not delay the start, is named in the log, and is served when it answers', { timeout: 120_000 }, async () => {
    const { disk, mountPoint } = await mount();
    const second = await mount();
    symlinkSync(mountPoint, inScratch('link'));
    await disk.hang('all');
    await second.disk.hang('all');
    const server = await start(inScratch('link'), second.mountPoint);
    console.info(`start beside two disks that hang: ${Math.round(server.startMs)} ms`);
    expect(server.startMs).toBeLessThan(20_000);
    for (const request of requestsOf('', 1)) expect((await server.get(request)).status, request).toBe(200);
    const hung = await Promise.all(['far', 'far-2'].map((folder) => server.get(`/Scaler?fn=${folder}/1&dw=50`)));
    expect(statusesOf(hung)).toEqual([503]);
    for (const folder of [inScratch('link'), second.mountPoint]) expect(server.log.join('\n')).toContain(folder);
    await disk.answer();
    expect((await until(200, () => server.get('/Scaler?fn=far/1&dw=50'))).status).toBe(200);
    expect((await server.get('/Scaler?fn=far-2/1&dw=50')).status).toBe(503);
    await second.disk.answer();
    expect((await until(200, () => server.get('/Scaler?fn=far-2/1&dw=50'))).status).toBe(200);
  });

  it('does not keep the server from ending', { timeout: 120_000 }, async () => {
    const { disk, mountPoint } = await mount();
    const server = await start(mountPoint);
    expect((await server.get('/Scaler?fn=far/1&dw=50')).status).toBe(200);
    await disk.hang('read');
    const far = [2, 3, 4].flatMap((index) => requestsOf('far/', index).map((request) => server.get(request)));
    await pause(1000);
    expect(await server.stop()).toBeDefined();
    await Promise.all(far);
  });
});
