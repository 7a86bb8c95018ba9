// @module-tag chromium
/** Sound and video of the library itself: listed in their folder, and played at their own addresses. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { wavOf, webmOf } from '../fixtures/media-files.ts';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { accessibilityViolations } from './accessibility.ts';
import { openBrowser, problemsOf, type TestBrowser } from './browser.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-own-media-'));
let app: RunningApp;
let browser: TestBrowser;
let page: Page;

beforeAll(async () => {
  const write = (name: string, content: Buffer | string): void => writeFileSync(path.join(folder, name), content);
  mkdirSync(path.join(folder, 'talks'));
  mkdirSync(path.join(folder, 'alone'));
  write('talks/talk.wav', wavOf(20));
  write(
    'talks/talk.jpg',
    await sharp({ create: { width: 300, height: 200, channels: 3, background: '#486' } })
      .jpeg()
      .toBuffer(),
  );
  write('talks/talk.en.vtt', 'WEBVTT\n\n00:00.000 --> 00:02.000\nGood day\n\n00:02.000 --> 00:20.000\nand welcome');
  write('talks/film.webm', await webmOf(5, { width: 160, height: 90 }));
  write('alone/song.wav', wavOf(3));
  app = await startApp({ library: { folders: [folder] } });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  await page?.close();
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
});

const timeOf = (selector: string): Promise<number> =>
  page.locator(selector).evaluate((element) => (element as HTMLMediaElement).currentTime);

it('a folder lists them with their lengths, and leads to their pages', async () => {
  const problems = problemsOf(page);
  await page.goto(`${app.url}/browse/talks`);
  const cards = page.locator('.media-cards a');
  await expect.poll(() => cards.allInnerTexts()).toEqual(['film.webm\nVideo · 0:05', 'talk.wav\nSound · 0:20']);
  expect(await accessibilityViolations(page)).toEqual([]);
  await cards.nth(1).click();
  await page.getByRole('region', { name: 'Player' }).waitFor();
  await page.locator('.media-canvas img').waitFor();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(() => timeOf('audio')).toBeGreaterThan(0.2);
  await page.getByRole('tab', { name: 'Transcript' }).click();
  await page.getByRole('button', { name: /and welcome/ }).click();
  await expect.poll(() => timeOf('audio')).toBeGreaterThan(2);
  expect(await accessibilityViolations(page)).toEqual([]);
  expect(problems).toEqual([]);
});

it('a file is played at its own address, at a time', async () => {
  await page.goto(`${app.url}/view/talks/film.webm?t=3`);
  await page.getByRole('region', { name: 'Player' }).waitFor();
  await expect.poll(() => timeOf('video')).toBeCloseTo(3, 1);
  // The page before it is an image of the same folder.
  await page.getByRole('button', { name: 'First page' }).click();
  await page.getByRole('application').waitFor();
  await expect.poll(() => page.getByRole('region', { name: 'Player' }).count()).toBe(0);
});

it('a folder of sound alone is listed, and played', async () => {
  await page.goto(`${app.url}/browse/alone`);
  await page.getByRole('link', { name: /song\.wav/ }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(() => timeOf('audio')).toBeGreaterThan(0.1);
});
