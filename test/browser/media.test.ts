// @module-tag chromium
/** Pages with sound and video: keys, addresses, what can't be played or shown, accessibility, and long recordings. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeContent } from '../../web/src/model/cite/content-states.ts';
import { wavOf, webmOf } from '../fixtures/media-files.ts';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { accessibilityViolations } from './accessibility.ts';
import { openBrowser, problemsOf, type TestBrowser } from './browser.ts';
import { type MediaHost, startMediaHost } from './media-host.ts';
import { annotationPage, canvasId, captions, manifestOf, range, sound, video } from './media-manifests.ts';
import { type ReusedPages, reusePages } from './reused-pages.ts';

const [longSeconds, longLines] = [7200, 2000];

let host: MediaHost;
let app: RunningApp;
let browser: TestBrowser;
let pages: ReusedPages;
let page: Page;
let problems: readonly string[];

const clock = (seconds: number): string =>
  [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => (part < 10 ? `0${part.toFixed(1)}` : part.toFixed(1)).replace(/\.\d$/, ''))
    .join(':');

function longCaptions(): string {
  const step = longSeconds / longLines;
  const lines = Array.from({ length: longLines }, (_, at) => {
    const [from, to] = [Math.round(at * step * 10) / 10, Math.round((at + 1) * step * 10) / 10];
    return `${clock(from)}.${Math.round((from % 1) * 10)}00 --> ${clock(to)}.${Math.round((to % 1) * 10)}00\nLine ${at + 1}`;
  });
  return `WEBVTT\n\n${lines.join('\n\n')}\n`;
}

beforeAll(async () => {
  host = await startMediaHost();
  host.add('/short.wav', wavOf(60), 'audio/wav');
  host.add('/long.wav', wavOf(longSeconds, 3000), 'audio/wav');
  host.add('/red.webm', await webmOf(10, { width: 160, height: 90 }), 'video/webm');
  host.add('/broken.wav', 'no sound', 'audio/wav');
  host.add('/long.vtt', longCaptions(), 'text/vtt');
  host.add('/en.vtt', 'WEBVTT\n\n00:00.000 --> 00:20.000\nGood morning', 'text/vtt');
  app = await startApp({ readingRoom: { manifests: [host.url] } });
  browser = await openBrowser();
  pages = reusePages(browser);
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await host?.close();
});
beforeEach(async () => {
  page = await pages.open({ viewport: { width: 1280, height: 800 } });
  problems = problemsOf(page);
});
afterEach(() => pages.release());

const viewOf = (more = ''): string =>
  `${app.url}/view?manifest=${encodeURIComponent(`${host.url}/manifest.json`)}${more}`;

async function open(manifest: object, more = ''): Promise<void> {
  host.add('/manifest.json', manifest);
  await page.goto(viewOf(more));
  await page.getByRole('region', { name: 'Player' }).waitFor();
}

const recording = (more: object = {}): object =>
  manifestOf(host.url, [{ duration: 60, paintings: [{ body: sound(host.url) }], more }]);

const withText = (name: string, url = host.url): object => ({
  annotations: [
    annotationPage(url, [
      { motivation: 'supplementing', body: captions(url, name, 'en', 'Captions'), target: canvasId(url) },
      { motivation: 'commenting', body: { type: 'TextualBody', value: 'A door' }, target: `${canvasId(url)}#t=4,5` },
    ]),
  ],
});

const position = (): Promise<string | null> =>
  page.getByRole('slider', { name: 'Position' }).evaluate((slider) => slider.ariaValueText);
const isPlaying = (): Promise<boolean> =>
  page.locator('audio, video').evaluate((element) => !(element as HTMLMediaElement).paused);

describe('the keyboard', () => {
  it('plays, moves, and turns the sound off', async () => {
    await open(recording());
    await page.keyboard.press(' ');
    await expect.poll(isPlaying).toBe(true);
    await page.keyboard.press('k');
    await expect.poll(isPlaying).toBe(false);
    await page.keyboard.press('l');
    await page.keyboard.press('ArrowRight');
    await expect.poll(position).toMatch(/^0:1[5-9] of 1:00$/);
    await page.keyboard.press('j');
    await expect.poll(position).toMatch(/^0:0[5-9] of 1:00$/);
    await page.keyboard.press('m');
    await expect.poll(() => page.locator('audio').evaluate((one) => (one as HTMLAudioElement).muted)).toBe(true);
    expect(await page.getByRole('button', { name: 'Mute' }).getAttribute('aria-pressed')).toBe('true');
    // Keys of images do nothing here.
    for (const key of ['+', '-', '0', 'r', 'w', '1', '2', 'z', 'ArrowDown', 'Escape']) await page.keyboard.press(key);
    expect(problems).toEqual([]);
  });

  it('moves the position by 5 seconds, and the lines of a transcript one by one', async () => {
    await open(recording(withText('long.vtt')));
    await page.getByRole('slider', { name: 'Position' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(position).toBe('0:05 of 1:00');
    const lines = page.locator('.media-lines button');
    await lines.first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(position).toBe('0:07 of 1:00');
    expect(await page.locator('.media-lines button[tabindex="0"]').count()).toBe(1);
  });
});

describe('addresses', () => {
  it('have the time on request, and begin there', async () => {
    await open(recording(), '&t=12.5');
    await expect.poll(position).toBe('0:12 of 1:00');
    await page.getByRole('slider', { name: 'Position' }).fill('33.4');
    expect(page.url()).toContain('t=12.5');
    await page.getByRole('button', { name: 'Cite this moment' }).click();
    await expect.poll(() => page.url()).toMatch(/[?&]t=33(?:&|$)/);
    const panel = page.getByRole('complementary', { name: 'Cite' });
    expect(await panel.getByRole('link', { name: /t=33/ }).first().getAttribute('href')).toContain('t=33');
    await page.reload();
    await expect.poll(position).toBe('0:33 of 1:00');
  });

  it.each([
    ['a fragment', '#t=21,30', undefined],
    ['a selector of a point', '', { type: 'PointSelector', t: 21 }],
    ['a selector of a fragment', '', { type: 'FragmentSelector', value: 't=21' }],
  ])('begin where a content state says, by %s', async (_kind, fragment, selector) => {
    host.add('/manifest.json', recording());
    const canvas = {
      id: `${canvasId(host.url)}${fragment}`,
      type: 'Canvas',
      partOf: [{ id: `${host.url}/manifest.json`, type: 'Manifest' }],
    };
    const target = selector === undefined ? canvas : { type: 'SpecificResource', source: canvas, selector };
    const state = encodeContent(JSON.stringify({ type: 'Annotation', motivation: ['contentState'], target }));
    await page.goto(`${app.url}/view?iiif-content=${state}`);
    await page.getByRole('region', { name: 'Player' }).waitFor();
    await expect.poll(position).toBe('0:21 of 1:00');
  });
});

describe('what can’t be played or shown', () => {
  it('is a file that is damaged: it is named, and can be opened', async () => {
    await open(manifestOf(host.url, [{ duration: 9, paintings: [{ body: sound(host.url, 'broken.wav') }] }]));
    const alert = page.getByRole('alert');
    await alert.getByRole('heading', { name: 'This browser can’t play the file' }).waitFor();
    expect(await alert.getByRole('link').getAttribute('href')).toBe(`${host.url}/broken.wav`);
  });

  it('is a file of a host that the library does not allow: nothing is requested of it', async () => {
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    const body = { id: 'http://other.example/a.mp3', type: 'Sound', format: 'audio/mpeg' };
    await open(manifestOf(host.url, [{ duration: 9, paintings: [{ body }] }]));
    await page.getByRole('alert').getByText('it does not allow other.example').waitFor();
    expect(requested.filter((address) => address.includes('other.example'))).toEqual([]);
  });

  const model = (url: string): object => ({
    id: `${url}/whale.glb`,
    type: 'Model',
    format: 'model/gltf-binary',
    label: { en: ['Whale'] },
  });

  it('is a scene of Presentation 4: it says that it is three-dimensional, and names its models', async () => {
    const scene = {
      ...manifestOf(host.url, []),
      '@context': 'http://iiif.io/api/presentation/4/context.json',
      items: [
        {
          id: `${host.url}/scene`,
          type: 'Scene',
          label: { en: ['The whale'] },
          items: [
            {
              type: 'AnnotationPage',
              items: [
                { type: 'Annotation', motivation: ['painting'], body: model(host.url), target: `${host.url}/scene` },
                {
                  type: 'Annotation',
                  motivation: ['painting'],
                  body: { type: 'PerspectiveCamera' },
                  target: `${host.url}/scene`,
                },
              ],
            },
          ],
        },
      ],
    };
    await open(scene);
    await page.getByRole('heading', { name: 'This page is a 3D scene' }).waitFor();
    const link = page.getByRole('link', { name: 'Open the file: whale.glb (model/gltf-binary)' });
    expect(await link.getAttribute('href')).toBe(`${host.url}/whale.glb`);
    expect(await page.locator('.media-notice').count()).toBe(1);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('is a model on a canvas, beside what can be shown', async () => {
    const paintings = [{ body: video(host.url) }, { body: model(host.url) }];
    await open(manifestOf(host.url, [{ duration: 10, size: { width: 160, height: 90 }, paintings }]));
    await page.getByRole('heading', { name: 'A 3D model is on this page' }).waitFor();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(isPlaying).toBe(true);
  });

  it('is nothing on a canvas: it says so', async () => {
    await open(manifestOf(host.url, [{ duration: 10, paintings: [] }]));
    await page.getByRole('heading', { name: 'There is nothing on this page' }).waitFor();
  });
});

describe('a timeline of Presentation 4', () => {
  it('is played, with sound by its new name, and the container beside it', async () => {
    const manifest = manifestOf(host.url, [
      { duration: 60, paintings: [{ body: { ...sound(host.url), type: 'Audio' } }] },
    ]) as { readonly items: readonly object[] };
    const items = manifest.items.map((item) => ({ ...item, type: 'Timeline' }));
    await open({ ...manifest, '@context': 'http://iiif.io/api/presentation/4/context.json', items });
    await page.keyboard.press(' ');
    await expect.poll(isPlaying).toBe(true);
  });
});

describe('accessibility', () => {
  it.each([
    ['light', { width: 1280, height: 800 }],
    ['dark', { width: 390, height: 844 }],
  ] as const)('has no violations in %s, with all tabs', async (colorScheme, viewport) => {
    await pages.release();
    page = await pages.open({ viewport, colorScheme });
    const structures = [range(host.url, 1, 'All', [range(host.url, 2, 'One', [`${canvasId(host.url)}#t=0,20`])])];
    const canvas = { duration: 60, paintings: [{ body: sound(host.url) }], more: withText('en.vtt') };
    await open(manifestOf(host.url, [canvas], { structures }));
    await page.locator('.media-captions').waitFor();
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      expect(await accessibilityViolations(page), (await tab.textContent()) ?? '').toEqual([]);
    }
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Chapters', 'Transcript', 'Annotations', 'Files']);
  });

  it.each([
    [640, 400],
    [320, 568],
  ])('at %i × %i, all controls can be reached', async (width, height) => {
    await pages.release();
    page = await pages.open({ viewport: { width, height } });
    await open(recording(withText('en.vtt')));
    for (const name of ['Play', 'Mute', 'Cite this moment']) {
      const button = page.getByRole('button', { name, exact: true });
      await button.scrollIntoViewIfNeeded();
      const box = await button.boundingBox();
      expect(box?.x, name).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0), name).toBeLessThanOrEqual(width);
      await button.click({ trial: true });
    }
    const isScrolledSideways = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(isScrolledSideways).toBe(false);
  });
});

describe('a recording of two hours with 2,000 lines', () => {
  it('is reached anywhere by ranges, and changes only the line that is spoken', async () => {
    const canvas = {
      duration: longSeconds,
      paintings: [{ body: sound(host.url, 'long.wav') }],
      more: withText('long.vtt'),
    };
    await open(manifestOf(host.url, [canvas]));
    const lines = page.locator('.media-lines button');
    await expect.poll(() => lines.count()).toBe(longLines);
    await page.evaluate(() => {
      const counted = globalThis as unknown as { changed: number };
      counted.changed = 0;
      const list = document.querySelector('.media-lines');
      if (list === null) return;
      new MutationObserver((changes) => {
        counted.changed += changes.length;
      }).observe(list, { subtree: true, childList: true, attributes: true, characterData: true });
    });
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(isPlaying).toBe(true);
    await page.getByRole('slider', { name: 'Position' }).fill('7000');
    await expect
      .poll(() => page.locator('audio').evaluate((one) => (one as HTMLAudioElement).currentTime))
      .toBeGreaterThan(7000);
    const current = page.locator('.media-lines [aria-current="true"]');
    await expect.poll(() => current.textContent()).toMatch(/Line 194[5-9]/);
    expect(
      await current.evaluate((one) => {
        const list = one.closest('.media-lines')?.getBoundingClientRect();
        const { top, bottom } = one.getBoundingClientRect();
        return list !== undefined && top >= list.top && bottom <= list.bottom;
      }),
    ).toBe(true);
    const far = host.ranges.filter((text) => text.startsWith('/long.wav')).map((text) => Number(text.split(' ')[1]));
    expect(Math.max(...far)).toBeGreaterThan(20_000_000);
    // Two lines change for each that is spoken, however many there are.
    expect(await page.evaluate(() => (globalThis as unknown as { changed: number }).changed)).toBeLessThan(40);
    await page.getByRole('textbox', { name: 'Find in the transcript' }).fill('line 1234');
    await expect.poll(() => lines.allInnerTexts()).toEqual(['1:13:58\nLine 1234']);
    await page.getByText('1 of 2,000 lines').waitFor();
  });
});
