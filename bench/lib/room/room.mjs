/** What a reader waits for in the reading room, over a line as people have it at home: printed and written to room.md. */
import { link, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from '../../../scripts/find-chromium.mjs';
import { BenchFailure } from '../failure.mjs';
import { describeMachine, loadAverage } from '../machine.mjs';
import { startLectern } from '../servers/lectern.mjs';
import { prepareSources, sourceFolder } from '../sources.mjs';
import { startBarePage } from './bare-page.mjs';
import { launchBrowser, line, median, onLine } from './browser.mjs';
import { firstSharp, framesWhilePanning, leaf, slide } from './measures.mjs';

const roomFile = fileURLToPath(new URL('../../room.md', import.meta.url));

/** The aims of the project, in ms. */
const aims = { first: 1500, page: 300, adjust: 50 };

const pages = ['p1.tif', 'p2.tif', 'p3.tif', 'p4.tif', 'p5.tif', 'p6.tif'];

/** Pages of one book, 10000 x 8000 each: names of one pyramid, which the server takes for different images. */
async function makeBook(folder) {
  await prepareSources(['pyramid.tif'], (name) => console.log(`${name} made`));
  await mkdir(folder);
  for (const name of pages) await link(path.join(sourceFolder, 'pyramid.tif'), path.join(folder, name));
}

async function repeat(times, measure) {
  const values = [];
  for (let round = 0; round < times; round++) values.push(await measure());
  return values;
}

const verdict = (value, aim) => (value <= aim ? 'met' : 'MISSED');

const inMs = (value) => `${Math.round(value)} ms`;

function table(results) {
  const rows = [
    ['first sharp view, nothing in the browser yet', results.first, aims.first],
    ['the same of a bare page with OpenSeadragon alone', results.bare, undefined],
    ['first sharp view, the page’s files known', results.again, aims.first],
    ['the next page, sharp', results.page, aims.page],
    ['a slider moved until the frame that shows it', results.adjust, aims.adjust],
  ];
  return [
    '| what | median | slowest | aim |',
    '|---|---|---|---|',
    ...rows.map(([name, values, aim]) => {
      const middle = median(values);
      const said = aim === undefined ? '' : `${inMs(aim)}: ${verdict(middle, aim)}`;
      return `| ${name} | ${inMs(middle)} | ${inMs(Math.max(...values))} | ${said} |`;
    }),
    `| frames a second while panning | ${median(results.frames).toFixed(0)} | ${Math.min(...results.frames).toFixed(0)} | |`,
    `| the same with changed colors | ${median(results.coloredFrames).toFixed(0)} | ${Math.min(...results.coloredFrames).toFixed(0)} | |`,
  ];
}

async function measureAll(browser, address, bareAddress, rounds) {
  const results = {
    first: await repeat(rounds, () => onLine(browser, (page) => firstSharp(page, `${address}/view/p1.tif`))),
    bare: await repeat(rounds, () => onLine(browser, (page) => firstSharp(page, bareAddress))),
  };
  await onLine(browser, async (page) => {
    results.again = await repeat(rounds, () => firstSharp(page, `${address}/view/p1.tif`));
    results.page = await leaf(page, pages.length - 1);
    results.adjust = await slide(page, rounds * 4);
    results.frames = await repeat(3, () => framesWhilePanning(page));
    await page.keyboard.press('Backspace');
    await page.goto(`${address}/view/p1.tif?cont=0.4&colop=INVERT`);
    await page.waitForTimeout(1500);
    results.coloredFrames = await repeat(3, () => framesWhilePanning(page));
  });
  return results;
}

/** Measures the reading room in a browser. */
export async function runRoom({ quick }, runFolder) {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new BenchFailure('There is no Chromium: apt-get install chromium.');
  const folder = path.join(runFolder, 'book');
  await makeBook(folder);
  const facts = [
    ...describeMachine(),
    `Line: ${line.megabits} Mbit/s, ${line.latencyMs} ms, by the browser’s own throttling; a window of 1280 x 800`,
    'Browser: headless Chromium, which draws on the processor: a graphics card draws more frames',
    `Load average before the run ${loadAverage()}`,
  ];
  console.log(facts.join('\n'));
  const server = await startLectern({ folder, runFolder });
  const bare = await startBarePage(`http://127.0.0.1:${server.port}/iiif/3/p1.tif/info.json`);
  const browser = await launchBrowser(executablePath);
  const results = await measureAll(browser, `http://127.0.0.1:${server.port}`, bare.url, quick ? 3 : 7);
  await browser.close();
  bare.close();
  await server.close();
  const lines = table(results);
  console.log(`\n${lines.join('\n')}`);
  await writeFile(
    roomFile,
    `# The reading room over a slow line\n\nWritten by \`npm run bench -- --room${quick ? ' --quick' : ''}\` on ${new Date().toISOString().slice(0, 10)}.\n\n${facts.map((fact) => `- ${fact}`).join('\n')}\n\n${lines.join('\n')}\n`,
  );
  console.log('\nWritten to bench/room.md.');
}
