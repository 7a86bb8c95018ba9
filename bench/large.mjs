/**
 * Measures the reading room with what is larger than most readers open, and Mirador beside it, where LECTERN_TEST_VIEWERS names a folder
 * that has it in node_modules (as `npm run test:viewers` installs it): `node bench/large.mjs`, after `npm run build`.
 */
import path from 'node:path';
import { chromium } from 'playwright-core';
import { serveViewers } from '../scripts/beside/viewers.mjs';
import { findChromium, findTestChromium } from '../scripts/find-chromium.mjs';
import { framesWhile, memoryOf } from './lib/large/frames.mjs';
import { makeLargeLibrary } from './lib/large/library.mjs';
import { scenes } from './lib/large/scenes.mjs';
import { describeMachine, loadAverage } from './lib/machine.mjs';
import { stopAllOnExit } from './lib/processes.mjs';
import { makeRunFolder } from './lib/run-folder.mjs';
import { startLectern } from './lib/servers/lectern.mjs';

const readiness = {
  room: '.stage-image canvas, .media-controls, .whole-book img',
  mirador: '.openseadragon-canvas canvas, audio',
};

/** Opens a scene’s page, does what it says, and resolves to what was measured. */
async function measure(browser, address, kind, { before, act }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en' });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable');
    await page.goto(address);
    await page.locator(readiness[kind]).first().waitFor({ timeout: 60_000, state: 'attached' });
    await page.waitForTimeout(2500);
    await before?.(page);
    const frames = await framesWhile(page, () => act(page));
    return { ...frames, ...(await memoryOf(session)) };
  } finally {
    await context.close();
  }
}

const whole = (value) => Math.round(value).toLocaleString('en');

const rowOf = (name, viewer, result) =>
  result === undefined
    ? `| ${name} | ${viewer} | | | | | |`
    : `| ${name} | ${viewer} | ${whole(result.perSecond)} | ${whole(result.p95)} ms | ${whole(result.longest)} ms | ${whole(result.tasks)} ms | ${whole(result.heapMb)} MB, ${whole(result.nodes)} |`;

async function run(browser, server, site, chosen) {
  console.log('| what is done | in | frames/s | 95 % within | longest | long tasks | heap, nodes |');
  console.log('|---|---|---|---|---|---|---|');
  for (const { thing, name, room, mirador } of chosen) {
    console.log(rowOf(name, 'reading room', await measure(browser, `${server}/${room.address}`, 'room', room)));
    if (site === undefined || mirador === undefined) continue;
    const manifest = encodeURIComponent(`${server}/presentation/3/${thing}/manifest.json`);
    try {
      const result = await measure(browser, `${site.url}/mirador?manifest=${manifest}`, 'mirador', mirador);
      console.log(rowOf('', 'Mirador', result));
    } catch (error) {
      console.log(`| | Mirador | not measured: ${error.message.split('\n')[0]} | | | | |`);
    }
  }
}

const executablePath = findChromium() ?? findTestChromium();
if (executablePath === undefined) {
  console.error('There is no Chromium: apt-get install chromium.');
  process.exit(2);
}
const runFolder = makeRunFolder();
stopAllOnExit();
const folder = path.join(runFolder, 'library');
await makeLargeLibrary(folder);
for (const fact of [...describeMachine(), `Load average before the run ${loadAverage()}`]) console.log(`- ${fact}`);
const { LECTERN_TEST_VIEWERS: packages } = process.env;
const site = packages === undefined ? undefined : await serveViewers(packages);
const lectern = await startLectern({ folder, runFolder });
const args = ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'];
const browser = await chromium.launch({ executablePath, args });
const words = process.argv.slice(2);
await run(
  browser,
  `http://127.0.0.1:${lectern.port}`,
  site,
  scenes.filter(({ thing }) => words.length === 0 || words.includes(thing)),
);
await browser.close();
site?.close();
await lectern.close();
