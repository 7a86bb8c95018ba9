/** Measures waiting times in the reading room over a throttled connection; prints them and writes them to room.md. */
import { link, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium, findTestChromium } from '../../../scripts/find-chromium.mjs';
import { BenchFailure } from '../failure.mjs';
import { describeMachine, loadAverage } from '../machine.mjs';
import { startLectern } from '../servers/lectern.mjs';
import { missingProgram, prepareSources, sourceFolder } from '../sources.mjs';
import { median } from '../statistics.mjs';
import { startBarePage } from './bare-page.mjs';
import { connection, launchBrowser, withThrottledPage } from './browser.mjs';
import { framesWhilePanning, moveSlider, timeToSharp, turnPages } from './measures.mjs';

const roomFile = fileURLToPath(new URL('../../room.md', import.meta.url));

/** The targets, in ms. */
const targets = { first: 1500, jpeg2000: 2000, page: 300, adjust: 50 };

const pages = ['p1.tif', 'p2.tif', 'p3.tif', 'p4.tif', 'p5.tif', 'p6.tif'];

/** The same scan as JPEG 2000. */
const jpeg2000Sources = ['tiled.jp2', 'untiled.jp2'];

const linkSource = (source, folder, name) => link(path.join(sourceFolder, source), path.join(folder, name));

/** Makes a book of pages of 10000 x 8000 pixels: hard links of one pyramid, which are different images for the server. */
async function makeBook(folder) {
  await prepareSources(['pyramid.tif', ...jpeg2000Sources], (name) => console.log(`${name} made`));
  await mkdir(folder);
  for (const name of pages) await linkSource('pyramid.tif', folder, name);
}

/** Opens one new hard link of a scan after the other; resolves to the times. The server has not seen any of these images. */
async function openNewScans(browser, address, { folder, source, rounds }) {
  if (await missingProgram([source])) return [];
  const names = Array.from({ length: rounds }, (_, round) => source.replace('.', `-${round + 1}.`));
  await mkdir(path.join(folder, source));
  for (const name of names) await linkSource(source, path.join(folder, source), name);
  const scans = names.map((name) => `${address}/view/${source}/${name}`).values();
  return repeat(rounds, () => withThrottledPage(browser, (page) => timeToSharp(page, scans.next().value)));
}

async function repeat(times, measure) {
  const values = [];
  for (let round = 0; round < times; round++) values.push(await measure());
  return values;
}

const verdict = (value, target) => (value <= target ? 'met' : 'MISSED');

const inMs = (value) => `${Math.round(value)} ms`;

function table(results) {
  const rows = [
    ['first sharp view, empty browser cache', results.first, targets.first],
    ['the same on a page with OpenSeadragon only', results.bare, undefined],
    ['first sharp view of a tiled JPEG 2000 scan, not seen before', results['tiled.jp2'], targets.jpeg2000],
    ['the same of one without tiles', results['untiled.jp2'], targets.jpeg2000],
    ['first sharp view, the page’s files in the browser’s cache', results.cached, targets.first],
    ['next page sharp, from the key press', results.page, targets.page],
    ['color slider, until the frame is shown', results.adjust, targets.adjust],
  ];
  return [
    '| measurement | median | slowest | target |',
    '|---|---|---|---|',
    ...rows.map(([name, values, target]) => {
      if (values.length === 0) return `| ${name} | opj_compress is not installed, which makes the scan | | |`;
      const middle = median(values);
      const goal = target === undefined ? '' : `${inMs(target)}: ${verdict(middle, target)}`;
      return `| ${name} | ${inMs(middle)} | ${inMs(Math.max(...values))} | ${goal} |`;
    }),
    `| frames per second while panning | ${median(results.frames).toFixed(0)} | ${Math.min(...results.frames).toFixed(0)} | |`,
    `| the same with color operations | ${median(results.coloredFrames).toFixed(0)} | ${Math.min(...results.coloredFrames).toFixed(0)} | |`,
  ];
}

async function measureAll({ browser, address, bareAddress, folder, rounds }) {
  const results = {
    first: await repeat(rounds, () =>
      withThrottledPage(browser, (page) => timeToSharp(page, `${address}/view/p1.tif`)),
    ),
    bare: await repeat(rounds, () => withThrottledPage(browser, (page) => timeToSharp(page, bareAddress))),
  };
  for (const source of jpeg2000Sources)
    results[source] = await openNewScans(browser, address, { folder, source, rounds });
  await withThrottledPage(browser, async (page) => {
    results.cached = await repeat(rounds, () => timeToSharp(page, `${address}/view/p1.tif`));
    results.page = await turnPages(page, pages.length - 1);
    results.adjust = await moveSlider(page, rounds * 4);
    results.frames = await repeat(3, () => framesWhilePanning(page));
    await page.keyboard.press('Backspace');
    await page.goto(`${address}/view/p1.tif?cont=0.4&colop=INVERT`);
    await page.waitForTimeout(1500);
    results.coloredFrames = await repeat(3, () => framesWhilePanning(page));
  });
  return results;
}

/** Runs all measurements of the reading room. */
export async function runRoom({ quick }, runFolder) {
  const executablePath = findChromium() ?? findTestChromium();
  if (executablePath === undefined) throw new BenchFailure('There is no Chromium: apt-get install chromium.');
  const folder = path.join(runFolder, 'book');
  await makeBook(folder);
  const facts = [
    ...describeMachine(),
    `Connection: ${connection.megabits} Mbit/s, ${connection.latencyMs} ms, throttled by the browser; a window of 1280 x 800`,
    'Browser: headless Chromium without a graphics card, with which there would be more frames per second',
    `Load average before the run ${loadAverage()}`,
  ];
  console.log(facts.join('\n'));
  const server = await startLectern({ folder, runFolder });
  const bare = await startBarePage(`http://127.0.0.1:${server.port}/iiif/3/p1.tif/info.json`);
  const browser = await launchBrowser(executablePath);
  const address = `http://127.0.0.1:${server.port}`;
  const results = await measureAll({ browser, address, bareAddress: bare.url, folder, rounds: quick ? 3 : 7 });
  await browser.close();
  bare.close();
  await server.close();
  const lines = table(results);
  console.log(`\n${lines.join('\n')}`);
  await writeFile(
    roomFile,
    `# The reading room over a slow connection\n\nWritten by \`npm run bench -- --room${quick ? ' --quick' : ''}\` on ${new Date().toISOString().slice(0, 10)}.\n\n${facts.map((fact) => `- ${fact}`).join('\n')}\n\n${lines.join('\n')}\n`,
  );
  console.log('\nWritten to bench/room.md.');
}
