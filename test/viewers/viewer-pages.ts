/** Pages with other viewers as they are published, and what the tests read of them. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { type Box, differences } from './shapes.ts';
import { packageFile, packageFileNames } from './viewer-packages.ts';

interface ServedFile {
  readonly type: string;
  readonly body: string | Buffer;
}

type ServedFiles = Readonly<Record<string, ServedFile>>;

export const script = (body: Buffer): ServedFile => ({ type: 'text/javascript; charset=utf-8', body });

const page = (body: string): ServedFile => ({ type: 'text/html; charset=utf-8', body });

/** Mirador at `/mirador?manifest=…`, with settings of its window. */
export const miradorFiles = (settings: object): ServedFiles => ({
  '/mirador': page(`<!doctype html><title>Mirador</title><link rel="icon" href="data:,">
<style>html,body{margin:0;height:100%}#m{position:absolute;inset:0}</style><div id="m"></div><script src="/mirador.js"></script>
<script>const of = new URLSearchParams(location.search);
Mirador.viewer({ id: 'm', workspaceControlPanel: { enabled: false }, windows: [{ manifestId: of.get('manifest'),
  sideBarOpen: true, thumbnailNavigationPosition: 'off', ...${JSON.stringify(settings)} }] });
</script>`),
  '/mirador.js': script(packageFile('mirador', 'dist/mirador.min.js')),
});

/** Universal Viewer at `/universalviewer?manifest=…`, with its own settings, from the package of this name. */
export const universalViewerFiles = (name = 'universalviewer'): ServedFiles => ({
  '/universalviewer': page(`<!doctype html><title>Universal Viewer</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/uv.css"><script src="/umd/UV.js"></script>
<style>html,body{margin:0;height:100%}#uv{width:100vw;height:100vh}</style><div id="uv" class="uv"></div>
<script>UV.init('uv', { manifest: new URLSearchParams(location.search).get('manifest'), embedded: true });</script>`),
  '/uv.css': { type: 'text/css', body: packageFile(name, 'dist/uv.css') },
  ...Object.fromEntries(
    packageFileNames(name, 'dist/umd')
      .filter((file) => file.endsWith('.js'))
      .map((file) => [`/umd/${file}`, script(packageFile(name, `dist/umd/${file}`))]),
  ),
});

const pictures = process.env['LECTERN_TEST_PICTURES'];

/** A screenshot, which is also written to the folder that LECTERN_TEST_PICTURES names. */
export async function screenshot(page: Page, name: string): Promise<Buffer> {
  const taken = await page.screenshot();
  if (pictures !== undefined) writeFileSync(path.join(pictures, `${name}.png`), taken);
  return taken;
}

/** Marks the canvas that Mirador draws annotations on: it can be read, unlike that of tiles from another host. */
export const markCanvas = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const canvas of document.querySelectorAll<HTMLCanvasElement>('.openseadragon-canvas canvas')) {
      try {
        canvas.getContext('2d')?.getImageData(0, 0, 1, 1);
        canvas.classList.add('drawn-annotations');
      } catch {
        canvas.classList.remove('drawn-annotations');
      }
    }
  });

/** A screenshot without the elements of a selector. */
export async function screenshotWithout(page: Page, selector: string): Promise<Buffer> {
  const style = await page.addStyleTag({ content: `${selector} { visibility: hidden !important }` });
  const hidden = await page.screenshot();
  await style.evaluate((element) => (element as Element).remove());
  return hidden;
}

/** The boxes of what changes on the screen when the elements of a selector are hidden, in CSS pixels. */
export async function drawnBoxes(page: Page, selector: string): Promise<readonly Box[]> {
  const shown = await page.screenshot();
  const hidden = await screenshotWithout(page, selector);
  return (await differences(shown, hidden)).filter(({ count }) => count >= 40);
}
