/** Search in texts of pages over HTTP: what is found, where, and what callers without access are not told. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runIndexing } from '../../src/app/run-indexing.ts';
import { readSettings } from '../../src/app/settings/configuration.ts';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import type { FoundTexts } from '../../src/features/search/search-answer.ts';
import { altoOf, jpegOf, type LibraryFolder, makeLibraryFolder } from '../fixtures/page-texts.ts';
import { type RunningApp, startApp } from './running-app.ts';

let library: LibraryFolder;
let directory: string;
let app: RunningApp;
let settings: SettingsInput;

const index = () => runIndexing(readSettings(settings, {}, undefined), pino({ level: 'silent' }), {});

beforeAll(async () => {
  library = makeLibraryFolder();
  directory = mkdtempSync(path.join(tmpdir(), 'lectern-search-'));
  const page = await jpegOf(1000, 1500);
  for (const name of ['herbal/p1', 'herbal/p2', 'herbal/p10', 'herbal/none', 'closed/p1', 'other/p1'])
    library.write(`${name}.jpg`, page);
  library.write('herbal/metadata.yaml', 'label: The herbal\npages: { p1: 1r, p2: 1v }\n');
  library.write(
    'herbal/p1.xml',
    altoOf([
      ['Von', 100, 200, 80, 24],
      ['Waſſer', 200, 200, 120, 24],
      ['vnd', 340, 200, 60, 24],
      ['Kräutern', 420, 200, 160, 24],
    ]),
  );
  library.write('herbal/p2.txt', 'Wasser und noch einmal Wasser');
  library.write('herbal/p10.txt', 'das letzte Wasser');
  library.write('closed/p1.txt', 'geheimes Wasser Geheimnis');
  library.write('other/p1.txt', 'Feuer');
  settings = {
    library: { folders: [library.root] },
    search: { directory },
    index: { directory: false },
    access: { paths: [{ path: 'closed', roles: ['staff'] }], rolesHeader: 'x-roles' },
    http: { trustedProxies: ['127.0.0.1'] },
  };
  app = await startApp(settings);
});
afterAll(async () => {
  await app.close();
  library.remove();
  rmSync(directory, { recursive: true, force: true });
});

const staff = { headers: { 'x-roles': 'staff' } };

async function textsOf(query: string, options = {}): Promise<FoundTexts> {
  const { status, body } = await app.get(`/api/search.json?${query}`, options);
  expect(status).toBe(200);
  return JSON.parse(body.toString()).texts;
}

const pathsOf = ({ pages }: FoundTexts): readonly string[] => pages.map((page) => page.path);

describe('the search in texts', () => {
  it('is not there before the index is made', async () => expect(await textsOf('q=wasser')).toBeNull());

  it('finds pages once it is made, with the words and their boxes', async () => {
    expect(await index()).toMatchObject({ files: 5, written: 5, removed: 0, pages: 5 });
    const { pages, ...rest } = await textsOf('q=wasser+krautern');
    expect(rest).toEqual({ total: 1, exact: true, next: null });
    expect(pages).toEqual([
      {
        path: 'herbal/p1.jpg',
        name: 'p1.jpg',
        label: '1r',
        folder: 'herbal',
        way: ['The herbal'],
        place: { at: 2, total: 4 },
        width: 1000,
        height: 1500,
        count: 2,
        hits: [
          { before: 'Von', match: 'Waſſer', after: 'vnd Kräutern', boxes: [[200, 200, 120, 24]] },
          { before: 'Von Waſſer vnd', match: 'Kräutern', after: '', boxes: [[420, 200, 160, 24]] },
        ],
      },
    ]);
  });

  it('has the pages of a folder in the order of the book', async () =>
    expect(pathsOf(await textsOf('q=wasser&within=herbal'))).toEqual([
      'herbal/p1.jpg',
      'herbal/p10.jpg',
      'herbal/p2.jpg',
    ]));

  it('returns them in parts', async () => {
    const first = await textsOf('q=wasser&within=herbal&count=2');
    expect([pathsOf(first), first.total, first.next]).toEqual([['herbal/p1.jpg', 'herbal/p10.jpg'], 3, 3]);
    const second = await textsOf('q=wasser&within=herbal&count=2&from=3');
    expect([pathsOf(second), second.next]).toEqual([['herbal/p2.jpg'], null]);
  });

  it('finds the folders and images of the library beside', async () => {
    const { body } = await app.get('/api/search.json?q=herbal');
    const answer = JSON.parse(body.toString());
    expect([answer.found[0].path, answer.texts.total]).toEqual(['herbal', 0]);
  });

  it('does not search names again for more pages', async () => {
    const search = async (from: number) =>
      JSON.parse((await app.get(`/api/search.json?q=herbal&from=${from}`)).body.toString());
    expect((await search(1)).found).not.toEqual([]);
    expect((await search(2)).found).toEqual([]);
  });

  it('neither shows nor counts pages that the caller may not see', async () => {
    expect(await textsOf('q=wasser')).toMatchObject({ total: 3, exact: true });
    expect(await textsOf('q=geheimnis')).toEqual({ total: 0, exact: true, next: null, pages: [] });
    expect(pathsOf(await textsOf('q=geheimnis', staff))).toEqual(['closed/p1.jpg']);
    expect((await textsOf('q=wasser', staff)).total).toBe(4);
  });

  it('answers for a closed folder as for any other of its addresses', async () => {
    const { status } = await app.get('/api/search.json?q=wasser&within=closed');
    expect(status).toBe((await app.get('/api/folder.json?fn=closed')).status);
    expect(status).toBeGreaterThanOrEqual(401);
  });

  it('refuses positions that are none', async () =>
    expect((await app.get('/api/search.json?q=a&within=herbal&from=0')).status).toBe(400));

  it('follows what changes', async () => {
    expect(await index()).toMatchObject({ written: 0, removed: 0 });
    library.write('other/p1.txt', 'jetzt auch Wasser und mehr');
    rmSync(path.join(library.root, 'herbal/p2.txt'));
    rmSync(path.join(library.root, 'closed'), { recursive: true });
    expect(await index()).toMatchObject({ written: 1, removed: 2, pages: 3 });
    expect(pathsOf(await textsOf('q=wasser')).toSorted()).toEqual(['herbal/p1.jpg', 'herbal/p10.jpg', 'other/p1.jpg']);
  });

  it('finds a page inside of a file by a text of its own, also where the first page has none', async () => {
    const pixels = Buffer.alloc(60 * 90 * 3 * 3, 200);
    const three = await sharp(pixels, { raw: { width: 60, height: 270, channels: 3, pageHeight: 90 } })
      .tiff()
      .toBuffer();
    library.write('other/scan.tif', three);
    library.write('other/scan;2.txt', 'zweite Seite');
    library.write('herbal/none_2.txt', 'of no page of none.jpg');
    // The first page stands for the file.
    expect(await index()).toMatchObject({ written: 2, pages: 5 });
    expect(pathsOf(await textsOf('q=zweite'))).toEqual(['other/scan.tif;2']);
    expect(await index()).toMatchObject({ written: 0, removed: 0 });
    library.write('other/scan;3.txt', 'dritte Seite');
    library.write('other/scan;2.txt', 'zweite Seite, anders gelesen');
    await index();
    expect(pathsOf(await textsOf('q=gelesen'))).toEqual(['other/scan.tif;2']);
    expect(pathsOf(await textsOf('q=dritte'))).toEqual(['other/scan.tif;3']);
    rmSync(path.join(library.root, 'other/scan;2.txt'));
    await index();
    expect(pathsOf(await textsOf('q=seite'))).toEqual(['other/scan.tif;3']);
    rmSync(path.join(library.root, 'other/scan;3.txt'));
    expect(await index()).toMatchObject({ removed: 2, pages: 3 });
  });

  it('does not show a page whose text is gone since', async () => {
    rmSync(path.join(library.root, 'herbal/p10.txt'));
    expect(await textsOf('q=letzte')).toMatchObject({ total: 0, pages: [] });
  });
});
