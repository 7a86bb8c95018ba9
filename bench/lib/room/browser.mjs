/** A browser behind a line of a given speed. */
import { chromium } from 'playwright-core';

/** Down and up alike; the latency is that of each request. */
export const line = { megabits: 20, latencyMs: 40 };

const bytesPerSecond = (line.megabits * 1e6) / 8;

export const launchBrowser = (executablePath) => chromium.launch({ executablePath, args: ['--no-sandbox'] });

/** A fresh reader's page behind the line: nothing is in the browser's cache. */
export async function onLine(browser, use) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: line.latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  const result = await use(page);
  await context.close();
  return result;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
