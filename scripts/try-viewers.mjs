// Opens a sample's manifest in Mirador and in Universal Viewer from npm, and takes screenshots to check by eye.
// Usage: node scripts/try-viewers.mjs FOLDER_FOR_SCREENSHOTS   (needs a Chromium; installs the viewers in a temporary folder)
import { execFileSync, spawn } from 'node:child_process';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium } from './find-chromium.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const screenshots = path.resolve(process.argv[2] ?? '.');
mkdirSync(screenshots, { recursive: true });

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-viewers-'));
writeFileSync(path.join(folder, 'package.json'), '{}');
execFileSync(
  'npm',
  ['install', '--no-audit', '--no-fund', '--silent', '--legacy-peer-deps', 'mirador@3', 'universalviewer@4'],
  { cwd: folder, stdio: 'inherit' },
);

const server = spawn(process.execPath, [`${root}bin/lectern.cjs`, '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const base = await new Promise((resolve) => {
  let output = '';
  server.stdout.on('data', (chunk) => {
    output += chunk;
    const found = /Start page +(\S+)\//.exec(output);
    if (found) resolve(found[1]);
  });
});
const manifest = (version) => `${base}/presentation/${version}/herbal/manifest.json`;

const pages = {
  '/mirador': `<!doctype html><link rel="icon" href="data:,"><div id="m" style="position:absolute;inset:0"></div>
<script src="/node_modules/mirador/dist/mirador.min.js"></script>
<script>Mirador.viewer({ id: 'm', windows: [{ manifestId: new URLSearchParams(location.search).get('manifest'), canvasIndex: 2, thumbnailNavigationPosition: 'far-bottom' }] });</script>`,
  '/uv': `<!doctype html><link rel="icon" href="data:,"><link rel="stylesheet" href="/node_modules/universalviewer/dist/uv.css">
<div id="uv" class="uv" style="position:absolute;inset:0"></div><script src="/node_modules/universalviewer/dist/umd/UV.js"></script>
<script>const data = { manifest: new URLSearchParams(location.search).get('manifest'), embedded: true, canvasIndex: 2 }; const uv = UV.init('uv', data);</script>`,
};
const types = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};
const site = http.createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  if (pages[pathname]) return response.writeHead(200, { 'content-type': 'text/html' }).end(pages[pathname]);
  const file = path.join(folder, path.normalize(pathname));
  if (!file.startsWith(folder) || !existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' });
  return createReadStream(file).pipe(response);
});
await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${site.address().port}`;

const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
for (const [name, version] of [
  ['mirador', 3],
  ['mirador', 2],
  ['uv', 3],
  ['uv', 2],
]) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  const failed = [];
  page.on(
    'response',
    (response) =>
      response.status() >= 400 &&
      response.url().startsWith(base) &&
      failed.push(`${response.status()} ${response.url()}`),
  );
  page.on('pageerror', (error) => failed.push(error.message));
  await page.goto(`${origin}/${name}?manifest=${encodeURIComponent(manifest(version))}`);
  await page.waitForTimeout(8000);
  await page.screenshot({ path: path.join(screenshots, `${name}-${version}.png`) });
  console.log(
    `${name}, Presentation ${version}: ${failed.length === 0 ? 'no failed request' : failed.slice(0, 5).join('; ')}`,
  );
  await page.close();
}
await browser.close();
site.close();
server.kill();
