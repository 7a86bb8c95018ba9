// @module-tag chromium
/** Several texts of a page: chosen, beside each other line by line, read aloud, copied with their source, corrected, and alone. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityViolations } from './accessibility.ts';
import { setUpBrowser } from './browser-pages.ts';
import { startTextApp } from './text-pages.ts';
import { waitForText } from './text-views.ts';
import { endSpeaking, saidBy, spokenTexts, stubVoice, voiceLog } from './voice.ts';

/** As many lines as the page has, and a translation with fewer. */
const translations = {
  '1-marigold.de.txt': [
    'Von der Ringelblume',
    '',
    'Die Ringelblume hat gelbe Blüten, die sich',
    'mit der Sonne öffnen und am Abend',
    'schließen, so dass Hirten die',
    'Stunde des Tages an ihnen lesen.',
    'Die Blätter sind blass und riechen nach Honig.',
    '',
    'Getrocknet und bewahrt färben sie die',
    'Suppe im Winter und trösten das Herz.',
  ],
  '1-marigold.fr.txt': ['Du souci', '', 'Le souci a des fleurs jaunes.', '', 'Les fleurs colorent le bouillon.'],
  '2-rose.de.txt': ['Von der Rose'],
};

const session = setUpBrowser(() =>
  startTextApp(async (library) => {
    for (const [name, lines] of Object.entries(translations)) {
      writeFileSync(path.join(library, 'herbal', name), `${lines.join('\n')}\n`);
    }
  }),
);

const view = 'view/herbal/1-marigold.png';

const parameter = (page: Page, name: string): string | null => new URL(page.url()).searchParams.get(name);

async function openPanel(address: string, options = {}): Promise<Page> {
  const page = await session.open(address, options);
  await waitForText(page);
  await page.keyboard.press('e');
  await page.locator('.text-lines li').first().waitFor();
  return page;
}

const sides = (page: Page, row: number) =>
  page
    .locator('.text-lines li')
    .nth(row)
    .locator(':scope > div')
    .evaluateAll((all) => all.map((side) => [...side.querySelectorAll('.line-text')].map((line) => line.textContent)));

describe('several texts of a page', () => {
  it('are chosen, by the keyboard too, and named in the address', async () => {
    const page = await openPanel(view);
    const choice = page.getByLabel('Text', { exact: true });
    await expect
      .poll(() => choice.locator('option').allTextContents())
      .toEqual(['Transcription (ALTO)', 'German', 'French']);
    await choice.focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.locator('.text-lines .line-text').first().textContent()).toBe('Von der Ringelblume');
    await expect.poll(() => parameter(page, 'texts')).toBe('de');
    await expect.poll(() => page.locator('.text-lines .line-text').first().getAttribute('lang')).toBe('de');
    // The lines of a translation are lit where those of the transcription stand.
    await page.locator('.text-lines li').nth(1).hover();
    await expect.poll(() => page.locator('.text-shapes .lit').getAttribute('y')).toBe('268');
    // The choice holds on the next page, which has this text too, and on the one after it, which has not.
    await page.keyboard.press('Escape');
    await page.keyboard.press('PageDown');
    await page.keyboard.press('e');
    await expect.poll(() => page.locator('.text-lines .line-text').first().textContent()).toBe('Von der Rose');
    await page.locator('h2', { hasText: 'Text' }).first().waitFor();
  });

  it('stand beside each other, line by line, with the line lit on the image', async () => {
    const page = await openPanel(`${view}?texts=,de`);
    await expect
      .poll(() => sides(page, 1))
      .toEqual([['The Marigold has yellow flowers that open'], ['Die Ringelblume hat gelbe Blüten, die sich']]);
    await expect.poll(() => page.locator('.text-lines li').count()).toBe(8);
    await page.locator('.text-lines li').nth(2).locator('.beside').hover();
    await expect.poll(() => page.locator('.text-shapes .lit').getAttribute('y')).toBe('314');
    await page.getByLabel('Beside it').selectOption({ label: 'French' });
    // Paragraph by paragraph, where there are fewer lines.
    await expect
      .poll(() => sides(page, 1))
      .toEqual([
        [
          'The Marigold has yellow flowers that open',
          'with the sun and close with it in the eve-',
          'ning, so that shepherds tell the hour of',
          'the day by them. The leaves are long and',
          'pale, and smell of honey.',
        ],
        ['Le souci a des fleurs jaunes.'],
      ]);
    await expect.poll(() => parameter(page, 'texts')).toBe(',fr');
    await page.locator('.text-lines li').nth(1).locator('button').click();
    await expect.poll(() => page.locator('.text-shapes .chosen').getAttribute('height')).toBe('214');
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('stand below each other on phones, and are told from each other', async () => {
    const page = await openPanel(`${view}?texts=,de`, { viewport: { width: 390, height: 844 } });
    const row = page.locator('.text-lines li').nth(1);
    await row.locator('.beside').waitFor();
    const [first, second] = await Promise.all([
      row.locator('div').first().boundingBox(),
      row.locator('.beside').boundingBox(),
    ]);
    expect((first?.y ?? 0) + (first?.height ?? 0)).toBeLessThanOrEqual((second?.y ?? 0) + 1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});

describe('the voice', () => {
  /** Waits for the line to be spoken, and lets the voice end it. */
  async function hear(page: Page, text: string): Promise<void> {
    await expect.poll(async () => (await spokenTexts(page)).at(-1)).toBe(text);
    await endSpeaking(page);
  }

  it('reads line by line with the line lit, on to the next page, until it is stopped', async () => {
    const page = await openPanel('view/herbal/2-rose.png');
    await stubVoice(page);
    await page.getByRole('button', { name: 'Read aloud' }).click();
    const spoken = page.locator('.text-lines li.spoken');
    await expect.poll(() => spoken.locator('.line-text').allTextContents()).toEqual(['Of the Rose']);
    await expect.poll(() => spoken.getAttribute('aria-current')).toBe('true');
    await expect.poll(() => page.locator('.text-shapes .lit').getAttribute('y')).toBe('176');
    await hear(page, 'Of the Rose');
    await expect
      .poll(() => spoken.locator('.line-text').allTextContents())
      .toEqual(['Rose water cools the eyes. The flowers are']);
    await hear(page, 'Rose water cools the eyes. The flowers are');
    await hear(page, 'gathered in the dew, before the heat.');
    await hear(page, 'Honey of roses is good for the throat.');
    await expect.poll(() => spoken.locator('.line-text').allTextContents()).toEqual(['Von der Ringelblume']);
    await expect.poll(() => page.url()).toContain('3-ringelblume');
    expect((await saidBy(page)).at(-1)).toEqual({ text: 'Von der Ringelblume', lang: 'de', rate: 1 });
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => spoken.count()).toBe(0);
    await expect.poll(async () => (await voiceLog(page)).at(-1)).toBe('cancel');
    // The panel is still there: the key ended the reading alone.
    await endSpeaking(page);
    await page.getByRole('button', { name: 'Read aloud' }).waitFor();
    expect(await spokenTexts(page)).toHaveLength(5);
  });

  it('begins at the chosen line, pauses, goes to other lines, faster, and ends when the page is turned', async () => {
    const page = await openPanel(view);
    await stubVoice(page);
    await page.locator('.text-lines li').nth(2).locator('button').click();
    await page.keyboard.press('Shift+A');
    // The word that a hyphen parts is whole in the line where it begins.
    await expect.poll(() => spokenTexts(page)).toEqual(['with the sun and close with it in the evening,']);
    await page.keyboard.press('Shift+A');
    await page.getByRole('button', { name: 'Go on reading' }).waitFor();
    await page.getByRole('button', { name: 'Go on reading' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await expect.poll(async () => (await voiceLog(page)).slice(-2)).toEqual(['pause', 'resume']);
    await page.getByRole('button', { name: 'Next line' }).click();
    await expect.poll(async () => (await spokenTexts(page)).at(-1)).toBe('so that shepherds tell the hour of');
    await page.getByRole('button', { name: 'Previous line' }).click();
    await expect
      .poll(async () => (await spokenTexts(page)).at(-1))
      .toBe('with the sun and close with it in the evening,');
    await page.getByLabel('Speed').selectOption('1.25');
    await expect.poll(async () => (await saidBy(page)).at(-1)?.rate).toBe(1.25);
    await page.locator('.stage-image canvas').first().focus();
    await page.keyboard.press('PageDown');
    await page.getByRole('button', { name: 'Read aloud' }).waitFor();
    await expect.poll(() => page.locator('.text-lines li').count()).toBe(4);
    await expect.poll(() => page.locator('.text-lines li.spoken').count()).toBe(0);
    const before = await spokenTexts(page);
    await endSpeaking(page);
    expect(await spokenTexts(page)).toEqual(before);
  });
});

describe('words with their source', () => {
  it('are copied with a citation whose address leads to them', async () => {
    const page = await openPanel(view);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('.text-lines li').nth(1).locator('button').click();
    await page.getByRole('button', { name: 'Copy with source' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).toMatch(/^The Marigold has yellow flowers that open\n\n.*A small herbal.*1-marigold/s);
    const [address = ''] = /http\S+/.exec(text) ?? [];
    const { pathname, searchParams } = new URL(address);
    expect(pathname).toMatch(/\/view\/herbal\/1-marigold\.png$/);
    const [top, height] = [Number(searchParams.get('wy')), Number(searchParams.get('wh'))];
    expect(top).toBeLessThan(268 / 1400);
    expect(top + height).toBeGreaterThan(298 / 1400);
  });

  it('are copied from the selection on the image', async () => {
    const page = await session.open(`${view}?text=1`);
    await waitForText(page);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('.openseadragon-canvas').first().focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.locator('.selection-bar').getByRole('button', { name: 'Copy with source' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^Of\n\n.*1-marigold.*http/s);
  });
});

describe('a correction of a line', () => {
  it('is suggested by the keyboard alone, and saved as an annotation that edits the quoted words', async () => {
    const page = await openPanel(view);
    const line = page.locator('.text-lines li').nth(3).locator('button');
    await line.focus();
    await page.keyboard.press('Enter');
    const correct = page.getByRole('button', { name: 'Suggest a correction' });
    await correct.focus();
    await page.keyboard.press('Enter');
    const field = page.getByLabel('How line 4 reads');
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await field.inputValue()).toBe('ning, so that shepherds tell the hour of');
    expect(await accessibilityViolations(page)).toEqual([]);
    // Escape keeps the panel.
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await correct.click();
    await field.fill('ning, so that ſhepherds tell the houre of');
    await page.keyboard.press('Enter');
    await page.getByText('The correction is among your marks and regions').waitFor();
    await page.locator('.stage-image canvas').first().focus();
    await page.keyboard.press('m');
    const note = page.locator('.note-list li').first();
    await note.waitFor();
    expect(await note.locator('textarea').inputValue()).toBe('ning, so that ſhepherds tell the houre of');
    await note.getByText('ning, so that shepherds tell the hour of').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as a file' }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const { items } = JSON.parse(Buffer.concat(chunks).toString());
    expect(items).toHaveLength(1);
    expect(items[0].motivation).toBe('editing');
    expect(items[0].body).toEqual([
      {
        type: 'TextualBody',
        value: 'ning, so that ſhepherds tell the houre of',
        format: 'text/plain',
        purpose: 'editing',
      },
    ]);
    const [place, quote] = items[0].target.selector;
    expect(place).toMatchObject({ type: 'FragmentSelector', value: 'xywh=110,360,640,30' });
    expect(quote).toEqual({
      type: 'TextQuoteSelector',
      exact: 'ning, so that shepherds tell the hour of',
      prefix: 'h the sun and close with it in the eve- ',
      suffix: ' the day by them. The leaves are long an',
    });
  });
});

describe('the text alone', () => {
  const labels = (page: Page) => page.locator('.reading-page h2').allTextContents();

  it('is set page after page, opened and left by keys, with its letters’ size in the address', async () => {
    const page = await session.open(view);
    await waitForText(page);
    await page.keyboard.press('Shift+E');
    const first = page.locator('.reading-page').first();
    // Paragraphs flow, with parted words whole.
    await expect
      .poll(() => first.locator('p').nth(1).textContent())
      .toMatch(
        /^The Marigold has yellow flowers that open with the sun and close with it in the evening, so that shepherds /,
      );
    await expect.poll(() => parameter(page, 'layout')).toBe('text');
    await expect.poll(async () => (await labels(page)).slice(0, 2)).toEqual(['1-marigold', '2-rose']);
    const size = () =>
      first
        .locator('p')
        .first()
        .evaluate((element) => getComputedStyle(element).fontSize);
    await expect.poll(size).toBe('18px');
    await page.keyboard.press('+');
    await expect.poll(size).toBe('20.16px');
    await expect.poll(() => parameter(page, 'letters')).toBe('112');
    await page.getByRole('button', { name: 'Smaller letters' }).click();
    await page.getByRole('button', { name: 'Smaller letters' }).click();
    await expect.poll(() => parameter(page, 'letters')).toBe('90');
    await page.getByLabel('Lines as on the page').check();
    await expect
      .poll(() =>
        first
          .locator('.line')
          .nth(1)
          .evaluate((element) => getComputedStyle(element).display),
      )
      .toBe('block');
    expect(await accessibilityViolations(page)).toEqual([]);
    // The page that is in sight is the open one; another one that is opened comes into sight.
    await page.locator('.reading').focus();
    await page.keyboard.press('PageDown');
    await expect.poll(() => page.url()).toContain('2-rose');
    await page.locator('.reading-page').nth(1).getByText('Of the Rose').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.stage-image canvas').first().waitFor();
    await expect.poll(() => parameter(page, 'layout')).toBeNull();
    // The size is the reader’s own from now on.
    expect(page.url()).toContain('2-rose');
  });

  it('begins anywhere in the book, goes back, says where a page has no text, and is read aloud', async () => {
    const page = await session.open('view/herbal/5-makura.png?layout=text&letters=140');
    await page.locator('.reading-page').first().waitFor();
    await expect.poll(async () => (await labels(page))[0]).toBe('5-makura');
    await page.getByText('There is no text of this page.').waitFor();
    await page.getByRole('button', { name: 'Earlier pages' }).click();
    await expect.poll(async () => (await labels(page))[0]).toBe('4-bereshit');
    expect(await page.locator('.reading-page').first().locator('p').first().getAttribute('dir')).toBe('rtl');
    await page.goto(`${session.url()}view/herbal/2-rose.png?layout=text`);
    await page.locator('.reading-page').first().waitFor();
    await stubVoice(page);
    await page.getByRole('button', { name: 'Read aloud' }).click();
    for (const text of [
      'Of the Rose',
      'Rose water cools the eyes. The flowers are',
      'gathered in the dew, before the heat.',
      'Honey of roses is good for the throat.',
    ]) {
      await expect
        .poll(async () => (await page.locator('.line.spoken').allTextContents()).map((one) => one.trim()))
        .toEqual([text]);
      await expect.poll(async () => (await spokenTexts(page)).at(-1)).toBe(text);
      await endSpeaking(page);
    }
    await expect
      .poll(async () => (await page.locator('.line.spoken').allTextContents()).join().trim())
      .toBe('Von der Ringelblume');
  });

  it('is selected over its pages, copied with the source, in the chosen language, and fits phones', async () => {
    const page = await session.open(`${view}?layout=text&texts=de`, { viewport: { width: 390, height: 844 } });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const pages = page.locator('.reading-page');
    await pages.nth(1).getByText('Von der Rose').waitFor();
    expect(await pages.first().locator('p').first().textContent()).toContain('Von der Ringelblume');
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await page.evaluate(() => {
      const [first, second] = [...document.querySelectorAll('.reading-page')];
      const [from, to] = [
        first?.querySelectorAll('p')[2]?.firstChild?.firstChild,
        second?.querySelector('p .line')?.firstChild,
      ];
      if (from && to) getSelection()?.setBaseAndExtent(from, 0, to, 12);
    });
    await page.getByRole('button', { name: 'Copy with source' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).toMatch(/^Getrocknet und bewahrt färben sie die Suppe[\s\S]*Von der Rose\n\n.*1-marigold/s);
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});
