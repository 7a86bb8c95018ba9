import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findTestChromium } from '../../scripts/find-chromium.mjs';

const executablePath = findTestChromium();

/** The flags for a browser without WebGL, and for one that renders WebGL in software. */
const graphics = {
  none: ['--disable-gpu'],
  'in-software': ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
} as const;

type Graphics = keyof typeof graphics;

/** The part of a browser that a test file opens. */
export interface TestBrowser {
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  newPage(options?: BrowserContextOptions): Promise<Page>;
  /** Closes all that was opened by it. */
  close(): Promise<void>;
}

/** The browsers of this process: all of its test files use them, one after the other, and they end with the process. */
const launched = new Map<Graphics, Promise<Browser>>();

/** Only a process that calls its exit handlers removes the browser’s folders. */
const exit = (): void => process.exit();

async function launch(webGl: Graphics): Promise<Browser> {
  const home = mkdtempSync(path.join(tmpdir(), 'lectern-browser-'));
  const removeHome = (): void => rmSync(home, { recursive: true, force: true });
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    handleSIGTERM: false,
    args: [
      '--no-sandbox',
      ...graphics[webGl],
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    env: { ...process.env, HOME: home },
  });
  process.once('exit', removeHome);
  if (!process.listeners('SIGTERM').includes(exit)) process.once('SIGTERM', exit);
  browser.once('disconnected', () => {
    launched.delete(webGl);
    removeHome();
  });
  return browser;
}

/** Opens the browser that `npm test` found, which is launched once in a process. */
export async function openBrowser(webGl: Graphics = 'none'): Promise<TestBrowser> {
  const launching = launched.get(webGl) ?? launch(webGl);
  launched.set(webGl, launching);
  const browser = await launching;
  const opened: { close(): Promise<void> }[] = [];
  return {
    async newContext(options) {
      const context = await browser.newContext(options);
      opened.push(context);
      return context;
    },
    async newPage(options) {
      const page = await browser.newPage(options);
      opened.push(page.context());
      return page;
    },
    async close() {
      for (const context of opened.splice(0)) await context.close();
    },
  };
}

/** A page that draws no frame for so many ms has failed. */
const frameMs = 20_000;

/**
 * Waits for at least so many ms by the timers and frames of the page. On a busy machine both are late, as are those of the
 * page itself, so that what they had to do is done then. Rejects where the page draws no frame for 20 s.
 */
export async function pauseIn(page: Page, ms: number): Promise<void> {
  const stepMs = 50;
  await page.evaluate(
    async ([steps, step, most]) => {
      for (let done = 0; done < steps; done += 1) {
        await new Promise((resolve) => setTimeout(resolve, step));
        await new Promise((resolve, reject) => {
          requestAnimationFrame(resolve);
          setTimeout(() => reject(new Error(`the page drew no frame for ${most} ms`)), most);
        });
      }
    },
    [Math.ceil(ms / stepMs), stepMs, frameMs] as const,
  );
}

/** Collects errors of a page: those of its scripts, and failed requests. */
export function problemsOf(page: Page): readonly string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${message.text()} (${message.location().url})`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // The page aborts requests that it no longer needs.
    if (reason !== 'net::ERR_ABORTED') problems.push(`${request.url()}: ${reason}`);
  });
  return problems;
}

/** Serves the given files by their paths. */
export async function serveFiles(
  files: Readonly<Record<string, { type: string; body: string | Buffer }>>,
): Promise<{ url: string; close(): void }> {
  const server = http.createServer((request, response) => {
    const file = files[request.url?.split('?')[0] ?? ''];
    response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' }).end(file?.body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** OpenSeadragon's script, from its package. */
export const openSeadragonScript = (): Buffer =>
  readFileSync(new URL('../../node_modules/openseadragon/build/openseadragon/openseadragon.min.js', import.meta.url));
