// @module-tag chromium
/** The texts of other people's manifests: from annotations in their languages and from linked files, asked for when they are wanted. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { accessibilityViolations } from './accessibility.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { type ForeignHost, startForeignHost } from './foreign-host.ts';
import { manifest3, pages3 } from './foreign-manifests.ts';
import { type ReusedPages, reusePages } from './reused-pages.ts';
import { waitUntilSettled } from './stage-pixels.ts';

let host: ForeignHost;
let app: RunningApp;
let browser: TestBrowser;
let pages: ReusedPages;
let page: Page;

const alto = `<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Layout><Page WIDTH="600" HEIGHT="450"><PrintSpace><TextBlock>
<TextLine HPOS="50" VPOS="100" WIDTH="200" HEIGHT="20"><String CONTENT="Rosa" HPOS="50" VPOS="100" WIDTH="80" HEIGHT="20"/><String CONTENT="alba" HPOS="150" VPOS="100" WIDTH="100" HEIGHT="20"/></TextLine>
</TextBlock></PrintSpace></Page></Layout></alto>`;

const pageXml = `<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Page imageWidth="1200" imageHeight="900"><TextRegion><Coords points="0,0 9,9"/>
<TextLine><Coords points="100,200 500,200 500,240 100,240"/><Word><TextEquiv><Unicode>no</Unicode></TextEquiv></Word><TextEquiv><Unicode>Rosa rubra</Unicode></TextEquiv></TextLine></TextRegion></Page></PcGts>`;

const hocr = `<html><body><div class="ocr_page" title="bbox 0 0 1200 900"><p class="ocr_par"><span class="ocr_line" title="bbox 100 200 500 240"><span class="ocrx_word" title="bbox 100 200 300 240">Rosa</span> <span class="ocrx_word" title="bbox 310 200 500 240">canina</span></span></p></div></body></html>`;

beforeAll(async () => {
  host = await startForeignHost();
  app = await startApp({ readingRoom: { manifests: [host.url] } });
  browser = await openBrowser();
  pages = reusePages(browser);
  const canvas = (number: number): string => `${host.url}/3/canvas/${number}`;
  const line = (value: string, language: string, box: string): object => ({
    type: 'Annotation',
    motivation: 'supplementing',
    textGranularity: 'line',
    body: { type: 'TextualBody', value, language, format: 'text/plain' },
    target: `${canvas(1)}#xywh=${box}`,
  });
  host.add('/3/text.json', {
    type: 'AnnotationPage',
    items: [
      line('Salve rosa', 'la', '100,200,400,40'),
      line('Vale', 'la', '100,300,400,40'),
      line('Hail, rose', 'en', '100,202,400,40'),
      line('Farewell', 'en', '100,302,400,40'),
      {
        type: 'Annotation',
        motivation: 'commenting',
        body: { type: 'TextualBody', value: 'No text' },
        target: canvas(1),
      },
    ],
  });
  host.add('/texts/2.xml', alto);
  host.add('/texts/2.page.xml', pageXml);
  host.add('/texts/2.hocr', hocr);
  host.add('/texts/2.txt', 'Die Rose\n');
  const [first, second, ...others] = pages3(host.url);
  if (first === undefined || second === undefined) throw new Error('no pages');
  const file = (path: string, more: object): object => ({ id: `${host.url}${path}`, type: 'Text', ...more });
  const linked = {
    seeAlso: [
      file('/texts/2.xml', { format: 'application/xml', profile: 'http://www.loc.gov/standards/alto/v4' }),
      file('/texts/2.page.xml', { format: 'application/xml', label: { en: ['PAGE XML'] } }),
      file('/texts/2.hocr', { format: 'text/html', profile: 'http://kba.cloud/hocr-spec/1.2/' }),
      file('/texts/mets.xml', { format: 'application/xml', label: { en: ['METS'] } }),
    ],
    rendering: [file('/texts/2.txt', { format: 'text/plain', label: { en: ['A translation'] }, language: ['de'] })],
  };
  const written = [
    { ...first, more: { annotations: [{ id: `${host.url}/3/text.json`, type: 'AnnotationPage' }] } },
    { ...second, more: linked },
    ...others,
  ];
  host.add('/3/manifest.json', manifest3(host.url, { viewingDirection: 'left-to-right', behavior: [] }, written));
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await host?.close();
});
beforeEach(async () => {
  page = await pages.open({ viewport: { width: 1300, height: 860 }, locale: 'en', reducedMotion: 'reduce' });
});
afterEach(() => pages.release());

const lines = (): Promise<readonly string[]> => page.locator('.text-lines li').allTextContents();

const address = (query: string): string =>
  `${app.url}/view?manifest=${encodeURIComponent(`${host.url}/3/manifest.json`)}${query}`;

async function open(query: string): Promise<void> {
  await page.goto(address(query));
  await waitUntilSettled(page);
}

it('has the text of annotations when it is wanted, in their languages, beside each other', async () => {
  await open('');
  expect(host.requested).not.toContain('/3/text.json');
  await page.keyboard.press('e');
  await expect.poll(lines).toEqual(['1Salve rosa', '2Vale']);
  const choice = page.getByLabel('Text', { exact: true });
  expect(await choice.locator('option').allTextContents()).toEqual(['Latin', 'English']);
  await page.getByLabel('Beside it').selectOption({ label: 'English' });
  await expect.poll(lines).toEqual(['1Salve rosaHail, rose', '2ValeFarewell']);
  await page.locator('.text-lines li').nth(1).hover();
  await expect.poll(() => page.locator('.text-shapes .lit').getAttribute('y')).toBe('300');
  await expect.poll(() => new URL(page.url()).searchParams.get('texts')).toBe(',en');
  expect(await accessibilityViolations(page)).toEqual([]);
});

it('has the texts of linked files, with their places, and leaves other files alone', async () => {
  await open('&pn=2');
  await page.keyboard.press('e');
  await expect.poll(lines).toEqual(['1Rosa alba']);
  const choice = page.getByLabel('Text', { exact: true });
  expect(await choice.locator('option').allTextContents()).toEqual([
    'Transcription (ALTO)',
    'PAGE XML',
    'Transcription (hOCR)',
    'A translation',
  ]);
  await page.locator('.text-lines li').first().hover();
  await expect.poll(() => page.locator('.text-shapes .lit').getAttribute('x')).toBe('100');
  await expect.poll(() => page.locator('.text-shapes .lit').getAttribute('width')).toBe('400');
  await choice.selectOption({ label: 'PAGE XML' });
  await expect.poll(lines).toEqual(['1Rosa rubra']);
  await choice.selectOption({ label: 'Transcription (hOCR)' });
  await expect.poll(lines).toEqual(['1Rosa canina']);
  await choice.selectOption({ label: 'A translation' });
  await expect.poll(lines).toEqual(['1Die Rose']);
  await expect.poll(() => page.locator('.text-lines .line-text').first().getAttribute('lang')).toBe('de');
  expect(host.requested).not.toContain('/texts/mets.xml');
});

it('says on a page without texts that there is none, and reads the others alone', async () => {
  await page.goto(address('&layout=text'));
  const read = page.locator('.reading-page');
  await expect.poll(() => read.nth(1).locator('p').allTextContents()).toEqual(['Rosa alba ']);
  expect(await read.first().locator('p').allTextContents()).toEqual(['Salve rosa Vale ']);
  await read.nth(2).getByText('There is no text of this page.').waitFor();
});
