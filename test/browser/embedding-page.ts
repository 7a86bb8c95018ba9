/** A page of another site in which the viewer is embedded. */
import type { Page } from 'playwright-core';
import { serveFiles } from './browser.ts';

export interface EmbeddingPage {
  readonly url: string;
  close(): void;
}

/** Serves a page at another origin (port) with the HTML as its body; it records the viewer's events and messages. */
export const startEmbeddingPage = (library: string, html: string): Promise<EmbeddingPage> =>
  serveFiles({
    '/': {
      type: 'text/html; charset=utf-8',
      body: `<!doctype html><html lang="en"><head><title>A page of others</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${new URL(library).origin} 'self'; frame-src ${new URL(library).origin}">
<script type="module" src="/record-events.js"></script><script type="module" src="${library}lectern-viewer.js"></script></head>
<body>${html}</body></html>`,
    },
    '/record-events.js': {
      type: 'text/javascript; charset=utf-8',
      body: `globalThis.events = [];
globalThis.messages = [];
for (const name of ['ready', 'view', 'page', 'problem'])
  addEventListener('lectern-' + name, ({ detail }) => events.push([name, detail]));
addEventListener('message', ({ data, origin }) => messages.push({ ...data, origin }));`,
    },
  });

/** The detail of the last event of a name; undefined if there was none. */
export const lastEvent = (page: Page, name: string): Promise<Record<string, unknown> | undefined> =>
  page.evaluate((wanted) => {
    const { events } = globalThis as unknown as { events: [string, Record<string, unknown>][] };
    return events.findLast(([type]) => type === wanted)?.[1];
  }, name);
