// @module-tag object-store
/** Names that need care: the same files in a folder and in a bucket are listed and served alike. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeSettings } from '../s3/store-settings.ts';
import { type ObjectStore, startSwift } from '../s3/swift.ts';
import { type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-bucket-names-'));
const folder = path.join(scratch, 'folder');

const names = [
  'a b.jpg',
  ' leading.jpg',
  'two  spaces.jpg',
  '\u00dcbung \u00e4.jpg',
  'U\u0308bung decomposed.jpg',
  'a%2Fb.jpg',
  'a%20b.jpg',
  'a+b.jpg',
  'a&b;c=d.jpg',
  '&amp;&#65;.jpg',
  '<Key>.jpg',
  'quotes\'".jpg',
  'hash#query?.jpg',
  '😀.jpg',
  'back\\slash.jpg',
  'tab\there.jpg',
  'line\nend.jpg',
  'return\rend.jpg',
  'control\u0001.jpg',
  '\u2028separator.jpg',
  'a:b|c*.jpg',
  '~(tilde)!.jpg',
  '0012.jpg',
  '1e5.jpg',
  `${'long'.repeat(60)}.jpg`,
] as const;

const folders = ['0012', '1e3', 'true', 'with space ', '頁 + 1', 'a%2Fb', 'constructor', '__proto__'] as const;

/** Stores take 1024 bytes. */
const deep = `deep/${Array.from({ length: 9 }, (_, index) => `${index}${'é'.repeat(48)}`).join('/')}/p.jpg`;

let store: ObjectStore;
let inFolder: RunningApp;
let inBucket: RunningApp;

beforeAll(async () => {
  const scan = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
  store = await startSwift();
  await store.createBucket('names');
  for (const file of [...names.map((name) => `odd/${name}`), ...folders.map((name) => `folders/${name}/p 1.jpg`)]) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), scan);
    await store.put('names', file, scan);
  }
  await store.put('names', deep, scan);
  mkdirSync(path.join(folder, 'folders/empty'));
  await store.put('names', 'folders/empty/', '');
  await store.put('names', 'folders/true/', '');
  const settings = { cache: { directory: false }, index: { directory: false }, pyramids: { maxBytes: 0 } } as const;
  inFolder = await startApp({ ...settings, library: { folders: [folder] } });
  inBucket = await startApp({
    ...settings,
    library: { folders: ['s3://names'] },
    objectStorage: storeSettings(scratch, store),
  });
}, 180_000);

afterAll(async () => {
  await inFolder?.close();
  await inBucket?.close();
  await store?.close();
  rmSync(scratch, { recursive: true, force: true });
});

const ofBoth = async (address: string): Promise<readonly [status: number, body: string][]> =>
  Promise.all(
    [inFolder, inBucket].map(async (app) => {
      const { status, body } = await app.get(address);
      // The info object names its request by a digest that has the address of the server.
      const text = body.toString('latin1').replaceAll(app.url, '');
      return [status, text.replace(/@[0-9a-f]{8}"/, '')] as [number, string];
    }),
  );

describe('a bucket, as a folder of the same files,', () => {
  it.each(['odd', 'folders', 'folders/empty', 'folders/nowhere'])('lists %s', async (identifier) => {
    const query = new URLSearchParams({ fn: identifier });
    const [local, remote] = await ofBoth(`/api/folder.json?${query}`);
    expect(remote).toEqual(local);
    const [localInfo, remoteInfo] = await ofBoth(`/api/dlInfo-json.jsp?${query}`);
    expect(remoteInfo).toEqual(localInfo);
  });

  it.each([...names.map((name) => `odd/${name}`), ...folders.map((name) => `folders/${name}/p 1.jpg`)])(
    'serves %j',
    async (file) => {
      const identifier = encodeURIComponent(file);
      for (const address of [
        `/iiif/3/${identifier}/info.json`,
        `/iiif/3/${identifier}/full/10,/0/default.png`,
        `/Scaler?fn=${identifier}&dw=12`,
      ]) {
        const [local, remote] = await ofBoth(address);
        expect(remote, address).toEqual(local);
      }
    },
  );

  it('has all of these names', async () => {
    const [, remote] = await ofBoth('/iiif/3/odd%2Fa%252Fb.jpg/info.json');
    expect(remote?.[0]).toBe(200);
    const text = (await inBucket.get('/api/folder.json?fn=folders')).body.toString();
    for (const name of [...folders, 'empty']) expect(text).toContain(JSON.stringify(name));
  });

  it('serves keys as long as stores take them', async () => {
    expect(Buffer.byteLength(deep)).toBeGreaterThan(850);
    const { status } = await inBucket.get(`/iiif/3/${encodeURIComponent(deep)}/info.json`);
    expect(status).toBe(200);
  });
});
