// @module-tag chromium
import { readFileSync } from 'node:fs';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityViolations } from './accessibility.ts';
import { pauseIn } from './browser.ts';
import { setUpBrowser } from './browser-pages.ts';
import {
  type DotName,
  distance,
  dots,
  dpi,
  middleOf,
  ownUnit,
  type Point,
  startDotApp,
  visibleDots,
  waitUntilSettled,
} from './dot-images.ts';

const session = setUpBrowser(startDotApp);
let page: Page;

/** Opens an image with the panel for measuring. */
async function open(address: string, options: BrowserContextOptions = {}): Promise<void> {
  page = await session.open(`view/dots/${address}`, options);
  await page.locator('.stage-image canvas').first().waitFor();
  await page.keyboard.press('d');
  await page.locator('.side-panel .tool-buttons').waitFor();
  await waitUntilSettled(page);
}

const button = (name: string) => page.getByRole('button', { name, exact: true });

/** The places of two dots on the screen, from one screenshot. */
async function seenDots(one: DotName, other: DotName): Promise<readonly [Point, Point]> {
  const { [one]: first, [other]: second } = await visibleDots(page);
  if (first === undefined || second === undefined) throw new Error(`the ${one} or the ${other} dot is not seen`);
  return [first, second];
}

const seenDot = async (name: DotName): Promise<Point> => (await seenDots(name, name))[0];

async function drag(from: DotName, to: DotName): Promise<void> {
  const [start, end] = await seenDots(from, to);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 3 });
  await page.mouse.move(end.x, end.y);
  await page.mouse.up();
}

async function click(...names: readonly DotName[]): Promise<void> {
  for (const name of names) {
    const { x, y } = await seenDot(name);
    await page.mouse.click(x, y);
    // Two clicks in quick succession would be a double click.
    await pauseIn(page, 400);
  }
}

/** The values of the last measurement by their names. */
const values = async (): Promise<Readonly<Record<string, string>>> => {
  const list = page.locator('.note-values').last();
  const [names, texts] = await Promise.all([list.locator('dt').allInnerTexts(), list.locator('dd').allInnerTexts()]);
  return Object.fromEntries(names.map((name, at) => [name, (texts[at] ?? '').split('\n')[0] ?? '']));
};

/** The length on the image, once it is in a unit: it is in pixels until the resolution of the file has loaded. */
const lengthOnImage = (unit: string): Promise<string | null> =>
  page.locator('.value-handle', { hasText: ` ${unit}` }).textContent();

const numberIn = (text: string | null | undefined): number =>
  Number((text ?? '').replace(/,/g, '').match(/[\d.]+/)?.[0]);

/** Half a percent, the precision of a pointer. */
function near(text: string | null | undefined, expected: number): void {
  expect(Math.abs(numberIn(text) / expected - 1), `${text} for ${expected}`).toBeLessThan(0.005);
}

const centimeters = (pixels: number, perInch: number): number => (pixels / perInch) * 2.54;

const across = dots.blue.x - dots.red.x;
const down = dots.blue.y - dots.red.y;
const redToBlue = Math.hypot(across, down);

describe('a line', () => {
  it.each(['', '?rot=90', '?rot=37&mo=hmir', '?wx=0.2&wy=0.15&ww=0.75&wh=0.7'])(
    'has the known length by the resolution of the file with %j',
    { tags: 'exhaustive' },
    async (view) => {
      await open(`dpi.png${view}`);
      await button('Line').click();
      await drag('red', 'blue');
      const { Length } = await values();
      expect(Length).toMatch(/ cm$/);
      near(Length, centimeters(redToBlue, dpi.square));
      expect(await page.locator('.side-panel').textContent()).toContain('From the image’s file: 300 pixels per inch.');
    },
  );

  it('has the known length if pixels are not square', { tags: 'exhaustive' }, async () => {
    await open('oblong.tif');
    await button('Line').click();
    await drag('red', 'green');
    const [x, y] = [dots.green.x - dots.red.x, dots.green.y - dots.red.y];
    near((await values())['Length'], Math.hypot(centimeters(x, dpi.across), centimeters(y, dpi.down)));
  });

  it('is in pixels without a scale, and in units with a line of known length, until that is removed', {
    tags: 'exhaustive',
  }, async () => {
    await open('without-dpi.webp');
    await button('Line').click();
    await drag('red', 'green');
    expect((await values())['Length']).toMatch(/ px$/);
    await button('Draw a line of known length').click();
    await drag('red', 'blue');
    await page.getByLabel('The line is this long').fill('12,5');
    await button('Set the scale').click();
    const redToGreen = distance(dots.red, dots.green);
    near((await values())['Length'], (redToGreen / redToBlue) * 12.5);
    expect(await page.locator('.side-panel').textContent()).toContain('From your line of 12.5 cm: 1 cm = ');
    await page.reload();
    near(await lengthOnImage('cm'), (redToGreen / redToBlue) * 12.5);
    await page.keyboard.press('d');
    await button('Forget this scale').click();
    expect(await page.locator('.value-handle').textContent()).toMatch(/ px$/);
  });

  it('is shown in the unit that the reader chooses, also one of the site, and remembers it', {
    tags: 'exhaustive',
  }, async () => {
    await open('dpi.png');
    await button('Line').click();
    await drag('red', 'blue');
    const meters = centimeters(redToBlue, dpi.square) / 100;
    const unit = page.getByLabel('Unit', { exact: true });
    await unit.selectOption('inch@');
    near((await values())['Length'], meters / 0.0254);
    await page.getByLabel('Find a unit or place').fill('lectern');
    await unit.selectOption(`${ownUnit.name}@${ownUnit.place}`);
    near((await values())['Length'], meters / ownUnit.meters);
    await page.reload();
    await page.locator('.value-handle', { hasText: ownUnit.name }).waitFor();
  });

  it('is saved as a table for spreadsheets, with numbers in one unit', { tags: 'exhaustive' }, async () => {
    await open('dpi.png');
    await button('Line').click();
    await drag('red', 'blue');
    await drag('red', 'green');
    const coming = page.waitForEvent('download');
    await button('Save as a table (CSV)').click();
    const file = await coming;
    expect(file.suggestedFilename()).toBe('dpi.png.measurements.csv');
    const [head = '', first = '', second = ''] = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(head.trim()).toBe('image,number,kind,text,quantity,pixels,value,unit,points,tags,color');
    const [path, number, kind, , quantity, pixels, value, unit] = first.split(',');
    expect([path, number, kind, quantity, unit]).toEqual(['dots/dpi.png', '1', 'line', 'length', 'mm']);
    near(pixels, redToBlue);
    near(value, 10 * centimeters(redToBlue, dpi.square));
    near(second.split(',')[5], distance(dots.red, dots.green));
  });

  it('can be measured by the keyboard only', { tags: 'exhaustive' }, async () => {
    await open('dpi.png');
    await button('Line').focus();
    for (const key of ['Enter', 'Enter', ...Array.from({ length: 5 }, () => 'ArrowRight')])
      await page.keyboard.press(key);
    await pauseIn(page, 700);
    const scale = distance(...(await seenDots('red', 'blue'))) / redToBlue;
    await page.keyboard.press('Enter');
    near((await values())['Length'], centimeters((5 * 24) / scale, dpi.square));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Delete');
    expect(await page.locator('.value-handle').count()).toBe(0);
  });

  it('changes when one of its ends is dragged, and persists when the page is reloaded', {
    tags: 'exhaustive',
  }, async () => {
    await open('dpi.png');
    await button('Line').click();
    await drag('red', 'green');
    await page.keyboard.press('Escape');
    const end = await page.locator('.point-handle').last().boundingBox();
    const to = await seenDot('blue');
    await page.mouse.move((end?.x ?? 0) + 12, (end?.y ?? 0) + 12);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
    near((await values())['Length'], centimeters(redToBlue, dpi.square));
    await page.reload();
    near(await lengthOnImage('cm'), centimeters(redToBlue, dpi.square));
  });
});

describe('an older line', () => {
  it('shows its ends to the pointer, and is changed at one without being selected first', async () => {
    await open('dpi.png');
    await button('Line').click();
    await drag('red', 'green');
    await page.keyboard.press('Escape');
    const { x, y } = await middleOf(page, '.stage-image');
    await page.mouse.click(x, y - 250);
    expect(await page.locator('.point-handle:not(.quiet)').count()).toBe(0);
    const end = page.locator('.point-handle').last();
    const opacity = () => end.evaluate((one) => getComputedStyle(one, '::before').opacity);
    expect(await opacity()).toBe('0');
    const [from, to] = await seenDots('green', 'blue');
    await page.mouse.move(from.x, from.y);
    expect(await opacity()).toBe('1');
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
    near((await values())['Length'], centimeters(redToBlue, dpi.square));
    expect(await page.locator('.note-list > li.chosen').count()).toBe(1);
    await page.keyboard.press('x');
    expect(await page.locator('.value-handle').count()).toBe(0);
    await page.keyboard.press('x');
    expect(await page.locator('.value-handle').count()).toBe(1);
  });

  it('keeps its ends on the image', { tags: 'exhaustive' }, async () => {
    await open('dpi.png');
    await button('Line').click();
    await drag('red', 'green');
    await page.keyboard.press('Escape');
    const [from, red] = await seenDots('green', 'red');
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x, 4, { steps: 4 });
    await page.mouse.up();
    const end = await middleOf(page, '.measure-item .point-handle:last-child');
    const scale = distance(...(await seenDots('red', 'blue'))) / redToBlue;
    expect(Math.abs(red.y - end.y - dots.red.y * scale)).toBeLessThan(1.5);
  });
});

describe('the choice of units', () => {
  it('has German names of places, finds them in both languages, and shows if there is none', async () => {
    await open('dpi.png', { locale: 'de-DE' });
    const find = page.getByLabel('Einheit oder Ort suchen');
    const unit = page.getByLabel('Einheit', { exact: true });
    await find.fill('fuss preussen');
    expect(await unit.locator('option[value="Fuß@Prussia"]').textContent()).toBe('Fuß (Preußen)');
    await unit.selectOption('Fuß@Prussia');
    await button('Strecke').click();
    await drag('red', 'blue');
    expect((await values())['Länge']).toMatch(/^0,\d+ Fuß \(Preußen\)$/);
    await find.fill('Florence');
    expect(await unit.locator('optgroup[label="Florenz"] option').count()).toBe(4);
    const none = page.getByText('Es gibt keine Einheit dieses Namens.');
    expect(await none.count()).toBe(0);
    await find.fill('Lummerland');
    await none.waitFor();
  });
});

describe('the tools of the panel', () => {
  it('have one chosen, that of last time, and the key of the panel closes it', async () => {
    await open('dpi.png');
    await expect.poll(() => button('Line').getAttribute('aria-pressed')).toBe('true');
    await drag('red', 'blue');
    near((await values())['Length'], centimeters(redToBlue, dpi.square));
    await button('Circle').click();
    await page.keyboard.press('d');
    await expect.poll(() => page.locator('.side-panel').count()).toBe(0);
    await page.keyboard.press('d');
    await expect.poll(() => button('Circle').getAttribute('aria-pressed')).toBe('true');
    // A click on the chosen tool does not put it away, Escape does.
    await button('Circle').click();
    expect(await button('Circle').getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.press('Escape');
    await expect.poll(() => button('Circle').getAttribute('aria-pressed')).toBe('false');
  });

  it.each([
    ['a laptop', { width: 1366, height: 657 }],
    ['a large window', { width: 1440, height: 900 }],
  ])('are seen together with the newest of ten measurements, in %s', { tags: 'exhaustive' }, async (_, viewport) => {
    await open('dpi.png', { viewport });
    for (let times = 0; times < 10; times += 1) await drag('red', 'blue');
    await expect.poll(() => page.locator('.note-list > li').count()).toBe(10);
    const panel = await page.locator('.side-panel').boundingBox();
    const head = await page.locator('.panel-head').boundingBox();
    const [top, bottom] = [(head?.y ?? 0) + (head?.height ?? 0), (panel?.y ?? 0) + (panel?.height ?? 0)];
    const seen = async (one: ReturnType<typeof button>) => {
      const box = await one.boundingBox();
      return box !== null && box.y >= top - 1 && box.y + Math.min(box.height, 40) <= bottom + 1;
    };
    await expect.poll(() => seen(page.locator('.note-list > li').last())).toBe(true);
    expect(await seen(button('Line'))).toBe(true);
    expect(await seen(button('Proportion'))).toBe(true);
  });
});

describe('other measurements', () => {
  it('a path ends by a double click, after a point was removed', async () => {
    await open('dpi.png');
    await button('Path').click();
    await click('red', 'blue');
    await page.keyboard.press('Backspace');
    await click('green');
    const { x, y } = await seenDot('blue');
    await page.mouse.dblclick(x, y);
    const pixels = distance(dots.red, dots.green) + distance(dots.green, dots.blue);
    near((await values())['Length'], centimeters(pixels, dpi.square));
  });

  it('a polygon has the known area', { tags: 'exhaustive' }, async () => {
    await open('dpi.png');
    await button('Polygon').click();
    await click('red', 'green');
    const { x, y } = await seenDot('blue');
    await page.mouse.dblclick(x, y);
    const [u, v] = [
      [dots.green.x - dots.red.x, dots.green.y - dots.red.y],
      [across, down],
    ] as const;
    const pixels = Math.abs(u[0] * v[1] - u[1] * v[0]) / 2;
    near((await values())['Area'], pixels * (2.54 / dpi.square) ** 2);
  });

  it('an angle has the value between its arms', { tags: 'exhaustive' }, async () => {
    await open('dpi.png?rot=50&mo=vmir');
    await button('Angle').click();
    await click('green', 'red', 'blue');
    const direction = (to: Point): number => Math.atan2(to.y - dots.red.y, to.x - dots.red.x);
    near((await values())['Angle'], ((direction(dots.blue) - direction(dots.green)) * 180) / Math.PI);
  });

  it('a box, a circle and a proportion have their values', { tags: 'exhaustive' }, async () => {
    await open('without-dpi.webp');
    await button('Box').click();
    await drag('green', 'blue');
    const box = await values();
    near(box['Width'], dots.blue.x - dots.green.x);
    near(box['Height'], dots.blue.y - dots.green.y);
    await button('Circle').click();
    await drag('red', 'green');
    near((await values())['Diameter'], 2 * distance(dots.red, dots.green));
    await page.locator('.note-tools [aria-label^="Delete"]').last().click();
    await button('Proportion').click();
    await click('red', 'blue', 'red', 'green');
    near((await values())['Proportion'], redToBlue / distance(dots.red, dots.green));
  });

  it('are cancelled by Escape; a second Escape deselects the tool', { tags: 'exhaustive' }, async () => {
    await open('dpi.png');
    await button('Path').click();
    await click('red', 'blue');
    await page.keyboard.press('Escape');
    expect(await page.locator('.sketch-point').count()).toBe(0);
    expect(await button('Path').getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.press('Escape');
    expect(await button('Path').getAttribute('aria-pressed')).toBe('false');
    expect(await page.locator('.value-handle').count()).toBe(0);
  });

  it('show their value next to the pointer while they are drawn', { tags: 'exhaustive' }, async () => {
    await open('dpi.png');
    await button('Line').click();
    await click('red');
    const { x, y } = await seenDot('blue');
    await page.mouse.move(x, y);
    near(await page.locator('.live-value').textContent(), centimeters(redToBlue, dpi.square));
    expect(distance(await middleOf(page, '.live-value'), { x, y })).toBeLessThan(90);
  });
});

describe('the panel', () => {
  it('violates no rule of accessibility, light and dark', async () => {
    await open('dpi.png', { colorScheme: 'light' });
    await button('Line').click();
    await drag('red', 'blue');
    await button('Draw a line of known length').click();
    await drag('red', 'green');
    await page.getByLabel('The line is this long').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('is in German, with a comma in numbers', { tags: 'exhaustive' }, async () => {
    await open('dpi.png', { locale: 'de-DE' });
    await button('Strecke').click();
    await drag('red', 'blue');
    expect((await values())['Länge']).toMatch(/^6,1\d+ cm$/);
  });
});

describe('the known length', () => {
  it('has the unit that the search alone finds, and results follow while it is typed', async () => {
    await open('without-dpi.webp');
    await button('Line').click();
    await drag('red', 'green');
    await button('Draw a line of known length').click();
    await drag('red', 'blue');
    const form = page.locator('.reference-length');
    await form.getByLabel('Find a unit or place').fill('league');
    expect(await form.getByLabel('in the unit').inputValue()).toBe('league@England');
    await page.getByLabel('The line is this long').fill('2');
    const redToGreen = distance(dots.red, dots.green);
    const length = await page.locator('.value-handle').textContent();
    near(length, (redToGreen / redToBlue) * 2);
    expect(length).toMatch(/ leagues \(England\)$/);
    const said = (await page.locator('.side-panel').textContent()) ?? '';
    expect(said).toContain('From your line of 2 leagues (England): 1 league (England) = ');
    near(/= ([\d.]+) px/.exec(said)?.[1], redToBlue / 2);
    await page.getByLabel('The line is this long').fill('1');
    expect(await page.locator('.side-panel').textContent()).toContain('From your line of 1 league (England)');
    await form.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.locator('.value-handle').textContent()).toMatch(/ px$/);
  });
});

describe('tools of architecture', () => {
  it('measure an oval, whose radii touch its rectangle', async () => {
    await open('without-dpi.webp');
    await button('Oval').click();
    await click('red', 'green');
    const { x, y } = await seenDot('blue');
    await page.mouse.click(x, y);
    await pauseIn(page, 400);
    await page.mouse.click(x - 40, y - 10);
    const side = distance(dots.red, dots.green);
    near((await values())['First axis'], side);
    const across = Math.abs(
      (dots.green.x - dots.red.x) * (dots.blue.y - dots.red.y) -
        (dots.green.y - dots.red.y) * (dots.blue.x - dots.red.x),
    );
    near((await values())['Second axis'], across / side);
    expect(numberIn((await values())['Small radius'])).toBeLessThan(side / 2);
    expect(numberIn((await values())['Large radius'])).toBeGreaterThan(side / 2);
    await page.reload();
    await page.locator('.guide-lines, .measure-lines').first().waitFor();
    expect(await page.locator('.value-handle').count()).toBe(1);
  });

  it('draw a grid, and name the gap between columns', { tags: 'exhaustive' }, async () => {
    await open('without-dpi.webp');
    await button('Grid').click();
    await drag('red', 'green');
    near((await values())['Spacing'], distance(dots.red, dots.green));
    await button('Columns').click();
    await click('red', 'blue', 'green');
    const ratio = redToBlue / distance(dots.blue, dots.green);
    near((await values())['Intercolumniation'], ratio);
    await page.locator('.measure-lines').first().waitFor();
  });
});

describe('labels', () => {
  it('never overlap, and a circle is labeled with its diameter', async () => {
    await open('dpi.png');
    await button('Circle').click();
    await drag('red', 'green');
    expect(await page.locator('.value-handle').textContent()).toMatch(/^⌀ [\d.]+ cm$/);
    await button('Line').click();
    for (const [from, to] of [
      ['red', 'blue'],
      ['blue', 'red'],
      ['red', 'blue'],
      ['red', 'green'],
    ] as const)
      await drag(from, to);
    const boxesOfLabels = () =>
      page.locator('.value-handle').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    const overlaps = (boxes: readonly DOMRect[]): number =>
      boxes.flatMap((one, at) =>
        boxes
          .slice(at + 1)
          .filter(
            (other) =>
              one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom,
          ),
      ).length;
    const boxes = await boxesOfLabels();
    expect(boxes).toHaveLength(5);
    expect(overlaps(boxes)).toBe(0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('0');
    await page.keyboard.press('-');
    await pauseIn(page, 500);
    expect(overlaps(await boxesOfLabels())).toBe(0);
  });
});

describe('the keyboard and the mouse together', () => {
  it('Enter closes a polygon whose points the mouse has set', async () => {
    await open('without-dpi.webp');
    await button('Polygon').click();
    await click('red', 'green', 'blue');
    await page.keyboard.press('Enter');
    expect(await page.locator('.value-handle').count()).toBe(1);
    expect(await page.locator('.sketch-point').count()).toBe(0);
    expect(await page.locator('.point-handle').count()).toBe(3);
  });
});

describe('a panel that is left', () => {
  it.each([
    ['closed', async () => page.locator('.panel-head').getByRole('button', { name: 'Close' }).click()],
    ['replaced by another', async () => page.locator('.tool-rail').getByRole('button', { name: /^Cite/ }).click()],
    [
      'closed by its button',
      async () =>
        page
          .locator('.tool-rail')
          .getByRole('button', { name: /^Measure/ })
          .click(),
    ],
  ])('puts its tool away when it is %s, so that a drag moves the image', { tags: 'exhaustive' }, async (_, leave) => {
    await open('dpi.png?wx=0.2&wy=0.2&ww=0.6&wh=0.6');
    await button('Line').click();
    await leave();
    const { x, y } = await middleOf(page, '.stage-image');
    const before = page.url();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 60, y - 40, { steps: 4 });
    await page.mouse.up();
    await pauseIn(page, 700);
    expect(await page.locator('.measure-lines').count()).toBe(0);
    expect(page.url()).not.toBe(before);
  });
});
