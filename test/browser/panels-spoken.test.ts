// @module-tag chromium
/** What axe can't judge of the panels: the order and the names that a screen reader says, the keyboard alone, and forced colors. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityViolations } from './accessibility.ts';
import { setUpBrowser } from './browser-pages.ts';
import { openByKey, panelPages, startPanelLibrary } from './panel-library.ts';

const session = setUpBrowser(startPanelLibrary);

async function openPanel(name: string, options = {}): Promise<Page> {
  const found = panelPages.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no panel ${name}`);
  const page = await session.open(found.address, options);
  await openByKey(page, found);
  return page;
}

/** Roles and names in the order in which they are read out, without lines that have no name. */
async function spoken(page: Page): Promise<string> {
  const lines = (await page.locator('body').ariaSnapshot()).split('\n');
  return lines.map((line) => line.trim().replace(/^- '?/, '')).join('\n');
}

/** Expects the texts in this order. */
async function expectOrder(page: Page, texts: readonly string[]): Promise<void> {
  await expect
    .poll(async () => {
      const all = await spoken(page);
      let at = 0;
      return texts.filter((text) => {
        const found = all.indexOf(text, at);
        if (found >= 0) at = found + text.length;
        return found < 0;
      });
    })
    .toEqual([]);
}

/** Presses Tab until an element whose name begins so has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const element = document.activeElement;
      const isField = element instanceof HTMLInputElement || element instanceof HTMLSelectElement;
      const label = isField ? element.labels?.[0]?.textContent : undefined;
      return (element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? '').trim();
    });
  for (let presses = 0; presses < 80; presses += 1) {
    if ((await focused()).startsWith(name)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`no way by Tab to ${name}`);
}

const query = (page: Page, name: string): string | null => new URL(page.url()).searchParams.get(name);

describe('a screen reader says', () => {
  it('the bar, the tools, the image, its text, the scale, the panel, and the thumbnails', async () => {
    const page = await openPanel('contents');
    await expectOrder(page, [
      'button "Skip to the content"',
      'banner:',
      'navigation "Pages":',
      'region "Tools":',
      'main:',
      'heading "The lantern-bell – The harbour poppy" [level=1]',
      'application "Image The lantern-bell',
      'region "Text of The lantern-bell"',
      'group "Size on the screen"',
      'complementary "Contents"',
      'button "Close"',
      'button "Previous chapter"',
      'link "Front matter Title page"',
      'link "Flowers of the coast The lantern-bell"',
      'slider "Place in the book"',
      'navigation "Thumbnails"',
      'link "Page 2: The lantern-bell"',
    ]);
  });

  it('layers by their names, with their switch and their opacity', async () => {
    const page = await openPanel('layers');
    await expectOrder(page, [
      'complementary "Layers"',
      'button "Show only “Visible light”" [pressed]',
      'checkbox "Visible light" [checked]',
      'slider "Opacity of “Visible light”"',
      'button "Show only “Ultraviolet”"',
      'checkbox "Ultraviolet"',
      'group "How the upper layer is seen"',
      'heading "False color"',
    ]);
  });

  it('what one click does before what sliders do', async () => {
    const page = await openPanel('one click and colors');
    await expectOrder(page, [
      'complementary "Adjust"',
      'heading "One click"',
      'button "Auto levels"',
      'group "One channel"',
      'textbox "Name of this look"',
      'slider "Angle"',
      'slider "Brightness"',
      'button "Reset colors"',
    ]);
  });

  it('the sound by its name, its controls, each captions once, and the transcript', async () => {
    const page = await openPanel('the player');
    await expectOrder(page, [
      'heading "talk" [level=1]',
      'region "Player"',
      'figure "talk"',
      'slider "Position"',
      'button "Play"',
      'button "Mute"',
      'combobox "Captions"',
      'combobox "Speed"',
      'button "Cite this moment"',
      'tab "Transcript" [selected]',
      'textbox "Find in the transcript"',
      'checkbox "Follow the sound" [checked]',
      'button "0:00 Sentence 0',
      'button "0:10 Sentence 1',
    ]);
    const captions = page.getByLabel('Captions').locator('option');
    expect(await captions.allTextContents()).toEqual(['Off', 'English – Captions']);
  });

  it('the desk in regions with headings', async () => {
    const page = await openPanel('the desk');
    await expectOrder(page, [
      'heading "My desk" [level=1]',
      'region "Continue reading"',
      'region "Bookmarks and details"',
      'region "Notes"',
      'region "Backup"',
      'button "Save all as a file"',
    ]);
  });
});

describe('by the keyboard alone', () => {
  it('a layer is shown, mixed and brought back', async () => {
    const page = await openPanel('layers');
    await tabTo(page, 'Show only “Ultraviolet”');
    await page.keyboard.press('Enter');
    await expect.poll(() => query(page, 'layers')).toBe('2');
    await tabTo(page, 'Infrared');
    await page.keyboard.press(' ');
    await expect.poll(() => query(page, 'layers')).toBe('2,3');
    await tabTo(page, 'Opacity of “Infrared”');
    await page.keyboard.press('Home');
    await expect.poll(() => query(page, 'layers')).toMatch(/^2,3\/0/);
    await tabTo(page, 'As the page begins');
    await page.keyboard.press('Enter');
    await expect.poll(() => query(page, 'layers')).toBeNull();
    await page.keyboard.press('Escape');
    await page.locator('.side-panel').waitFor({ state: 'detached' });
  });

  it('a chapter is opened from the contents', async () => {
    const page = await openPanel('contents');
    await tabTo(page, 'Flowers of the hills');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/view/herbal/p4.png');
  });

  it('one click changes the image, and again brings it back', async () => {
    const page = await openPanel('one click and colors');
    await tabTo(page, 'Sharpen');
    await page.keyboard.press('Enter');
    await expect.poll(() => query(page, 'fx')).toBe('sharp');
    await page.keyboard.press('Enter');
    await expect.poll(() => query(page, 'fx')).toBeNull();
  });

  it('a line of the transcript is gone to, and the moment is cited', async () => {
    const page = await openPanel('the player');
    await tabTo(page, 'Find in the transcript');
    await page.keyboard.type('Sentence 3');
    await expect.poll(() => page.locator('.media-lines li').count()).toBe(1);
    await page.locator('.media-lines button').focus();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.locator('audio').evaluate((sound) => Math.round((sound as HTMLAudioElement).currentTime)))
      .toBe(30);
    await page.getByRole('button', { name: 'Cite this moment' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => query(page, 't')).toBe('30');
  });

  it('the help of a page with sound has the keys of its player, and none that zoom', async () => {
    const page = await openPanel('the player');
    await page.keyboard.press('?');
    const help = page.getByRole('dialog');
    await help.getByText('Back and forward by 10 seconds').waitFor();
    await help.getByText('Full screen').waitFor();
    expect(await help.getByText('Zoom in').count()).toBe(0);
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
  });

  it('the tool for text gives the keys to the image, so that Ctrl+A does not select the buttons', async () => {
    const page = await session.open('view/herbal/p2.png');
    await page.locator('.text-of-page').first().waitFor({ state: 'attached' });
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
    await page.keyboard.press('s');
    await page.locator('[role="application"].selects-text:focus').waitFor();
    await page.keyboard.press('Control+a');
    expect(await page.evaluate(() => getSelection()?.toString() ?? '')).not.toContain('Magnifier');
  });

  it('folders are chosen by author', async () => {
    const page = await openPanel('order and choice');
    await tabTo(page, 'Author');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await expect.poll(() => query(page, 'author')).toBe('Bock');
  });
});

describe('in forced colors', () => {
  it.each(panelPages)(
    'every button of $name has letters or an icon that differ from their ground',
    async ({ name }) => {
      const page = await openPanel(name, { forcedColors: 'active' });
      const unseen = (): Promise<readonly string[]> =>
        page.evaluate(() => {
          const groundOf = (element: Element): string => {
            for (let at: Element | null = element; at !== null; at = at.parentElement) {
              const { backgroundColor } = getComputedStyle(at);
              if (!/rgba\(.*, 0\)|transparent/.test(backgroundColor)) return backgroundColor;
            }
            return 'rgb(255, 255, 255)';
          };
          return [...document.querySelectorAll('button, a[href], [role=tab]')]
            .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 1)
            .filter((one) => getComputedStyle(one).color === groundOf(one))
            .map((one) => one.getAttribute('aria-label') ?? one.textContent ?? '');
        });
      await expect.poll(unseen).toEqual([]);
      expect(await accessibilityViolations(page)).toEqual([]);
    },
  );
});
