// @module-tag chromium
import { describe, expect, it } from 'vitest';
import { sampleOf, shareOf } from '../sweep.ts';
import { accessibilityViolations } from './accessibility.ts';
import { setUpBrowsing } from './browse-pages.ts';
import { pauseIn } from './browser.ts';

const session = setUpBrowsing();

/** Presses a key, and waits for the element that it opens. */
const byKey = (key: string, selector: string) => async (): Promise<void> => {
  await session.page.locator('.zoom-bar').waitFor();
  await session.page.keyboard.press(key);
  await session.page.locator(selector).first().waitFor();
};

async function measureByKeys(): Promise<void> {
  await byKey('d', '.tool-buttons')();
  await session.page.locator('.tool-buttons button').first().click();
  await session.page.keyboard.press('Enter');
  await session.page.keyboard.press('ArrowRight');
  await session.page.keyboard.press('ArrowRight');
  await pauseIn(session.page, 500);
  await session.page.keyboard.press('Enter');
  await session.page.locator('.side-panel li').first().waitFor();
}

const marked = 'view/atlas/wide.png?mk=0.3/0.3,0.6/0.6&rg=0.1/0.1/0.3/0.2';

const compared =
  'compare?1.fn=atlas/wide.png&1.mk=0.3/0.3&2.fn=atlas/plates/%C3%96lberg.png&2.mk=0.2/0.2&2.rg=0.1/0.1/0.3/0.2';

/** In large windows, accessibility-languages.test.ts checks all of them. */
describe('accessibility', { tags: 'sampled' }, () => {
  const pages = [
    ['the root', '', undefined],
    ['a folder', 'browse/atlas', undefined],
    ['a part of a long folder', 'browse/long?from=101', undefined],
    ['what was found', 'browse/atlas?q=a', undefined],
    ['a torn image', 'browse/torn', undefined],
    ['a light table', 'browse/atlas?layout=table', async () => session.page.getByRole('option').first().click()],
    ['the menu', '', async () => session.page.locator('.drop-down > button').click()],
    ['ways to open', 'browse/atlas', async () => session.page.locator('.folder-actions button >> nth=0').click()],
    [
      'HTML to copy',
      'browse/atlas',
      async () => {
        await session.page.locator('.folder-actions button >> nth=0').click();
        await session.page.getByRole('tab').nth(2).click();
      },
    ],
    ['an image', 'view/atlas/wide.png', async () => session.page.locator('.zoom-bar').waitFor()],
    ['a part of an image', 'view/atlas/wide.png?wx=0.2&ww=0.3&wh=0.3', undefined],
    ['two pages', 'view/atlas/wide.png?pages=2', async () => session.page.locator('.zoom-bar').waitFor()],
    ['images side by side', compared, async () => session.page.locator('.zoom-bar').waitFor()],
    [
      'an image over another one',
      `${compared}&layout=slider`,
      async () => session.page.locator('.edge-handle').waitFor(),
    ],
    ['the difference of two of three images', `${compared}&3.fn=atlas/wide.png&layout=difference`, undefined],
    ['aligning images', compared, byKey('p', '.align-hint')],
    ['adjusting one of two images', compared, byKey('a', '.side-panel fieldset')],
    [
      'choosing an image to compare with',
      'compare?1.fn=atlas/wide.png',
      async () => session.page.locator('.picker-image').first().waitFor(),
    ],
    ['adjusting', marked, byKey('a', '.side-panel fieldset')],
    ['marks and regions', marked, byKey('m', '.side-panel textarea')],
    ['measuring', 'view/atlas/wide.png', measureByKeys],
    ['citing', `${marked}&rot=90&colop=INVERT&pages=2`, byKey('c', '.side-panel .copy')],
    ['the information about an image', `${marked}&rot=90&colop=INVERT&pages=2`, byKey('i', '.side-panel dl')],
    ['the keys', marked, byKey('?', 'dialog')],
    ['an image inside of another page', 'embed/atlas/wide.png', undefined],
  ] as const;

  const isUsable = async (): Promise<void> => {
    await session.pictureWidths();
    expect(await accessibilityViolations(session.page)).toEqual([]);
    expect(await session.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  };

  for (const [name, address, act] of sampleOf(pages, 9)) {
    it(`of ${name} on a phone, in German, in dark colors and on the narrowest screen`, async () => {
      await session.open(address, { colorScheme: 'dark', locale: 'de', viewport: { width: 390, height: 800 } });
      await act?.();
      await isUsable();
      await session.page.emulateMedia({ colorScheme: 'light' });
      await session.page.setViewportSize({ width: 320, height: 800 });
      await isUsable();
      expect(session.problems).toEqual([]);
    });
  }

  const inFrench = [
    'the root',
    'a folder',
    'a light table',
    'an image',
    'images side by side',
    'adjusting',
    'marks and regions',
    'measuring',
    'citing',
    'the keys',
  ];

  for (const [name, address, act] of sampleOf(
    pages.filter(([name]) => inFrench.includes(name)),
    4,
  )) {
    it(`of ${name} on a phone and a tablet, in French, in light and in dark colors`, async () => {
      await session.open(address, { colorScheme: 'light', locale: 'fr', viewport: { width: 390, height: 844 } });
      expect(await session.page.locator('html').getAttribute('lang')).toBe('fr');
      await act?.();
      await isUsable();
      await session.page.emulateMedia({ colorScheme: 'dark' });
      await session.page.setViewportSize({ width: 820, height: 1180 });
      await isUsable();
      expect(session.problems).toEqual([]);
    });
  }

  for (const address of ['browse/nowhere', 'view/atlas/nowhere.png']) {
    it(`of the message that nothing is found at ${address}`, async () => {
      await session.open(address);
      await session.page.getByRole('heading', { level: 1, name: 'There is nothing here' }).waitFor();
      expect(await accessibilityViolations(session.page)).toEqual([]);
    });
  }

  it('of a comparison in which one image is not found, beside those that are shown', async () => {
    await session.open('compare?1.fn=atlas/nowhere.png&2.fn=atlas/wide.png');
    await session.page.locator('[data-image="1"] .problem').waitFor();
    await session.page.waitForFunction(() => performance.getEntriesByName('lectern:sharp').length > 0);
    expect(await session.page.locator('[data-image="2"] .problem').count()).toBe(0);
    expect(await accessibilityViolations(session.page)).toEqual([]);
    await session.page.getByRole('button', { name: 'Take image 1 away' }).click();
    await session.page.waitForFunction(() => location.search.startsWith('?1.fn=atlas/wide.png'));
  });

  for (const [screen, [width, height]] of (
    [
      [320, 568],
      [390, 844],
      [844, 390],
      [820, 1180],
    ] as const
  ).entries()) {
    const name = `every button of an image is reachable on ${width} × ${height} px, in %s`;
    it.each(shareOf(['de', 'fr'], screen % 2, 2))(name, { tags: 'sampled' }, async (locale) => {
      await session.open(marked, { locale, viewport: { width, height }, hasTouch: true });
      await byKey('m', '.side-panel textarea')();
      const hidden = await session.page.evaluate(() =>
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

  it('pressed buttons are distinguishable with forced colors', async () => {
    await session.open('view/atlas/wide.png', { forcedColors: 'active' });
    const colorOf = (name: string): Promise<string> =>
      session.page
        .getByRole('button', { name })
        .evaluate((element) => getComputedStyle(element).getPropertyValue('background-color'));
    expect(await colorOf('Move the image')).not.toBe(await colorOf('Magnifier'));
  });

  it('an image is printed with its source and without the tools', async () => {
    await session.open('view/atlas/wide.png');
    await session.page.locator('.zoom-bar').waitFor();
    await session.page.emulateMedia({ media: 'print' });
    expect(await session.page.locator('.stage').isVisible()).toBe(true);
    for (const part of ['.view-bar', '.tool-rail', '.zoom-bar', '.skip-link', '.filmstrip'])
      expect(await session.page.locator(part).isVisible(), part).toBe(false);
    expect(await session.page.locator('.source-note').textContent()).toBe(
      `An atlas, Frontispiece${session.url}view/atlas/wide.png`,
    );
  });
});
