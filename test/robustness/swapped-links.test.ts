/** Links that another process swaps all the time: nothing that they may not lead to gets into any answer. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningApp, startApp } from '../protocol/running-app.ts';

const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'lectern-swapped-')));
const root = path.join(scratch, 'library');
const site = path.join(scratch, 'site');
const outside = path.join(scratch, 'outside');
const program = fileURLToPath(new URL('../fixtures/programs/swap-links.mjs', import.meta.url));

/** Secret pictures are red, and have sizes that no other picture has; secret texts say so. */
const secretSize = { width: 777, height: 555 } as const;
const openSize = { width: 640, height: 512 } as const;
const secretText = 'TOP-SECRET';

const solid = (size: { width: number; height: number }, background: string) =>
  sharp({ create: { ...size, channels: 3, background } });
const tiled = { compression: 'jpeg', tile: true, tileWidth: 256, tileHeight: 256, pyramid: true } as const;

let swapper: ChildProcess;
let app: RunningApp;
let links: readonly (readonly string[])[];
beforeAll(async () => {
  for (const folder of [root, site, outside, ...['open', 'closed', 'moving'].map((name) => path.join(root, name))])
    mkdirSync(folder, { recursive: true });
  const files = async (folder: string, size: typeof openSize | typeof secretSize, color: string, text: string) => {
    await solid(size, color).jpeg().toFile(path.join(folder, 'scan.jpg'));
    await solid(size, color).tiff(tiled).toFile(path.join(folder, 'scan.tif'));
    writeFileSync(path.join(folder, 'page.html'), `<p>${text}</p>`);
    writeFileSync(
      path.join(folder, 'scan.meta'),
      `<meta><img><resolution-unknown/></img><context><title>${text}</title></context></meta>`,
    );
    writeFileSync(path.join(folder, 'metadata.yaml'), `title: ${text}\n`);
    writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify({ text }));
  };
  await files(path.join(root, 'open'), openSize, 'blue', 'open');
  await files(path.join(root, 'closed'), secretSize, 'red', secretText);
  await files(outside, secretSize, 'red', secretText);
  cpSync(path.join(root, 'open'), path.join(root, 'moving'), { recursive: true });
  const open = path.join(root, 'open');
  const [linked, own] = [path.join(root, 'linked'), path.join(site, 'own')];
  for (const folder of [linked, own]) mkdirSync(folder);
  writeFileSync(path.join(own, 'page.html'), '<p>open</p>');
  const targets = (folders: readonly string[], name: string) => folders.map((folder) => path.join(folder, name));
  const images = [open, path.join(root, 'closed'), outside];
  // What a metadata file says is of the folder that it is linked into; rules of access are for images and folders.
  const texts = [open, outside];
  links = [
    ...['scan.jpg', 'scan.tif'].map((name) => [path.join(linked, name), ...targets(images, name)]),
    ...['metadata.yaml', 'manifest.json'].map((name) => [path.join(linked, name), ...targets(texts, name)]),
    [path.join(linked, 'scan.jpg.meta'), ...targets(texts, 'scan.meta')],
    [path.join(linked, 'folder'), ...targets(images, '')],
    [path.join(site, 'page.html'), path.join(own, 'page.html'), path.join(outside, 'page.html')],
    [path.join(site, 'folder'), own, outside],
  ];
  for (const [link = '', target = ''] of links) symlinkSync(target, link);
  app = await startApp({
    library: { folders: [root] },
    http: { webapp: site },
    access: { paths: [{ path: 'closed', roles: ['nobody'] }] },
    render: { processes: 1 },
  });
  const moving = [[path.join(root, 'moving'), outside]];
  swapper = spawn(process.execPath, [program, JSON.stringify(links), JSON.stringify(moving)], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
}, 60_000);

afterAll(async () => {
  swapper.stdin?.end();
  await new Promise((resolve) => swapper.once('exit', resolve));
  await app.close();
  rmSync(scratch, { recursive: true, force: true });
});

const images = ['linked/scan.jpg', 'linked/scan.tif', 'linked/folder/scan.jpg', 'moving/scan.jpg', 'moving/scan.tif'];
const addressesOf = (name: string): readonly string[] => [
  `/Scaler?fn=${name}&mo=rawfile`,
  `/Scaler?fn=${name}&dw=50&dh=50`,
  `/Scaler?fn=${name}&dw=40&mo=png&wx=0.1&wy=0.1&ww=0.3&wh=0.3`,
  `/iiif/3/${name.replaceAll('/', '%2F')}/0,0,256,256/256,256/0/default.jpg`,
  `/iiif/3/${name.replaceAll('/', '%2F')}/info.json`,
  `/api/dlInfo-json.jsp?fn=${name}`,
  `/ImgInfo-json.jsp?fn=${name}`,
];
const folders = ['linked', 'linked/folder', 'moving'];
const addresses = [
  ...images.flatMap(addressesOf),
  ...folders.flatMap((name) => [
    `/api/folder.json?fn=${name}`,
    `/dirInfo-json.jsp?fn=${name}`,
    `/iiif/presentation/3/${name.replaceAll('/', '%2F')}/manifest`,
    `/Manifester/IIIF/${name.replaceAll('/', '!')}/manifest.json`,
  ]),
  '/page.html',
  '/folder/page.html',
];

/** Whether a picture shows red, which no picture of the open folder does. */
async function isRed(body: Buffer): Promise<boolean> {
  const { dominant } = await sharp(body).stats();
  return dominant.r > 150 && dominant.b < 100;
}

async function leaks(address: string): Promise<{ readonly status: number; readonly isLeak: boolean }> {
  const { status, headers, body } = await app.get(address);
  const type = String(headers['content-type'] ?? '');
  // Pictures of errors are not of the library.
  if (status === 200 && type.startsWith('image/')) return { status, isLeak: await isRed(body).catch(() => false) };
  const text = body.toString('latin1');
  return { status, isLeak: text.includes(secretText) || /\b(?:777|555)\b/.test(text) };
}

const seconds = 30;

it('not in pictures, originals, stored tiles, information, lists, metadata or pages', async () => {
  const untilMs = Date.now() + seconds * 1000;
  const leaked = new Map<string, number>();
  const answered = new Map<string, number>();
  let [requests, successes, next] = [0, 0, 0];
  const client = async (): Promise<void> => {
    while (Date.now() < untilMs) {
      const address = addresses[next++ % addresses.length] ?? '';
      const { status, isLeak } = await leaks(address);
      requests++;
      if (status === 200) {
        successes++;
        answered.set(address, (answered.get(address) ?? 0) + 1);
      }
      if (isLeak) leaked.set(address, (leaked.get(address) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  console.log(
    `${requests} requests, ${successes} answered with 200, ${[...leaked.values()].reduce((sum, count) => sum + count, 0)} leaks`,
  );
  expect([...leaked]).toEqual([]);
  // The links lead to what may be shown a third of the time.
  expect(successes).toBeGreaterThan(requests / 20);
});
