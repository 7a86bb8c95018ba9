/** Whether a closed name exists is told to nobody without rights: by no alias, at no endpoint. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-existence-'));
const root = path.join(scratch, 'library');
let app: RunningApp;

beforeAll(async () => {
  for (const name of ['closed/inner', 'open', 'single']) mkdirSync(path.join(root, name), { recursive: true });
  const picture = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  for (const name of ['closed/aaqaa.jpg', 'closed/inner/aaqaa.jpg', 'single/aaqaa.jpg', 'open/a.jpg'])
    writeFileSync(path.join(root, name), picture);
  symlinkSync('../closed', path.join(root, 'open/link'));
  symlinkSync('..', path.join(root, 'open/up'));
  app = await startApp({
    library: {
      folders: [root],
      virtualFolders: [
        { link: 'virtual', folder: path.join(root, 'closed') },
        { link: 'maps/inside', folder: path.join(root, 'closed/inner') },
      ],
    },
    access: {
      tokens: [{ issuer: 'https://id.example', audience: 'a', jwksAddress: 'http://127.0.0.1:9/', roles: ['staff'] }],
      paths: [
        { path: 'closed', roles: ['staff'] },
        { path: 'single/aaqaa.jpg', roles: ['staff'] },
        { path: 'single/bbqbb.jpg', roles: ['staff'] },
      ],
    },
  });
});

afterAll(async () => {
  await app.close();
  rmSync(scratch, { recursive: true });
});

const once = (name: string): string => encodeURIComponent(name).replaceAll('%2F', '/');
const bang = (name: string): string => encodeURIComponent(name.replaceAll('/', '!'));

const endpoints: Readonly<Record<string, (name: string) => string>> = {
  Scaler: (name) => `/Scaler?fn=${once(name)}&dw=20`,
  'Scaler, a page': (name) => `/Scaler?fn=${once(name)}&dw=20&pn=2`,
  'Scaler, path': (name) => `/Scaler/${once(name)}?dw=20`,
  'Scaler, file': (name) => `/Scaler?fn=${once(name)}&mo=file`,
  'Scaler, code': (name) => `/Scaler?fn=${once(name)}&dw=20&mo=errcode`,
  'dlInfo-json': (name) => `/api/dlInfo-json.jsp?fn=${once(name)}`,
  'ImgInfo-json': (name) => `/api/ImgInfo-json.jsp?fn=${once(name)}`,
  'dirInfo-xml': (name) => `/api/dirInfo-xml.jsp?fn=${once(name)}`,
  'dlContext-xml': (name) => `/api/dlContext-xml.jsp?fn=${once(name)}`,
  'IIIF 3 info': (name) => `/iiif/3/${encodeURIComponent(name)}/info.json`,
  'IIIF 2 picture': (name) => `/iiif/2/${bang(name)}/full/20,/0/default.jpg`,
  'IIIF base': (name) => `/iiif/3/${encodeURIComponent(name)}`,
  'Scaler IIIF picture': (name) => `/servlet/Scaler/IIIF/3/${bang(name)}/full/max/0/default.png`,
  manifest: (name) => `/presentation/3/${once(name)}/manifest.json`,
  'folder.json': (name) => `/api/folder.json?fn=${once(name)}`,
  'search.json': (name) => `/api/search.json?q=e&fn=${once(name)}`,
  collection: (name) => `/presentation/3/${once(name)}/collection.json`,
  Manifester: (name) => `/Manifester/IIIF/${bang(name)}/manifest`,
};

/** Closed names, with `*` for what exists (`aaqaa`) or does not (`bbqbb`); both have as many letters as the other. */
const closed: readonly string[] = [
  'closed/*.jpg',
  'closed/*',
  './closed//*.jpg',
  'CLOSED/*.jpg',
  'closed/inner/*.jpg',
  'virtual/*.jpg',
  'virtual/*',
  'virtual/*.tif',
  'virtual/*.jpg;1',
  './virtual//*.jpg',
  'virtual/inner/*',
  'virtual/inner*',
  'maps/inside/*.jpg',
  'maps/inside/*',
  'open/link/*.jpg',
  'open/link/*',
  'open/link/inner/*.jpg',
  'open/up/closed/*.jpg',
  'open/up/open/link/*',
  'single/*.jpg',
  'single/*',
  'single/*.png',
  'single/*.jpg;2',
  'SINGLE/*.JPG',
  'open/up/single/*',
];

/** What a response tells, without the name that was requested and what changes with each request. */
function told({ status, headers, body }: ReceivedResponse, names: readonly string[]): string {
  const { date: _, 'x-request-id': __, 'content-length': ___, etag, ...others } = headers;
  const isPicture = /^image/.test(headers['content-type'] ?? '');
  const text = isPicture ? body.toString('base64') : body.toString('utf8').replace(/\b[0-9a-f]{8}\b/g, '');
  const all = `${status} ${JSON.stringify(others)} ${etag === undefined ? '' : 'a tag'} ${text}`;
  return names.reduce((rest, name) => rest.replaceAll(name, '*'), all);
}

describe.each(Object.entries(endpoints))('%s', (_, addressOf) => {
  it.each(closed)('tells the same of %s, whether it exists or not', async (pattern) => {
    const answerOf = async (name: string) => {
      const full = pattern.replace('*', name);
      return told(await app.get(addressOf(full)), [name, name.toUpperCase()]);
    };
    expect(await answerOf('bbqbb')).toBe(await answerOf('aaqaa'));
  });

  it('tells open names from those that do not exist', async () => {
    const isFolder = /manifest|collection|Manifester|dirInfo|search|dlContext/i.test(_);
    const [there, gone] = isFolder ? ['open', 'nothing'] : ['open/a.jpg', 'open/b.jpg'];
    if (/search|dlContext|page/.test(_)) return;
    expect(told(await app.get(addressOf(there)), [])).not.toBe(told(await app.get(addressOf(gone)), []));
  });
});

it('open neighbors of a closed file are found, also without their extension', async () => {
  expect((await app.get('/Scaler?fn=open/a&dw=20')).status).toBe(200);
  expect((await app.get('/Scaler?fn=single/nothing&dw=20')).status).toBe(404);
});
