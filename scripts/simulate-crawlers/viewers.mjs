// Readers with real viewers in Chromium: the reading room, and OpenSeadragon on a page of another origin.
import { chromium } from 'playwright-core';
import { startUntilAddress, stop } from '../../bench/lib/processes.mjs';
import { findTestChromium } from '../find-chromium.mjs';
import { bookName, pageName, pagesPerBook } from './library.mjs';

const viewport = { width: 1000, height: 700 };

/** Between two things that a reader does, in ms. */
const lookMs = 2500;

/** Pages of a book that a reader looks at in one visit. */
const pagesOfVisit = 3;

/** Pages that nobody sees are drawn as all others. */
const browserArguments = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--mute-audio', '--no-first-run'],
  ...['--disable-background-networking', '--disable-background-timer-throttling'],
  ...['--disable-backgrounding-occluded-windows', '--disable-renderer-backgrounding', '--remote-debugging-port=0'],
];

/**
 * Starts the browser of the readers with its profile in a folder, where a processor is idle (`SCHED_IDLE`): its pages are on machines of
 * their own where it is no simulation. With the highest `nice` value it would keep a processor for its slice of 3 ms whenever the server
 * wakes up. It runs in the session of this process, which Playwright's own `launch` leaves, since Linux shares processors among sessions
 * first (`sched_autogroup_enabled`).
 */
export async function launchViewers(folder) {
  const executablePath = findTestChromium();
  if (executablePath === undefined) throw new Error('There is no Chromium: apt-get install chromium-headless-shell.');
  const args = ['-i', '0', executablePath, ...browserArguments, `--user-data-dir=${folder}`];
  const { child, found } = await startUntilAddress('Chromium', /ws:\S+/, 'chrt', args);
  const browser = await chromium.connectOverCDP(found[0]);
  return {
    pid: child.pid,
    newContext: (options) => browser.newContext(options),
    async close() {
      await browser.close();
      await stop(child);
    },
  };
}

const imageAt = (book, page) => `${bookName(book)}/${pageName(page % pagesPerBook)}`;

/** Opens a page of a book in the reading room, enlarges parts of it, moves it, and turns to the next pages. */
async function visitRoom(page, { origin }, book, first) {
  await page.goto(`${origin}/view/${imageAt(book, first)}`, { waitUntil: 'load' });
  for (let turned = 0; turned < pagesOfVisit; turned++) {
    if (turned > 0) await page.keyboard.press('PageDown');
    await page.waitForTimeout(lookMs);
    await page.mouse.move(620, 300);
    for (let notch = 0; notch < 5; notch++) await page.mouse.wheel(0, -240);
    await page.waitForTimeout(lookMs);
    await page.mouse.down();
    await page.mouse.move(320, 460, { steps: 4 });
    await page.mouse.up();
    await page.waitForTimeout(lookMs);
  }
}

/** Shows the same pages one after the other in OpenSeadragon, which gets each by its info.json. */
async function visitSite(page, { origin, site }, book, first) {
  for (let turned = 0; turned < pagesOfVisit; turned++) {
    const info = `${origin}/iiif/3/${encodeURIComponent(imageAt(book, first + turned))}/info.json`;
    await page.goto(`${site}/viewer?info=${encodeURIComponent(info)}`, { waitUntil: 'load' });
    await page.waitForTimeout(lookMs);
    for (const [x, y] of [
      [0.3, 0.3],
      [0.7, 0.6],
    ]) {
      await page.evaluate(([px, py]) => window.zoomTo(px, py, 3), [x, y]);
      await page.waitForTimeout(lookMs);
    }
  }
}

const visitsOf = { room: visitRoom, site: visitSite };

/** Opens a viewer of a reader with an address; `onSent` is called with each request of its page. */
export async function openViewer(browser, { kind, address, places, onSent }) {
  const context = await browser.newContext({ viewport, extraHTTPHeaders: { 'X-Forwarded-For': address } });
  const page = await context.newPage();
  if (onSent !== undefined) page.on('request', onSent);
  return {
    visit: (book, first) => visitsOf[kind](page, places, book, first),
    close: () => context.close(),
  };
}
