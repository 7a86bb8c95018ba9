/** A library that has what every panel needs: layers, chapters, texts, facts to choose folders by, and sound with a transcript. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import type { Page } from 'playwright-core';
import { runIndexing } from '../../src/app/run-indexing.ts';
import { readSettings } from '../../src/app/settings/configuration.ts';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { wavOf } from '../fixtures/media-files.ts';
import { gradient } from './gradients.ts';
import { serveFrom, type TemporaryServer } from './temporary-server.ts';
import { altoOf, marigold, rose } from './text-pages.ts';

const metadata = `label: A herbal of the town and of the hills around it
behavior: paged
metadata: { Author: Bock, Language: German, Date: "1539" }
pages:
  p1: Title page
  p2: The lantern-bell
  p3: The harbour poppy
  p4: The evening daisy
contents:
  - { label: Front matter, pages: 1 }
  - { label: Flowers of the coast, pages: 2-3 }
  - { label: Flowers of the hills, pages: 4 }
`;

const layers = `label: Kinds of light
metadata: { Author: Fuchs, Language: Latin, Date: "1543" }
layers:
  seen: [seen: Visible light, uv: Ultraviolet, ir: Infrared]
`;

const sentence = (at: number): string =>
  `00:00:${at}0.000 --> 00:00:${at}9.000\nSentence ${at} of the talk, as long as sentences are.`;

async function fill(folder: string): Promise<void> {
  for (const name of ['herbal', 'light', 'talk']) mkdirSync(path.join(folder, name));
  const write = (name: string, content: string | Buffer): void => writeFileSync(path.join(folder, name), content);
  for (let page = 1; page <= 4; page++) {
    write(`herbal/p${page}.png`, await gradient(600, 800).png().toBuffer());
    write(`herbal/p${page}.txt`, `The poppy of page ${page} sows itself between the stones of the quay.`);
  }
  for (const name of ['seen', 'uv', 'ir']) write(`light/${name}.png`, await gradient(600, 800).png().toBuffer());
  // With boxes of words, so that they can be selected.
  for (const [page, text] of [
    ['p2', marigold],
    ['p3', rose],
  ] as const) {
    rmSync(path.join(folder, `herbal/${page}.txt`));
    write(`herbal/${page}.xml`, altoOf(text));
  }
  write('herbal/metadata.yaml', metadata);
  write('light/metadata.yaml', layers);
  write('talk/talk.wav', wavOf(60));
  write('talk/talk.en.vtt', `WEBVTT\n\n${[0, 1, 2, 3, 4, 5].map(sentence).join('\n\n')}\n`);
  write('talk/metadata.yaml', 'label: A talk\n');
}

/** Starts a server with `herbal`, `light` and `talk`, whose texts are in its index. */
export async function startPanelLibrary(): Promise<TemporaryServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-panels-'));
  const directory = mkdtempSync(path.join(tmpdir(), 'lectern-panels-index-'));
  await fill(folder);
  const settings: SettingsInput = {
    library: { folders: [folder] },
    readingRoom: { manifests: ['http:'] },
    index: { directory: false },
    search: { directory },
  };
  await runIndexing(readSettings(settings, {}, undefined), pino({ level: 'silent' }), {});
  const server = await serveFrom(folder, settings);
  return {
    ...server,
    async close() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Presses the key of a panel once the page has it, and waits until it is there. */
export async function openByKey(page: Page, { key, button, shown }: PanelPage): Promise<void> {
  if (key !== undefined) {
    await page.locator('.stage-image canvas').first().waitFor();
    await page.locator(`.tool-rail [aria-label="${button}"]`).waitFor({ state: 'attached' });
    await page.keyboard.press(key);
  }
  await page.locator(shown).first().waitFor();
}

export interface PanelPage {
  readonly name: string;
  readonly address: string;
  /** The key that opens the panel, and the name of its button, which says that the page has it; none where the page has it already. */
  readonly key?: string;
  readonly button?: string;
  /** What is there when it is open. */
  readonly shown: string;
}

/** The panels, and pages that have them. */
export const panelPages: readonly PanelPage[] = [
  { name: 'layers', address: 'view/light/seen.png', key: 'y', button: 'Layers', shown: '.side-panel img' },
  { name: 'contents', address: 'view/herbal/p2.png', key: 'Shift+C', button: 'Contents', shown: '.side-panel li a' },
  {
    name: 'one click and colors',
    address: 'view/herbal/p2.png',
    key: 'a',
    button: 'Adjust',
    shown: '.side-panel .one-click button',
  },
  {
    name: 'search',
    address: 'view/herbal/p2.png?q=poppy',
    key: '/',
    button: 'Search in the book',
    shown: '.side-panel .hits-of-page button',
  },
  {
    name: 'citing',
    address: 'view/herbal/p2.png',
    key: 'c',
    button: 'Cite and download',
    shown: '.side-panel .copy-row',
  },
  { name: 'all pages', address: 'view/herbal/p2.png?layout=gallery', shown: '.gallery img' },
  { name: 'the scroll', address: 'view/herbal/p2.png?layout=scroll', shown: '.whole-book.scroll img' },
  { name: 'the player', address: 'view/talk/talk.wav', shown: '.media-lines li' },
  { name: 'the desk', address: 'desk', shown: 'h1' },
  { name: 'order and choice', address: '?order=date', shown: 'main select, main .facet-fields' },
  { name: 'the field for IIIF of others', address: '', shown: 'main input[placeholder="https://"]' },
];
