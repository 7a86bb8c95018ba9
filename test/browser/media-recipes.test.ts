// @module-tag chromium
/** Sound and video of other people's manifests: each shape of the IIIF cookbook is played as its recipe asks. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { wavOf, webmOf } from '../fixtures/media-files.ts';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { openBrowser, problemsOf, type TestBrowser } from './browser.ts';
import { type MediaHost, startMediaHost } from './media-host.ts';
import {
  annotationPage,
  canvasId,
  captions,
  image,
  imageCanvas,
  manifestOf,
  range,
  sound,
  video,
} from './media-manifests.ts';
import { type ReusedPages, reusePages } from './reused-pages.ts';

let host: MediaHost;
let app: RunningApp;
let browser: TestBrowser;
let pages: ReusedPages;
let page: Page;
let problems: readonly string[];

const picture = (color: string): Promise<Buffer> =>
  sharp({ create: { width: 300, height: 400, channels: 3, background: color } })
    .png()
    .toBuffer();

const vtt = (lines: readonly string[]): string =>
  `WEBVTT\n\n${lines.map((line, at) => `00:00:0${at * 2}.000 --> 00:00:0${at * 2 + 2}.000\n${line}`).join('\n\n')}\n`;

beforeAll(async () => {
  host = await startMediaHost();
  host.add('/short.wav', wavOf(10), 'audio/wav');
  host.add('/next.wav', wavOf(1), 'audio/wav');
  host.add('/red.webm', await webmOf(10, { width: 160, height: 90 }), 'video/webm');
  host.add('/blue.webm', await webmOf(6, { width: 160, height: 90, color: '#3030c0' }), 'video/webm');
  host.add('/page.png', await picture('#c8e0c8'), 'image/png');
  host.add('/poster.png', await picture('#e8d8b8'), 'image/png');
  host.add('/en.vtt', vtt(['Good morning', '<v Ann>How are you?', 'Fine']), 'text/vtt');
  host.add('/it.vtt', vtt(['Buongiorno', 'Come sta?', 'Bene']), 'text/vtt');
  host.add('/transcript.txt', 'First line\nSecond line', 'text/plain');
  host.add('/broken.m4a', 'no sound', 'audio/mp4');
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

async function open(manifest: object, more = ''): Promise<void> {
  host.add('/manifest.json', manifest);
  await page.goto(`${app.url}/view?manifest=${encodeURIComponent(`${host.url}/manifest.json`)}${more}`);
  await page.getByRole('region', { name: 'Player' }).waitFor();
}

const play = (): Promise<void> => page.getByRole('button', { name: 'Play', exact: true }).click();
const position = (): Promise<string | null> =>
  page.getByRole('slider', { name: 'Position' }).evaluate((slider) => slider.ariaValueText);
const timeOf = (selector: string): Promise<number> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => (element as HTMLMediaElement).currentTime);
const isPlaying = (selector: string): Promise<boolean> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => !(element as HTMLMediaElement).paused);
const tab = (name: string) => page.getByRole('tab', { name, exact: true });
const seconds = (text: string | null): number => {
  const [minutes = 0, rest = 0] = (text?.split(' ')[0] ?? '').split(':').map(Number);
  return minutes * 60 + rest;
};

describe('the recipes of the cookbook', () => {
  it('0002: sound plays, and its length is that of the canvas', async () => {
    await open(manifestOf(host.url, [{ duration: 10, paintings: [{ body: sound(host.url) }] }]));
    expect(await position()).toBe('0:00 of 0:10');
    await play();
    await expect.poll(() => timeOf('audio')).toBeGreaterThan(0.3);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await expect.poll(() => isPlaying('audio')).toBe(false);
    expect(problems).toEqual([]);
  });

  it('0003: video is seen in the proportions of its canvas', async () => {
    const canvas = { duration: 10, size: { width: 160, height: 90 }, paintings: [{ body: video(host.url) }] };
    await open(manifestOf(host.url, [canvas]));
    await play();
    await expect.poll(() => timeOf('video')).toBeGreaterThan(0.3);
    const box = await page.locator('.media-canvas').boundingBox();
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(160 / 90, 1);
    expect(box?.width).toBeGreaterThan(500);
    expect(problems).toEqual([]);
  });

  it('0013: the placeholder is seen until the video plays', async () => {
    const more = { placeholderCanvas: imageCanvas(host.url, 'poster.png') };
    const canvas = { duration: 10, size: { width: 160, height: 90 }, paintings: [{ body: video(host.url) }], more };
    await open(manifestOf(host.url, [canvas]));
    const poster = page.locator(`.media-canvas img[src="${host.url}/poster.png"]`);
    await poster.waitFor();
    await play();
    await poster.waitFor({ state: 'detached' });
  });

  it('0014: the accompanying canvas is seen while the sound plays', async () => {
    const more = { accompanyingCanvas: imageCanvas(host.url, 'page.png') };
    await open(manifestOf(host.url, [{ duration: 10, paintings: [{ body: sound(host.url) }], more }]));
    const beside = page.locator(`.media-canvas img[src="${host.url}/page.png"]`);
    await beside.waitFor();
    await play();
    await expect.poll(() => timeOf('audio')).toBeGreaterThan(0.3);
    expect(await beside.isVisible()).toBe(true);
    const box = await page.locator('.media-canvas').boundingBox();
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(300 / 400, 1);
  });

  it('0015: a video begins where the manifest says', async () => {
    const start = {
      id: `${host.url}/start`,
      type: 'SpecificResource',
      source: canvasId(host.url),
      selector: { type: 'PointSelector', t: 6.5 },
    };
    await open(manifestOf(host.url, [{ duration: 10, paintings: [{ body: video(host.url) }] }], { start }));
    expect(await position()).toBe('0:06 of 0:10');
    await expect.poll(() => timeOf('video')).toBeCloseTo(6.5, 1);
    await play();
    await expect.poll(() => timeOf('video')).toBeGreaterThan(6.7);
  });

  it('0017: a transcript is read beside the video, and offered as a file', async () => {
    const rendering = [
      { id: `${host.url}/transcript.txt`, type: 'Text', format: 'text/plain', label: { en: ['The transcript'] } },
    ];
    await open(manifestOf(host.url, [{ duration: 10, paintings: [{ body: video(host.url) }], more: { rendering } }]));
    await tab('Transcript').click();
    await page.getByText('Second line').waitFor();
    await tab('Files').click();
    const link = page.getByRole('link', { name: 'The transcript' });
    expect(await link.getAttribute('href')).toBe(`${host.url}/transcript.txt`);
  });

  it('0026: chapters within a canvas lead to their times', async () => {
    const id = canvasId(host.url);
    const acts = [
      range(host.url, 2, 'First act', [
        range(host.url, 3, 'Overture', [`${id}#t=0,3`]),
        range(host.url, 4, 'The rest', [`${id}#t=3,6`]),
      ]),
      range(host.url, 5, 'Second act', [`${id}#t=6,10`]),
    ];
    const structures = [range(host.url, 1, 'The opera', acts)];
    await open(manifestOf(host.url, [{ duration: 10, paintings: [{ body: video(host.url) }] }], { structures }));
    const chapters = page.locator('.media-chapters button');
    expect(await chapters.allInnerTexts()).toEqual([
      'First act\n0:00',
      'Overture\n0:00',
      'The rest\n0:03',
      'Second act\n0:06',
    ]);
    await chapters.nth(3).click();
    await expect.poll(() => timeOf('video')).toBeCloseTo(6, 0);
    expect(await chapters.nth(3).getAttribute('aria-current')).toBe('true');
    await chapters.nth(2).click();
    await expect.poll(() => chapters.nth(2).getAttribute('aria-current')).toBe('true');
  });

  it('0064: two videos follow each other on one canvas', async () => {
    const id = canvasId(host.url);
    const paintings = [
      { body: video(host.url), part: '#t=0,2' },
      { body: video(host.url, 'blue.webm'), part: '#t=2' },
    ];
    const structures = [range(host.url, 1, 'All', [range(host.url, 2, 'Second', [`${id}#t=2,8`])])];
    await open(manifestOf(host.url, [{ duration: 8, size: { width: 160, height: 90 }, paintings }], { structures }));
    await play();
    await expect.poll(() => isPlaying('video >> nth=1')).toBe(true);
    expect(await isPlaying('video >> nth=0')).toBe(false);
    await expect.poll(async () => seconds(await position())).toBeGreaterThanOrEqual(3);
    expect(await page.locator('.media-item.hidden video').count()).toBe(1);
    await page.getByRole('slider', { name: 'Position' }).fill('1');
    await expect.poll(() => isPlaying('video >> nth=0')).toBe(true);
    expect(await isPlaying('video >> nth=1')).toBe(false);
  });

  it('0065: chapters lead to other canvases and their times, and the sound goes on', async () => {
    const structures = [
      range(host.url, 1, 'Both acts', [
        range(host.url, 2, 'Act one', [`${canvasId(host.url, 1)}#t=0,10`]),
        range(host.url, 3, 'Act two', [`${canvasId(host.url, 2)}#t=2,6`]),
      ]),
    ];
    const canvases = [
      { duration: 10, paintings: [{ body: video(host.url) }] },
      { duration: 6, paintings: [{ body: video(host.url, 'blue.webm') }] },
    ];
    await open(manifestOf(host.url, canvases, { structures }));
    await play();
    await expect.poll(() => timeOf('video')).toBeGreaterThan(0.2);
    await page.getByRole('button', { name: /Act two/ }).click();
    await expect.poll(() => page.locator('video').getAttribute('src')).toBe(`${host.url}/blue.webm`);
    await expect.poll(() => timeOf('video')).toBeGreaterThan(2);
    expect(await isPlaying('video')).toBe(true);
    await page.goBack();
    await expect.poll(() => page.locator('video').getAttribute('src')).toBe(`${host.url}/red.webm`);
  });

  it('0074: captions are chosen by language', async () => {
    const body = {
      type: 'Choice',
      items: [captions(host.url, 'en.vtt', 'en', 'Captions'), captions(host.url, 'it.vtt', 'it', 'Sottotitoli')],
    };
    const annotations = [annotationPage(host.url, [{ motivation: 'supplementing', body, target: canvasId(host.url) }])];
    await open(manifestOf(host.url, [{ duration: 10, paintings: [{ body: video(host.url) }], more: { annotations } }]));
    await page.locator('.media-captions', { hasText: 'Good morning' }).waitFor();
    await page.getByLabel('Captions').selectOption('Italian – Sottotitoli');
    const lines = page.locator('.media-captions');
    await expect.poll(() => lines.textContent()).toBe('Buongiorno');
    expect(await lines.getAttribute('lang')).toBe('it');
    await page.getByRole('slider', { name: 'Position' }).fill('2.5');
    await expect.poll(() => lines.textContent()).toBe('Come sta?');
    await page.getByLabel('Captions').selectOption('Off');
    await lines.waitFor({ state: 'detached' });
  });

  it('0103: annotations of a time are listed, and lead there', async () => {
    const items = [
      {
        motivation: ['commenting'],
        body: [{ type: 'TextualBody', value: 'Laughter' }],
        target: `${canvasId(host.url)}#t=4.0,5.0`,
      },
      { motivation: 'tagging', body: { type: 'TextualBody', value: 'poetry' }, target: canvasId(host.url) },
    ];
    const annotations = [annotationPage(host.url, items)];
    await open(manifestOf(host.url, [{ duration: 10, paintings: [{ body: sound(host.url) }], more: { annotations } }]));
    await tab('Annotations').click();
    expect(await page.locator('.media-remarks li').allInnerTexts()).toEqual([
      '0:04–0:05\n\nLaughter',
      'Of the whole\n\npoetry',
    ]);
    await page.getByRole('button', { name: '0:04–0:05' }).click();
    await expect.poll(() => timeOf('audio')).toBeCloseTo(4, 1);
    expect(await page.locator('.media-remarks li.chosen').textContent()).toContain('Laughter');
  });

  it('0219: captions are a transcript that follows and is pressed', async () => {
    const body = captions(host.url, 'en.vtt', 'en', 'Captions in WebVTT format');
    const annotations = [annotationPage(host.url, [{ motivation: 'supplementing', body, target: canvasId(host.url) }])];
    await open(manifestOf(host.url, [{ duration: 10, paintings: [{ body: video(host.url) }], more: { annotations } }]));
    const lines = page.locator('.media-lines button');
    expect(await lines.allInnerTexts()).toEqual(['0:00\nGood morning', '0:02\nAnn How are you?', '0:04\nFine']);
    await lines.nth(1).click();
    await expect.poll(() => timeOf('video')).toBeCloseTo(2, 0);
    await expect.poll(() => lines.nth(1).getAttribute('aria-current')).toBe('true');
    await play();
    await expect.poll(() => lines.nth(2).getAttribute('aria-current')).toBe('true');
    expect(await page.locator('.media-lines [aria-current]').count()).toBe(1);
  });

  it('0229: ranges with thumbnails are chapters with pictures', async () => {
    const id = canvasId(host.url);
    const thumbnail = [image(host.url, 'poster.png')];
    const scenes = [
      range(host.url, 2, 'Hidden', [`${id}#t=0,1`], { behavior: ['no-nav'] }),
      range(host.url, 3, '1 s to 5 s', [`${id}#t=1,5`], { thumbnail }),
      range(host.url, 4, '5 s to the end', [`${id}#t=5,10`], { thumbnail }),
    ];
    const structures = [range(host.url, 1, 'Thumbnails', scenes, { behavior: ['thumbnail-nav'] })];
    await open(manifestOf(host.url, [{ duration: 10, paintings: [{ body: video(host.url) }] }], { structures }));
    expect(await page.locator('.media-chapters button').allInnerTexts()).toEqual([
      '1 s to 5 s\n0:01',
      '5 s to the end\n0:05',
    ]);
    expect(await page.locator('.media-chapters img').count()).toBe(2);
    await page.locator('.media-chapters button').nth(1).click();
    await expect.poll(() => timeOf('video')).toBeCloseTo(5, 0);
  });

  it('0232: the thumbnail of the canvas is in the filmstrip', async () => {
    const more = { thumbnail: [image(host.url, 'poster.png')] };
    const canvases = [1, 2].map(() => ({ duration: 10, paintings: [{ body: sound(host.url) }], more }));
    await open(manifestOf(host.url, canvases));
    await expect
      .poll(() => page.locator('.filmstrip img').first().getAttribute('src'))
      .toContain(`${host.url}/poster.png`);
  });

  it('0434: of several forms the first that plays is played, and others are chosen', async () => {
    const items = [
      { ...sound(host.url, 'lossless.m4a'), format: 'audio/x-unknown', label: { en: ['Lossless'] } },
      { ...sound(host.url, 'broken.m4a'), format: 'audio/mp4', label: { en: ['Broken'] } },
      { ...sound(host.url), label: { en: ['WAV'] } },
      { ...sound(host.url, 'next.wav'), label: { en: ['Short'] } },
    ];
    await open(manifestOf(host.url, [{ duration: 10, paintings: [{ body: { type: 'Choice', items } }] }]));
    await expect.poll(() => page.locator('audio').getAttribute('src')).toBe(`${host.url}/short.wav`);
    await page.getByLabel('Version').selectOption('Short');
    await expect.poll(() => page.locator('audio').getAttribute('src')).toBe(`${host.url}/next.wav`);
    expect(await page.getByLabel('Version').locator('option').allInnerTexts()).toEqual([
      'Lossless',
      'Broken',
      'WAV',
      'Short',
    ]);
  });

  it('0489: images, video and texts are on the canvas at their times and places', async () => {
    const text = (value: string): object => ({ type: 'TextualBody', format: 'text/html', value: `<p>${value}</p>` });
    const paintings = [
      { body: image(host.url), part: '#t=1,3' },
      { body: video(host.url), part: '#xywh=0,0,80,45&t=1,3' },
      { body: text('Press Play'), part: '#xywh=40,30,80,30&t=0,1' },
      { body: text('The end'), part: '#xywh=40,30,80,30&t=3,4' },
    ];
    await open(manifestOf(host.url, [{ duration: 4, size: { width: 160, height: 90 }, paintings }]));
    await page.locator('.media-text', { hasText: 'Press Play' }).waitFor();
    expect(await page.locator('.media-item.hidden video').count()).toBe(1);
    await play();
    await page.locator(`.media-canvas img[src="${host.url}/page.png"]`).waitFor();
    await expect.poll(() => isPlaying('video')).toBe(true);
    const [stage, part] = await Promise.all(
      ['.media-canvas', '.media-item:has(video)'].map((selector) => page.locator(selector).boundingBox()),
    );
    expect((part?.width ?? 0) / (stage?.width ?? 1)).toBeCloseTo(0.5, 2);
    await page.locator('.media-text', { hasText: 'The end' }).waitFor();
    expect(await isPlaying('video')).toBe(false);
    await expect.poll(position).toBe('0:04 of 0:04');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  });

  it('0560: images follow each other on a time, and begin again where the manifest says so', async () => {
    const paintings = [
      { body: image(host.url), part: '#t=0,1' },
      { body: image(host.url, 'poster.png'), part: '#t=1,2' },
    ];
    const canvas = { duration: 2, size: { width: 300, height: 400 }, paintings };
    await open(manifestOf(host.url, [canvas], { behavior: ['repeat'] }));
    const shown = page.locator('img.media-item');
    await expect.poll(() => shown.getAttribute('src')).toBe(`${host.url}/page.png`);
    await play();
    for (const name of ['poster', 'page', 'poster'])
      await page.locator(`img.media-item[src="${host.url}/${name}.png"]`).waitFor();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
  });
});

describe('several canvases', () => {
  it('are played in turn where the manifest wants that, and not where a canvas does not', async () => {
    const canvases = [
      { duration: 1, paintings: [{ body: sound(host.url, 'next.wav') }] },
      { duration: 1, paintings: [{ body: sound(host.url, 'next.wav') }], more: { behavior: ['no-auto-advance'] } },
      { duration: 10, paintings: [{ body: sound(host.url) }] },
    ];
    await open(manifestOf(host.url, canvases, { behavior: ['auto-advance'] }));
    await play();
    await page.getByRole('heading', { level: 1, name: 'Canvas 2' }).waitFor({ state: 'attached' });
    await expect.poll(position).toBe('0:01 of 0:01');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    expect(await page.locator('audio').getAttribute('src')).toBe(`${host.url}/next.wav`);
  });
});
