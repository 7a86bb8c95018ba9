// Takes the pictures of the documentation from the running product: npm run screenshots (needs a Chromium).
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium } from './find-chromium.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}docs/images`;
const port = 8080;

const executablePath = findChromium();
if (!executablePath) {
  console.error('No Chromium was found; install one, or set CHROMIUM to its path.');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const server = spawn(process.execPath, [`${root}bin/lectern.cjs`, '--port', String(port)], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
await new Promise((resolve, reject) => {
  server.stdout.on('data', (chunk) => String(chunk).includes('Ctrl-C') && resolve());
  server.once('exit', (code) => reject(new Error(`the server ended with code ${code}`)));
});
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
  await page.goto(`http://127.0.0.1:${port}/`, { waitUntil: 'networkidle' });
  await page.screenshot({ path: `${folder}/start-page.png`, fullPage: true });
  console.log('docs/images/start-page.png written');
} finally {
  await browser.close();
  server.removeAllListeners('exit');
  server.kill();
}
