// Takes the screenshots of the guide: npm run screenshots [-- NAME …] (needs a Chromium).
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium } from './find-chromium.mjs';
import { scenes } from './screenshots/scenes.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}docs/guide/images`;

/** Starts the command with the samples; resolves to its address and the process. */
async function startServer() {
  const server = spawn(process.execPath, [`${root}bin/lectern.cjs`, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await new Promise((resolve, reject) => {
    let output = '';
    server.stdout.on('data', (chunk) => {
      output += chunk;
      const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(output);
      if (found) resolve(found[0]);
    });
    server.once('exit', (code) => reject(new Error(`the server ended with code ${code}`)));
  });
  return { server, address };
}

async function takeScreenshot(browser, base, { name, window, density = 1, dark = false, address, act }) {
  const page = await browser.newPage({
    viewport: window,
    deviceScaleFactor: density,
    colorScheme: dark ? 'dark' : 'light',
    locale: 'en-US',
  });
  await page.goto(base + address, { waitUntil: 'networkidle' });
  if (/^(?:view\/|compare)/.test(address)) {
    await page.waitForFunction(() => performance.getEntriesByName('lectern:sharp').length > 0);
  }
  await act?.(page);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: `${folder}/${name}.jpg`, type: 'jpeg', quality: 84 });
  await page.close();
  console.log(`docs/guide/images/${name}.jpg written`);
}

const executablePath = findChromium();
if (!executablePath) {
  console.error('No Chromium was found; install one, or set CHROMIUM to its path.');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const selected = process.argv.slice(2);
const { server, address } = await startServer();
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  for (const scene of scenes) {
    if (selected.length === 0 || selected.includes(scene.name)) await takeScreenshot(browser, address, scene);
  }
} finally {
  await browser.close();
  server.removeAllListeners('exit');
  server.kill();
}
