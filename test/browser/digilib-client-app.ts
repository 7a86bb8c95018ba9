/** Serves the library for the page in test/fixtures/digilib-client: three pages of four quarters, the first also prescaled. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { quartered } from '../pixels/pictures.ts';
import { type RunningApp, startApp } from '../protocol/running-app.ts';

export interface DigilibClientApp {
  readonly app: RunningApp;
  /** The bytes of the first page's file. */
  readonly firstPage: Buffer;
  close(): Promise<void>;
}

/** A running app at the context path of digilib's own pages. */
export async function startDigilibClientApp(): Promise<DigilibClientApp> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-digilib-client-'));
  const [first, second] = ['hires', 'scaled'].map((name) => path.join(folder, name, 'books/atlas')) as [string, string];
  for (const pages of [first, second]) mkdirSync(pages, { recursive: true });
  await quartered(400, 300).withMetadata({ density: 200 }).png().toFile(path.join(first, 'page1.png'));
  await quartered(300, 400).jpeg({ quality: 95 }).toFile(path.join(first, 'page2.jpg'));
  await quartered(400, 300).tiff({ compression: 'deflate' }).toFile(path.join(first, 'page3.tif'));
  await quartered(100, 75).png().toFile(path.join(second, 'page1.png'));
  const folders = ['hires', 'scaled'].map((name) => path.join(folder, name));
  const app = await startApp({ library: { folders }, http: { contextPath: '/digilib' } });
  return {
    app,
    firstPage: readFileSync(path.join(first, 'page1.png')),
    async close() {
      await app.close();
      rmSync(folder, { recursive: true });
    },
  };
}
