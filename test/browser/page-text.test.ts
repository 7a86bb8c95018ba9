// @module-tag chromium
/** The text of a page: selected and copied on the image at every turn, in the panel, as a note and in a citation. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityViolations } from './accessibility.ts';
import { pauseIn } from './browser.ts';
import { setUpBrowser } from './browser-pages.ts';
import { changesWhileDragging } from './drag-changes.ts';
import { stagePixels } from './stage-pixels.ts';
import { hebrew, japanese, marigold, startTextApp, type WrittenPage } from './text-pages.ts';
import { copied, drag, inBox, onScreen, waitForText } from './text-views.ts';

const session = setUpBrowser(startTextApp);

async function open(address: string, options = {}): Promise<Page> {
  const page = await session.open(address, options);
  await waitForText(page);
  return page;
}

const view = 'view/herbal/1-marigold.png';

const lineOf = (page: WrittenPage, block: number, line: number) => {
  const words = page.blocks[block]?.[line] ?? [];
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) throw new Error('there is no such line');
  return { words, first: first.box, last: last.box };
};

const selection = (page: Page): Promise<string> => page.evaluate(() => getSelection()?.toString().trim() ?? '');

const parameter = (page: Page, name: string): string | null => new URL(page.url()).searchParams.get(name);

describe('a line on the image', () => {
  it.each([
    ['upright', '', {}],
    ['turned by 90 degrees', '&rot=90', { rotation: 90 }],
    ['turned by 33 degrees', '&rot=33', { rotation: 33 }],
    ['mirrored and turned', '&mo=hmir&rot=200', { rotation: 200, mirror: 'horizontal' }],
  ] as const)('is selected with the mouse and copied, %s', async (_, query, turn) => {
    const page = await open(`${view}?text=1${query}`);
    const { words, first, last } = lineOf(marigold, 1, 0);
    await drag(
      page,
      await onScreen(page, inBox(first, 0.02, 0.5), turn),
      await onScreen(page, inBox(last, 0.98, 0.5), turn),
    );
    const text = words.map((word) => word.text).join(' ');
    await expect.poll(async () => (await selection(page)).replace(/\s+/g, ' ')).toBe(text);
    expect(await copied(page)).toBe(text);
  });

  it('goes on into the next ones, with the word whole that a hyphen parts, from a part of a word to a part of another one', async () => {
    const page = await open(`${view}?text=1`);
    const [from, to] = [lineOf(marigold, 1, 1).words.at(-2), lineOf(marigold, 1, 2).words[1]];
    if (from === undefined || to === undefined) throw new Error('no words');
    // Below the last line of the paragraph and above the next one, the nearest line is taken.
    await drag(page, await onScreen(page, inBox(from.box, 0.36, 0.5)), await onScreen(page, inBox(to.box, 0.52, 1.1)));
    expect(await copied(page)).toBe('he evening,\ns');
  });

  it('covers nothing of the image where the system forces colors', async () => {
    const page = await open(`${view}?text=1`, { forcedColors: 'active' });
    const box = await page.locator('.text-of-page [data-word="4"]').boundingBox();
    if (box === null) throw new Error('the word is nowhere');
    const withWords = await page.screenshot({ clip: box });
    await page.locator('.text-of-page').evaluateAll((layers) => {
      for (const layer of layers) (layer as HTMLElement).style.visibility = 'hidden';
    });
    expect((await page.screenshot({ clip: box })).equals(withWords)).toBe(true);
  });

  it('is also selected where the image is a part of the window’s size, and at any zoom', async () => {
    const page = await open(`${view}?text=1&wx=0.1&wy=0.15&ww=0.3&wh=0.1`);
    const word = page.locator('.text-of-page [data-word="4"]');
    const box = await word.boundingBox();
    if (box === null) throw new Error('the word is nowhere');
    await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
    await expect.poll(() => selection(page)).toBe('Marigold');
    expect(parameter(page, 'ww')).toBe('0.3');
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { clickCount: 3 });
    const line = lineOf(marigold, 1, 0)
      .words.map(({ text }) => text)
      .join(' ');
    await expect.poll(async () => (await selection(page)).replace(/\s+/g, ' ')).toBe(line);
  });

  it.each([
    ['from right to left', '4-bereshit', hebrew, [0.98, 0.5], [0.02, 0.5]],
    ['from top to bottom', '5-makura', japanese, [0.5, 0.02], [0.5, 0.98]],
  ] as const)('is selected %s', { tags: 'exhaustive' }, async (_, name, written, start, end) => {
    const page = await open(`view/herbal/${name}.png?text=1&rot=90`);
    const { words, first, last } = lineOf(written, 0, 1);
    const turn = { rotation: 90 };
    await drag(
      page,
      await onScreen(page, inBox(first, start[0], start[1]), turn),
      await onScreen(page, inBox(last, end[0], end[1]), turn),
    );
    expect(await copied(page)).toBe(words.map(({ text }) => text).join(' '));
  });

  it.each([
    ['from left to right', '1-marigold', marigold, 'ArrowRight', ''],
    ['from left to right, turned by 90 degrees', '1-marigold', marigold, 'ArrowRight', '&rot=90'],
    ['from left to right, turned by 33 degrees', '1-marigold', marigold, 'ArrowRight', '&rot=33'],
    ['from right to left', '4-bereshit', hebrew, 'ArrowLeft', ''],
    ['from top to bottom', '5-makura', japanese, 'ArrowDown', ''],
  ] as const)(
    'is selected with the keyboard, %s, and announced',
    { tags: 'exhaustive' },
    async (_, name, written, forward, query) => {
      const page = await open(`view/herbal/${name}.png?text=1${query}`);
      const before = page.url();
      const [first = '', second = ''] = written.blocks.flat(2).map(({ text }) => text);
      await page.locator('.openseadragon-canvas').first().focus();
      await page.keyboard.press(`Shift+${forward}`);
      await expect.poll(() => selection(page)).toBe(first);
      await page.keyboard.press(`Shift+${forward}`);
      await expect.poll(async () => (await selection(page)).split(/\s+/)).toEqual([first, second]);
      await expect
        .poll(() => page.locator('.off-screen[role=status]', { hasText: 'Selected' }).textContent())
        .toMatch(new RegExp(`Selected: ${first}\\s*${second}`));
      expect((await copied(page)).split(/\s+/).join('')).toBe(first + second);
      // The same keys move the image where no text is selected.
      expect(page.url()).toBe(before);
    },
  );

  it.each([0, 33])(
    'has its letters where they are drawn, turned by %d degrees',
    { tags: 'exhaustive' },
    async (rotation) => {
      const page = await open(`${view}?text=1&rot=${rotation}`);
      const pixels = await stagePixels(page);
      const stage = await page.locator('.stage-image').boundingBox();
      const corners = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.text-of-page [data-word]')].map((word) => {
          const parts = [word.parentElement?.parentElement, word].map(
            (one) => new DOMMatrix(getComputedStyle(one as Element).transform),
          );
          const [page, own] = parts;
          const inverse = page?.multiply(own).inverse();
          return {
            inverse: [inverse?.a, inverse?.b, inverse?.c, inverse?.d, inverse?.e, inverse?.f],
            width: word.offsetWidth,
          };
        }),
      );
      let [dark, covered] = [0, 0];
      for (let y = 0; y < pixels.height; y += 1) {
        for (let x = 0; x < pixels.width; x += 1) {
          const [red, green, blue] = pixels.at(x, y);
          const isLetter = red < 150 && red - blue < 30 && green < 150;
          if (!isLetter) continue;
          dark += 1;
          const isCovered = corners.some(({ inverse: [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0], width }) => {
            const [across, down] = [a * (x + 0.5) + c * (y + 0.5) + e, b * (x + 0.5) + d * (y + 0.5) + f];
            return across > -6 && across < width + 6 && down > -6 && down < 70;
          });
          if (isCovered) covered += 1;
        }
      }
      expect(stage).not.toBeNull();
      expect(dark).toBeGreaterThan(500);
      expect(covered / dark).toBeGreaterThan(0.98);
    },
  );
});

describe('selecting text', () => {
  it('is a tool of its own, whose state is in the address; without it, dragging over words moves the image', async () => {
    const page = await open(`${view}?wx=0.1&wy=0.15&ww=0.5&wh=0.3`);
    const middle = async () => {
      const box = await page.locator('.text-of-page [data-word="15"]').boundingBox();
      if (box === null) throw new Error('the word is nowhere');
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const [from, started] = [await middle(), Number(parameter(page, 'wx'))];
    await drag(page, from, { x: from.x - 120, y: from.y });
    expect(await selection(page)).toBe('');
    await expect.poll(() => Number(parameter(page, 'wx'))).not.toBeCloseTo(started, 2);
    await page.keyboard.press('s');
    await expect.poll(() => parameter(page, 'text')).toBe('1');
    const [moved, region] = [await middle(), parameter(page, 'wx')];
    await drag(page, moved, { x: moved.x - 120, y: moved.y });
    await expect.poll(() => selection(page)).not.toBe('');
    expect(parameter(page, 'wx')).toBe(region);
    await page.keyboard.press('Escape');
    await expect.poll(() => parameter(page, 'text')).toBeNull();
  });

  it('begins with a long press of a finger, which then extends the selection and turns no page', {
    tags: 'exhaustive',
  }, async () => {
    const page = await open(view, { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true });
    const touch = await page.context().newCDPSession(page);
    const { words, first, last } = lineOf(marigold, 1, 0);
    const [from, to] = [await onScreen(page, inBox(first, 0.5, 0.5)), await onScreen(page, inBox(last, 0.98, 0.5))];
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: readonly { x: number; y: number }[]) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: points.map((point) => ({ ...point, id: 0 })) });
    await send('touchStart', [from]);
    await pauseIn(page, 800);
    await expect.poll(() => selection(page)).toBe(words[0]?.text);
    for (let step = 1; step <= 8; step += 1) {
      await send('touchMove', [{ x: from.x + ((to.x - from.x) * step) / 8, y: from.y + ((to.y - from.y) * step) / 8 }]);
    }
    await send('touchEnd', []);
    await page.locator('.selection-bar').waitFor();
    expect((await selection(page)).replace(/\s+/g, ' ')).toBe(words.map(({ text }) => text).join(' '));
    expect(new URL(page.url()).pathname).toMatch(/1-marigold\.png$/);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('leads to a note around the words, and to a citation that quotes them', { tags: 'exhaustive' }, async () => {
    const page = await open(`${view}?text=1`);
    const { words, first, last } = lineOf(marigold, 2, 1);
    const text = words.map((word) => word.text).join(' ');
    await drag(page, await onScreen(page, inBox(first, 0.02, 0.5)), await onScreen(page, inBox(last, 0.98, 0.5)));
    await page.getByRole('button', { name: 'Cite', exact: true }).last().click();
    await expect.poll(() => page.locator('textarea.citation').inputValue()).toMatch(`“${text}” A small herbal`);
    await page.getByRole('button', { name: 'Note', exact: true }).click();
    await expect.poll(() => page.locator('.note-text').inputValue()).toBe(text);
    await expect.poll(() => parameter(page, 'rg')).not.toBeNull();
    const [x, y, width] = (parameter(page, 'rg') ?? '').split('/').map(Number);
    expect(x).toBeCloseTo(first[0] / 1000, 3);
    expect(y).toBeCloseTo(first[1] / 1400, 3);
    expect(width).toBeCloseTo((last[0] + last[2] - first[0]) / 1000, 3);
  });
});

describe('the words of a drawn region', () => {
  it('are taken into its note and before the citation on wish', async () => {
    const page = await open(`${view}?rg=0.1/0.21/0.8/0.03`);
    await page.keyboard.press('m');
    await page.getByRole('button', { name: /^Take the words inside/ }).click();
    await expect
      .poll(() => page.locator('.note-text').inputValue())
      .toBe(
        lineOf(marigold, 1, 1)
          .words.map(({ text }) => text)
          .join(' '),
      );
    await page.keyboard.press('Control+Z');
    await page
      .locator('.stage-image canvas')
      .first()
      .focus()
      .catch(() => undefined);
    await page.getByRole('button', { name: 'Cite and download' }).click();
    await page.getByRole('button', { name: 'Quote the words' }).click();
    expect(await page.locator('textarea.citation').inputValue()).toMatch(
      /^“with the sun and close with it in the eve-” /,
    );
  });
});

describe('the panel of the text', () => {
  it('has the lines of the page, lit together with the image, with their languages and uncertain words', async () => {
    const page = await open(view);
    await page.keyboard.press('e');
    const lines = page.locator('.text-lines li');
    await expect.poll(() => lines.count()).toBe(8);
    expect(await lines.nth(1).locator('.line-text').textContent()).toBe('The Marigold has yellow flowers that open');
    expect(await lines.nth(1).locator('.line-text').getAttribute('lang')).toBe('en');
    await lines.nth(3).hover();
    await page.locator('.text-shapes .lit').waitFor();
    const { first } = lineOf(marigold, 1, 2);
    expect(Number(await page.locator('.text-shapes .lit').getAttribute('y'))).toBeCloseTo(first[1], 0);
    // From the image to the panel.
    await pauseIn(page, 600);
    const at = await onScreen(page, inBox(first, 0.5, 0.5));
    await page.mouse.move(at.x, at.y);
    await expect.poll(() => lines.nth(3).getAttribute('class')).toContain('lit');
    await page.mouse.click(at.x, at.y);
    await expect.poll(() => lines.nth(3).getAttribute('class')).toContain('chosen');
    // By keys.
    await lines.nth(3).locator('button').focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => lines.nth(4).getAttribute('class')).toContain('lit');
    await page.keyboard.press('Enter');
    await expect.poll(() => parameter(page, 'wh')).not.toBeNull();
    await page.getByRole('checkbox', { name: /uncertain words/ }).check();
    expect(await page.locator('.line-text .uncertain').allTextContents()).toEqual(['shepherds', 'colour']);
    expect(await page.locator('.text-shapes .uncertain').count()).toBe(2);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('copies and downloads the page', { tags: 'exhaustive' }, async () => {
    const page = await open(view);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.keyboard.press('e');
    await page.getByRole('button', { name: 'Copy all' }).click();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text.split('\n').slice(0, 6)).toEqual([
      'Of the Marigold',
      '',
      'The Marigold has yellow flowers that open',
      'with the sun and close with it in the evening,',
      'so that shepherds tell the hour of',
      'the day by them. The leaves are long and',
    ]);
    await page.locator('.text-lines .line-text').nth(3).click({ clickCount: 3 });
    expect(await copied(page)).toBe('ning, so that shepherds tell the hour of');
    const address = await page
      .getByRole('link', { name: 'Download .txt' })
      .evaluate((link) => (link as HTMLAnchorElement).href);
    const file = await (await fetch(address)).text();
    expect(file).toContain('with the sun and close with it in the eve-\nning, so that');
  });

  it('has the texts of both pages of an opening, on both of which words are found', {
    tags: 'exhaustive',
  }, async () => {
    const page = await open('view/herbal/2-rose.png?pages=2&text=1');
    await page.keyboard.press('e');
    await expect.poll(() => page.locator('.text-lines').count()).toBe(2);
    expect(await page.locator('.text-lines .line-text[lang="de"]').first().textContent()).toBe('Von der Ringelblume');
    await pauseIn(page, 500);
    const other = page.locator('.text-of-page').nth(1).locator('[data-word="2"]');
    const box = await other.boundingBox();
    if (box === null) throw new Error('the word is nowhere');
    await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
    expect(await copied(page)).toBe('Ringelblume');
  });
});

describe('a selection over both pages of an opening', () => {
  /** The middle of a word of the first or second page. */
  async function middleOf(page: Page, at: number, word: number) {
    const box = await page.locator('.text-of-page').nth(at).locator(`[data-word="${word}"]`).boundingBox();
    if (box === null) throw new Error('the word is nowhere');
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  it.each([
    ['forward', 0, 1],
    ['backward', 1, 0],
  ])('is dragged over the gutter, %s, and copied as two parts', async (_, first, last) => {
    const page = await open('view/herbal/2-rose.png?pages=2&text=1');
    await expect.poll(() => page.locator('.text-of-page').count()).toBe(2);
    const ends = [await middleOf(page, 0, 17), await middleOf(page, 1, 2)] as const;
    await drag(page, ends[first] ?? ends[0], ends[last] ?? ends[0]);
    await page.locator('.selection-bar').waitFor();
    expect(await page.locator('.text-shapes .selected').count()).toBeGreaterThanOrEqual(2);
    expect(await copied(page)).toMatch(/^\S*\s[\s\S]*good for the throat\.\n\nVon der Ring/);
    await expect
      .poll(() => page.locator('.off-screen[role=status]', { hasText: 'Selected' }).textContent())
      .toMatch(/Ring/);
  });

  it('is extended from page to page with the keyboard, and has everything by Ctrl+A', async () => {
    const page = await open('view/herbal/2-rose.png?pages=2&text=1');
    await expect.poll(() => page.locator('.text-of-page').count()).toBe(2);
    const last = await middleOf(page, 0, 25);
    await page.mouse.dblclick(last.x, last.y);
    await expect.poll(() => selection(page)).toBe('throat.');
    await page.locator('.openseadragon-canvas').first().focus();
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(async () => (await selection(page)).split(/\s+/)).toEqual(['throat.', 'Von']);
    await page.keyboard.press('Shift+ArrowLeft');
    await expect.poll(() => selection(page)).toBe('throat.');
    await page.keyboard.press('Control+A');
    await expect.poll(() => selection(page)).toMatch(/^Of the Rose[\s\S]*Honig aus ihren Blüten\.$/);
  });
});

describe('screen readers', () => {
  it('are told of the text by the image, and read its paragraphs with words whole', async () => {
    const page = await open('view/herbal/1-marigold.png');
    const stage = page.getByRole('application');
    const description = await stage.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${description}"]`).textContent()).toBe(
      'The text of the page follows after the image.',
    );
    expect(await page.locator(`[id="${await stage.getAttribute('aria-details')}"]`).count()).toBe(1);
    const tree = await page.getByRole('region', { name: 'Text of 1-marigold' }).ariaSnapshot();
    expect(tree).toContain('close with it in the evening, so that shepherds');
    expect(tree.match(/paragraph/g)).toHaveLength(3);
    await page.keyboard.press('PageDown');
    await page.getByRole('region', { name: 'Text of 2-rose' }).waitFor({ state: 'attached' });
    await page.keyboard.press('End');
    await page.getByRole('region', { name: 'Text of 7-crowded' }).waitFor({ state: 'attached' });
    await page.keyboard.press('PageUp');
    await expect.poll(() => stage.getAttribute('aria-describedby')).toBeNull();
  });
});

describe('two thousand words', () => {
  it('are moved once the image rests, not with every frame of a drag', async () => {
    const page = await open('view/herbal/7-crowded.png?wx=0.2&wy=0.2&ww=0.5&wh=0.5');
    expect(await page.locator('.text-of-page [data-word]').count()).toBe(2000);
    await pauseIn(page, 500);
    const place = (): Promise<string | null> => page.locator('.text-of-page').getAttribute('style');
    const before = await place();
    const changed = await changesWhileDragging(page, { x: 0.5, y: 0.5 }, '.text-layer');
    expect(changed.frames).toBeGreaterThan(5);
    expect(changed.elements).toBe(0);
    await expect.poll(place).not.toBe(before);
  });
});
