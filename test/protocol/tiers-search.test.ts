/** Searches find words where the tier of the caller has texts, and say where they stand on its pixels. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runIndexing } from '../../src/app/run-indexing.ts';
import { readSettings } from '../../src/app/settings/configuration.ts';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { altoOf, jpegOf, type LibraryFolder, makeLibraryFolder } from '../fixtures/page-texts.ts';
import { type RunningApp, startApp } from './running-app.ts';

let library: LibraryFolder;
let directory: string;
let app: RunningApp;

beforeAll(async () => {
  library = makeLibraryFolder();
  directory = mkdtempSync(path.join(tmpdir(), 'lectern-tiers-search-'));
  library.write('herbal/p1.jpg', await jpegOf(1000, 1500));
  library.write('herbal/p1.xml', altoOf([['Wasser', 200, 400, 120, 24]]));
  library.write('herbal/p2.jpg', await jpegOf(1000, 1500));
  library.write('herbal/p2.txt', 'Wasser und noch einmal Wasser');
  const settings: SettingsInput = {
    library: { folders: [library.root] },
    search: { directory },
    index: { directory: false },
    http: { trustedProxies: ['127.0.0.1'] },
    access: {
      rolesHeader: 'x-roles',
      tiers: [
        { name: 'words', maxSide: 150, texts: true },
        { name: 'small', maxSide: 150 },
      ],
      paths: [{ path: 'herbal', roles: ['staff'], tiers: [{ tier: 'words', roles: ['readers'] }], everyone: 'small' }],
    },
  };
  await runIndexing(readSettings(settings, {}, undefined), pino({ level: 'silent' }), {});
  app = await startApp(settings);
});
afterAll(async () => {
  await app.close();
  library.remove();
  rmSync(directory, { recursive: true, force: true });
});

const textOf = async (address: string, role: string): Promise<string> => {
  const { status, body } = await app.get(address, { headers: role === '' ? {} : { 'x-roles': role } });
  expect(status).toBe(200);
  return body.toString();
};

describe('words in a tier', () => {
  const search = async (role: string) => JSON.parse(await textOf('/api/search.json?q=wasser', role)).texts;

  it('are found by those whose tier has texts, and counted for them alone', async () => {
    expect((await search('staff')).total).toBe(2);
    expect((await search('readers')).total).toBe(2);
    expect(await search('')).toMatchObject({ total: 0, pages: [] });
  });

  it('stand on the pixels of the tier', async () => {
    const boxes = async (role: string) => {
      const [page] = (await search(role)).pages.filter(({ name }: { name: string }) => name === 'p1.jpg');
      return [page.width, page.height, page.hits[0].boxes];
    };
    expect(await boxes('staff')).toEqual([1000, 1500, [[200, 400, 120, 24]]]);
    expect(await boxes('readers')).toEqual([100, 150, [[20, 40, 12, 3]]]);
  });

  it.each(['/content-search/2/presentation/3/herbal', '/content-search/1/presentation/2/herbal'])(
    'are found so by %s',
    async (address) => {
      expect(await textOf(`${address}?q=wasser`, 'staff')).toContain('xywh=200,400,120,24');
      const readers = await textOf(`${address}?q=wasser`, 'readers');
      expect(readers).toContain('xywh=20,40,12,3');
      expect(readers).not.toMatch(/\b(?:1000|1500)\b|200,400/);
      expect(await textOf(`${address}?q=wasser`, '')).not.toMatch(/xywh|[Ww]asser und/);
      expect(await textOf(`${address}/autocomplete?q=was`, 'readers')).toMatch(/wasser/i);
      expect(await textOf(`${address}/autocomplete?q=wass`, '')).not.toMatch(/wasser/i);
    },
  );
});
