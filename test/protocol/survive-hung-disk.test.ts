/** A disk that never responds: other roots are served, and requests for it get 503 (survive.md, "Files"). */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { infoAddress, membersOf, picture } from './library-with-secrets.ts';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

/** The folder whose calls hang while it is set, and the number of pending calls. */
const disk = vi.hoisted(() => ({ hung: '', outstanding: 0 }));

vi.mock('node:fs/promises', async (importOriginal) => {
  const original = await importOriginal<Record<string, unknown>>();
  const hanging =
    (operation: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      if (disk.hung === '' || !String(args[0]).startsWith(disk.hung)) return operation(...args);
      disk.outstanding++;
      return new Promise(() => undefined);
    };
  return Object.fromEntries(
    Object.entries(original).map(([name, value]) => [
      name,
      typeof value === 'function' ? hanging(value as (...args: unknown[]) => unknown) : value,
    ]),
  );
});

let scratch = '';
let app: RunningApp;

beforeAll(async () => {
  scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'lectern-hung-')));
  for (const folder of ['scans', 'mount']) mkdirSync(path.join(scratch, folder));
  const bytes = await picture('jpeg');
  writeFileSync(path.join(scratch, 'scans/here.jpg'), bytes);
  for (let count = 0; count < 20; count++) writeFileSync(path.join(scratch, `mount/${count}.jpg`), bytes);
  app = await startApp({
    library: {
      folders: [path.join(scratch, 'scans')],
      virtualFolders: [{ link: 'far', folder: path.join(scratch, 'mount') }],
    },
    http: { contextPath: '/digilib' },
  });
});

afterAll(async () => {
  disk.hung = '';
  await app.close();
  rmSync(scratch, { recursive: true });
});

it('delays no request for other disks, and is answered 503', async () => {
  const pictureOf = (name: string) => app.get(`/digilib/Scaler?fn=${name}&dw=20&mo=errtxt`);
  expect((await pictureOf('far/19')).status).toBe(200);
  disk.hung = path.join(scratch, 'mount');
  const hanging = Array.from({ length: 19 }, (_, count) => pictureOf(`far/${count}`));
  hanging.push(app.get(infoAddress('far/3')));
  for (let round = 0; round < 5; round++) {
    expect((await pictureOf('here')).status).toBe(200);
    expect(membersOf(await app.get(infoAddress('here')))['img.pix_x']).toBe('60');
  }
  expect(disk.outstanding, 'calls that take a thread each, of the four there are').toBeLessThanOrEqual(2);
  const answers: readonly ReceivedResponse[] = await Promise.all(hanging);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  for (const { headers, body } of answers) {
    expect(headers['retry-after']).toMatch(/^\d+$/);
    expect(body.toString('utf8')).toBe('The disk that holds this does not answer at the moment; ask again later.\n');
  }
  expect(disk.outstanding).toBeLessThanOrEqual(2);
  expect((await pictureOf('far/1')).status).toBe(503);
  expect((await pictureOf('here')).status).toBe(200);
});

it('delays no page of the reading room for long, which then says nothing of what it shows', async () => {
  disk.hung = path.join(scratch, 'mount');
  for (const address of ['view/far/2', 'browse/far', '']) {
    const start = performance.now();
    const { status, body } = await app.get(`/digilib/${address}`);
    expect(performance.now() - start, address).toBeLessThan(1500);
    expect([200, 503], address).toContain(status);
    expect(body.toString('utf8'), address).toContain('<div id="room">');
    expect(body.toString('utf8'), address).not.toContain('noindex');
  }
  const here = (await app.get('/digilib/view/here.jpg')).body.toString('utf8');
  expect(here).toContain('<link rel="canonical"');
});
