// @module-tag object-store
// @module-tag chromium
/** Images of a bucket on the page of comparisons: they look as those of a folder, with which they are compared. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { storeSettings } from '../s3/store-settings.ts';
import { startSwift } from '../s3/swift.ts';
import { setUpBrowser } from './browser-pages.ts';
import { dotIn, fillCompared, paneOf, panePixels, waitUntilSharp } from './compare-images.ts';
import { serveFrom } from './temporary-server.ts';

const session = setUpBrowser(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-compare-bucket-'));
  await fillCompared(folder);
  const store = await startSwift();
  await store.createBucket('compared');
  await store.putFolder('compared', 'library/', folder);
  const server = await serveFrom(folder, {
    library: { folders: [folder], virtualFolders: [{ link: 'stored', folder: 's3://compared/library' }] },
    objectStorage: storeSettings(mkdtempSync(path.join(folder, '.store-')), store),
  });
  return {
    url: server.url,
    async close() {
      await server.close();
      await store.close();
    },
  };
});

it('an image of a bucket over the same one of a folder leaves no difference', async () => {
  const page = await session.open('compare?1.fn=dots/first.png&2.fn=stored/dots/first.png&layout=difference');
  await waitUntilSharp(page, 2);
  const brightest = async (): Promise<number> => {
    const pixels = await panePixels(page, 1);
    let found = 0;
    for (let y = 0; y < pixels.height; y += 2)
      for (let x = 0; x < pixels.width; x += 2) found = Math.max(found, ...pixels.at(x, y).slice(0, 3));
    return found;
  };
  await expect.poll(brightest, { timeout: 20_000 }).toBe(0);
});

it('images of a bucket lie side by side, each with its name, and their dots are where those of a folder are', {
  tags: 'exhaustive',
}, async () => {
  const page = await session.open('compare?1.fn=stored/dots/first.png&2.fn=dots/first.png&3.fn=stored/other/third.png');
  await waitUntilSharp(page, 3);
  const [stored, local] = [await dotIn(page, 1, 'red'), await dotIn(page, 2, 'red')];
  expect(Math.hypot(stored.x - local.x, stored.y - local.y)).toBeLessThan(0.6);
  expect(await paneOf(page, 3).textContent()).toContain('third');
});
