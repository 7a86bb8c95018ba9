/** Opens pages of a browser over a throttled connection. */
import { chromium } from 'playwright-core';

/** The bandwidth of each direction, and the latency of each request. */
export const connection = { megabits: 20, latencyMs: 40 };

const bytesPerSecond = (connection.megabits * 1e6) / 8;

export const launchBrowser = (executablePath) => chromium.launch({ executablePath, args: ['--no-sandbox'] });

/** Calls `use` with a page with an empty cache over the throttled connection. */
export async function withThrottledPage(browser, use) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: connection.latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  const result = await use(page);
  await context.close();
  return result;
}
