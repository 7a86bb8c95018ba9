import { describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { readShelf } from './reader.ts';

const reader = readShelf();

/** Opens what a key opens, and waits for it. */
const byKey = (key: string, selector: string) => async (): Promise<void> => {
  await reader.page.locator('.zoom-bar').waitFor();
  await reader.page.keyboard.press(key);
  await reader.page.locator(selector).first().waitFor();
};

async function measureByKeys(): Promise<void> {
  await byKey('d', '.tool-buttons')();
  await reader.page.locator('.tool-buttons button').first().click();
  await reader.page.keyboard.press('Enter');
  await reader.page.keyboard.press('ArrowRight');
  await reader.page.keyboard.press('ArrowRight');
  await reader.page.waitForTimeout(500);
  await reader.page.keyboard.press('Enter');
  await reader.page.locator('.side-panel li').first().waitFor();
}

const marked = 'view/atlas/wide.png?mk=0.3/0.3,0.6/0.6&rg=0.1/0.1/0.3/0.2';

describe('everybody', () => {
  const places = [
    ['the root', '', undefined],
    ['a folder', 'browse/atlas', undefined],
    ['a part of a long folder', 'browse/long?from=101', undefined],
    ['what was found', 'browse/atlas?q=a', undefined],
    ['a torn image', 'browse/torn', undefined],
    ['a light table', 'browse/atlas?layout=table', async () => reader.page.getByRole('option').first().click()],
    ['the menu', '', async () => reader.page.locator('.drop-down > button').click()],
    ['ways to open', 'browse/atlas', async () => reader.page.locator('.folder-actions button').click()],
    [
      'HTML to copy',
      'browse/atlas',
      async () => {
        await reader.page.locator('.folder-actions button').click();
        await reader.page.getByRole('tab').nth(2).click();
      },
    ],
    ['an image', 'view/atlas/wide.png', async () => reader.page.locator('.zoom-bar').waitFor()],
    ['a part of an image', 'view/atlas/wide.png?wx=0.2&ww=0.3&wh=0.3', undefined],
    ['two pages', 'view/atlas/wide.png?pages=2', async () => reader.page.locator('.zoom-bar').waitFor()],
    ['adjusting', marked, byKey('a', '.side-panel fieldset')],
    ['marks and regions', marked, byKey('m', '.side-panel textarea')],
    ['measuring', 'view/atlas/wide.png', measureByKeys],
    ['citing', `${marked}&rot=90&colop=INVERT&pages=2`, byKey('c', '.side-panel .copy')],
    ['what is known of an image', `${marked}&rot=90&colop=INVERT&pages=2`, byKey('i', '.side-panel dl')],
    ['the keys', marked, byKey('?', 'dialog')],
    ['an image inside of another page', 'embed/atlas/wide.png', undefined],
  ] as const;

  const isUsable = async (): Promise<void> => {
    await reader.pictureWidths();
    expect(await axeFaults(reader.page)).toEqual([]);
    expect(await reader.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  };

  for (const [name, address, act] of places) {
    it(`can use ${name}`, async () => {
      await reader.open(address, { colorScheme: 'light', locale: 'en', viewport: { width: 1280, height: 800 } });
      await act?.();
      await isUsable();
      expect(reader.problems).toEqual([]);
    });

    it(`can use ${name} on a phone, in German, in dark colors and on the narrowest screen`, async () => {
      await reader.open(address, { colorScheme: 'dark', locale: 'de', viewport: { width: 390, height: 800 } });
      await act?.();
      await isUsable();
      await reader.page.emulateMedia({ colorScheme: 'light' });
      await reader.page.setViewportSize({ width: 320, height: 800 });
      await isUsable();
      expect(reader.problems).toEqual([]);
    });
  }

  for (const address of ['browse/nowhere', 'view/atlas/nowhere.png']) {
    it(`is told that there is nothing at ${address}`, async () => {
      await reader.open(address);
      await reader.page.getByRole('heading', { level: 1, name: 'There is nothing here' }).waitFor();
      expect(await axeFaults(reader.page)).toEqual([]);
    });
  }

  for (const [width, height] of [
    [320, 568],
    [390, 844],
    [844, 390],
    [820, 1180],
  ] as const) {
    it(`reaches every button of an image on ${width} × ${height} px, in German`, async () => {
      await reader.open(marked, { locale: 'de', viewport: { width, height }, hasTouch: true });
      await byKey('m', '.side-panel textarea')();
      const hidden = await reader.page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.view-bar :is(a, button), .zoom-bar button, .panel-head button')]
          .filter((element) => element.getClientRects().length > 0)
          .filter((element) => {
            const { x, y, width, height } = element.getBoundingClientRect();
            const seen = document.elementFromPoint(x + width / 2, y + height / 2);
            return Math.min(width, height) < 24 || !element.contains(seen);
          })
          .map((element) => element.getAttribute('aria-label') ?? element.textContent),
      );
      expect(hidden).toEqual([]);
    });
  }

  it('sees what is on where colors are the reader’s own', async () => {
    await reader.open('view/atlas/wide.png', { forcedColors: 'active' });
    const colorOf = (name: string): Promise<string> =>
      reader.page
        .getByRole('button', { name })
        .evaluate((element) => getComputedStyle(element).getPropertyValue('background-color'));
    expect(await colorOf('Move the image')).not.toBe(await colorOf('Magnifier'));
  });

  it('can print an image with its source and without the tools', async () => {
    await reader.open('view/atlas/wide.png');
    await reader.page.locator('.zoom-bar').waitFor();
    await reader.page.emulateMedia({ media: 'print' });
    expect(await reader.page.locator('.stage').isVisible()).toBe(true);
    for (const part of ['.view-bar', '.tool-rail', '.zoom-bar', '.skip-link', '.filmstrip'])
      expect(await reader.page.locator(part).isVisible(), part).toBe(false);
    expect(await reader.page.locator('.source-note').textContent()).toBe(
      `An atlas, Frontispiece${reader.url}view/atlas/wide.png`,
    );
  });
});
