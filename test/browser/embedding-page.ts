/** A page of another site with the viewer inside of it, for tests of embedding. */
import type { Page } from 'playwright-core';
import { serveFiles } from './browser.ts';

export interface EmbeddingPage {
  readonly url: string;
  close(): void;
}

/** A page at another origin (another port is one), whose body is the HTML; it keeps what the viewer tells. */
export const startEmbeddingPage = (library: string, html: string): Promise<EmbeddingPage> =>
  serveFiles({
    '/': {
      type: 'text/html; charset=utf-8',
      body: `<!doctype html><html lang="en"><head><title>A page of others</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${new URL(library).origin} 'self'; frame-src ${new URL(library).origin}">
<script type="module" src="/keep.js"></script><script type="module" src="${library}lectern-viewer.js"></script></head>
<body>${html}</body></html>`,
    },
    '/keep.js': {
      type: 'text/javascript; charset=utf-8',
      body: `globalThis.kept = [];
globalThis.messages = [];
for (const name of ['ready', 'view', 'page', 'problem'])
  addEventListener('lectern-' + name, ({ detail }) => kept.push([name, detail]));
addEventListener('message', ({ data, origin }) => messages.push({ ...data, origin }));`,
    },
  });

/** What the viewer told last under a name of an event; undefined where it has not. */
export const lastEvent = (page: Page, name: string): Promise<Record<string, unknown> | undefined> =>
  page.evaluate((wanted) => {
    const { kept } = globalThis as unknown as { kept: [string, Record<string, unknown>][] };
    return kept.findLast(([told]) => told === wanted)?.[1];
  }, name);
