// Tries the tasks of readers in the reading room, Mirador and Universal Viewer on the same manifests, and prints a table:
// node scripts/beside-viewers.mjs [TASK …] (after npm run build; LECTERN_TEST_VIEWERS names a folder with both in node_modules,
// as `npm run test:viewers` installs it).
import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { makeLargeLibrary } from '../bench/lib/large/library.mjs';
import { stopAllOnExit } from '../bench/lib/processes.mjs';
import { makeRunFolder } from '../bench/lib/run-folder.mjs';
import { startLectern } from '../bench/lib/servers/lectern.mjs';
import { otherTasks } from './beside/other-tasks.mjs';
import { readingTasks } from './beside/reading-tasks.mjs';
import { sharingTasks } from './beside/sharing-tasks.mjs';
import { trialOf } from './beside/trial.mjs';
import { serveViewers } from './beside/viewers.mjs';
import { findTestChromium } from './find-chromium.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const tasks = [...readingTasks, ...sharingTasks, ...otherTasks];
const viewers = ['lectern', 'mirador', 'universalViewer'];

/** Where a task starts in the reading room. */
const rooms = {
  herbal: 'view/herbal/page-001.jpg',
  bands: 'view/bands/band-01.jpg',
  talk: 'view/talk/talk.wav',
  collection: '',
};

function addressOf(viewer, start, { server, site }) {
  if (viewer === 'lectern') return `${server}/${rooms[start]}`;
  const manifest = start === 'collection' ? 'collection.json' : `${start}/manifest.json`;
  const page = viewer === 'mirador' ? 'mirador' : 'universalviewer';
  return `${site}/${page}?manifest=${encodeURIComponent(`${server}/presentation/3/${manifest}`)}`;
}

/** What shows that a page is ready for the reader. */
const ready = {
  lectern: '.stage canvas, .media-controls, .folder-card, audio',
  mirador: '.openseadragon-canvas canvas, audio, .mirador-window h2',
  universalViewer: '.openseadragon-canvas canvas, button[title="Play"], .treeView, li a',
};

async function quiet(page) {
  let last = -1;
  for (let round = 0; round < 60; round++) {
    const now = await page.evaluate(() => performance.getEntriesByType('resource').length);
    if (now === last) return;
    last = now;
    await page.waitForTimeout(700);
  }
}

async function attempt(browser, task, viewer, addresses) {
  if (task[viewer] === undefined) return { works: false, note: 'no such function' };
  const context = await browser.newContext({
    viewport: task.window ?? { width: 1280, height: 800 },
    locale: task.locale ?? 'en',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  try {
    await page.goto(addressOf(viewer, task.start ?? 'herbal', addresses));
    await page.locator(ready[viewer]).first().waitFor({ state: 'attached', timeout: 30_000 });
    await quiet(page);
    const trial = trialOf(page);
    const note = await task[viewer](trial);
    return { works: true, steps: trial.steps(), note };
  } catch (error) {
    if (process.env.LECTERN_TEST_PICTURES)
      await page.screenshot({ path: path.join(process.env.LECTERN_TEST_PICTURES, `${task.name}-${viewer}.png`) });
    return { works: false, note: error.message.split('\n')[0] };
  } finally {
    await context.close();
  }
}

/** Requests, bytes and times of a first view over 20 Mbit/s and 40 ms, with nothing cached. */
async function firstView(browser, viewer, addresses) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en' });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  const speed = 20e6 / 8;
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 40,
    downloadThroughput: speed,
    uploadThroughput: speed,
  });
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(addressOf(viewer, 'herbal', addresses));
  await page.locator(ready[viewer]).first().waitFor({ state: 'attached', timeout: 60_000 });
  await quiet(page);
  const result = await page.evaluate(() => {
    const all = performance.getEntriesByType('resource');
    const images = all.filter(
      ({ name }) =>
        /\/iiif\/[23]\/[^/]+page-001[^/]*\/(?!full\/(?:[12]\d\d|\d\d?),)/.test(name) && !name.endsWith('.json'),
    );
    return {
      requests: all.length + 1,
      firstMs: images[0]?.responseEnd,
      lastMs: Math.max(...images.map((one) => one.responseEnd)),
    };
  });
  await context.close();
  return { ...result, bytes };
}

const cell = ({ works, steps, note }) =>
  `${works ? `yes, ${steps}` : 'no'}${note && note !== 'no such function' ? `: ${note}` : ''}`;

async function run(browser, addresses, chosen) {
  for (const viewer of viewers) {
    const rounds = [];
    for (let round = 0; round < 3; round++) rounds.push(await firstView(browser, viewer, addresses));
    rounds.sort((a, b) => a.firstMs - b.firstMs);
    console.log(viewer, rounds[1]);
  }
  console.log(`| task | reading room | Mirador | Universal Viewer |\n|---|---|---|---|`);
  for (const task of chosen) {
    const cells = [];
    for (const viewer of viewers) cells.push(cell(await attempt(browser, task, viewer, addresses)));
    console.log(`| ${task.name} | ${cells.join(' | ')} |`);
  }
}

const packages = process.env.LECTERN_TEST_VIEWERS;
const executablePath = findTestChromium();
if (packages === undefined || executablePath === undefined) {
  console.error('LECTERN_TEST_VIEWERS must name a folder with Mirador and Universal Viewer, and a Chromium is needed.');
  process.exit(2);
}
const runFolder = makeRunFolder();
stopAllOnExit();
const folder = path.join(runFolder, 'library');
await makeLargeLibrary(folder);
for (const name of ['herbal', 'maps']) {
  await mkdir(path.join(folder, name));
  await cp(path.join(root, 'samples', name), path.join(folder, name), { recursive: true });
}
const settings = { readingRoom: { manifests: ['http:'] } };
const lectern = await startLectern({ folder, runFolder, settings });
const site = await serveViewers(packages);
const browser = await chromium.launch({
  executablePath,
  args: [
    '--no-sandbox',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    '--autoplay-policy=no-user-gesture-required',
  ],
});
const names = process.argv.slice(2);
const chosen = tasks.filter(({ name }) => names.length === 0 || names.includes(name));
await run(browser, { server: `http://127.0.0.1:${lectern.port}`, site: site.url }, chosen);
await browser.close();
site.close();
await lectern.close();
process.exit(0);
