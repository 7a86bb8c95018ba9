// @module-tag pdf-readers
// @module-tag chromium
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { pauseIn } from './browser.ts';
import { setUpBrowser } from './browser-pages.ts';
import { serveFrom } from './temporary-server.ts';

/** The shape of the images; an inch of the object is 100 pixels. */
const shapes = { wide: [1200, 800], tall: [600, 1000] } as const;

/** A picture whose left half is red and whose right half is blue. */
const halves = (width: number, height: number) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#00f"/><rect width="50%" height="100%" fill="#f00"/></svg>`,
    ),
  )
    .removeAlpha()
    .withMetadata({ density: 100 });

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-print-'));

const session = setUpBrowser(async () => {
  mkdirSync(path.join(folder, 'book'));
  mkdirSync(path.join(folder, 'many'));
  writeFileSync(
    path.join(folder, 'book', 'metadata.yaml'),
    'label: A printed book\nrequiredStatement: { label: Holder, value: The Library }\n',
  );
  for (const [name, [width, height]] of Object.entries(shapes))
    await halves(width, height)
      .png()
      .toFile(path.join(folder, 'book', `${name}.png`));
  for (let at = 1; at <= 50; at += 1)
    await halves(120, 160)
      .png()
      .toFile(path.join(folder, 'many', `p${String(at).padStart(2, '0')}.png`));
  return serveFrom(folder, { library: { folders: [folder] } });
});

const formats = ['A4', 'Letter'] as const;

/** Paper sizes in mm. */
const paper = { A4: [210, 297], Letter: [215.9, 279.4] } as const;

/** 4 pixels per mm. */
const resolution = 101.6;

interface Sheet {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** The sheets of the page as it is printed, and their text. */
async function print(page: Page, format: (typeof formats)[number], landscape = false) {
  const own = mkdtempSync(path.join(tmpdir(), 'lectern-pdf-'));
  const pdf = path.join(own, 'page.pdf');
  await page.pdf({ path: pdf, format, landscape, preferCSSPageSize: false });
  execFileSync('pdftoppm', ['-r', String(resolution), '-png', pdf, path.join(own, 'sheet')]);
  const text = execFileSync('pdftotext', ['-layout', pdf, '-'], { encoding: 'utf8' });
  const files = readdirSync(own)
    .filter((name) => name.endsWith('.png'))
    .sort();
  const sheets = await Promise.all(
    files.map(async (name): Promise<Sheet> => {
      const { data, info } = await sharp(path.join(own, name))
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      return { data, width: info.width, height: info.height };
    }),
  );
  rmSync(own, { recursive: true });
  return { sheets, text };
}

/** The extent of all pixels of a color on a sheet, in mm; undefined without any. */
function extentOf({ data, width, height }: Sheet, isColor: (r: number, g: number, b: number) => boolean) {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let at = 0; at < width * height; at += 1) {
    if (!isColor(data[at * 3] ?? 0, data[at * 3 + 1] ?? 0, data[at * 3 + 2] ?? 0)) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
  }
  return right < 0 ? undefined : { left: left / 4, right: (right + 1) / 4, top: top / 4, bottom: (bottom + 1) / 4 };
}

const isRed = (r: number, g: number, b: number): boolean => r > 200 && g < 60 && b < 60;
const isPicture = (r: number, g: number, b: number): boolean => isRed(r, g, b) || isRed(b, g, r);
const isDark = (r: number, g: number, b: number): boolean => r + g + b < 120;

async function open(address: string, options = {}): Promise<Page> {
  const page = await session.open(address, options);
  await page.waitForFunction(() => performance.getEntriesByName('lectern:sharp').length > 0);
  await pauseIn(page, 100);
  return page;
}

/** Prints by the shortcut; the dialog of the browser is left out. */
async function printByKey(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.print = () => {
      document.documentElement.dataset['printed'] = 'yes';
    };
  });
  // The effect that listens for the key runs some time after the page is painted: until then a key has no effect.
  const isPrinted = (): Promise<boolean> =>
    page
      .waitForFunction(() => document.documentElement.dataset['printed'] === 'yes', undefined, { timeout: 3000 })
      .then(() => true)
      .catch(() => false);
  await pauseIn(page, 200);
  for (let times = 0; times < 8; times += 1) {
    await page.keyboard.press('Control+p');
    if (await isPrinted()) return;
  }
  throw new Error('nothing was printed');
}

describe('a view on paper', () => {
  for (const format of formats)
    it(`is one sheet of ${format} with the picture over its whole width, heading, scale bar, citation and address`, {
      tags: 'exhaustive',
    }, async () => {
      const page = await open('view/book/wide.png');
      const { sheets, text } = await print(page, format);
      expect(sheets).toHaveLength(1);
      const [sheet] = sheets as [Sheet];
      const picture = extentOf(sheet, isPicture);
      const [width] = paper[format];
      expect(picture?.left).toBeCloseTo(12, 0);
      expect(picture?.right).toBeCloseTo(width - 12, 0);
      // The picture has the shape of the image.
      const high = (picture?.bottom ?? 0) - (picture?.top ?? 0);
      expect(high / ((width - 24) * (2 / 3))).toBeCloseTo(1, 1);
      expect(text).toContain('A printed book');
      expect(text).toContain('The Library');
      expect(text.replace(/\s+/g, '')).toContain(`${session.url()}view/book/wide.png`);
      for (const button of ['Whole', 'Magnifier', 'Measure', 'Reset']) expect(text).not.toContain(button);
    });

  it('has a scale bar as long as it says', { tags: 'exhaustive' }, async () => {
    const page = await open('view/book/wide.png');
    const { sheets, text } = await print(page, 'A4');
    const [sheet] = sheets as [Sheet];
    const centimeters = Number(/(\d+) cm/.exec(text)?.[1]);
    const below = extentOf(sheet, isPicture)?.bottom ?? 0;
    const start = Math.ceil((below + 2) * 4) * sheet.width;
    const rows = Math.round(9 * 4);
    const strip = { ...sheet, data: sheet.data.subarray(start * 3, (start + rows * sheet.width) * 3), height: rows };
    const bar = extentOf(strip, isDark);
    // 1200 pixels of 100 to the inch are printed on 186 mm.
    const expected = (centimeters / 2.54) * 100 * (186 / 1200);
    expect(Math.abs((bar?.right ?? 0) - (bar?.left ?? 0) - expected)).toBeLessThan(0.8);
  });

  it('has both pages of an opening over its whole width, under both of their titles', async () => {
    const page = await open('view/many/p02.png?pages=2', { viewport: { width: 1400, height: 700 } });
    const { sheets, text } = await print(page, 'A4');
    const [sheet] = sheets as [Sheet];
    const { left = 0, right = 0, top = 0, bottom = 0 } = extentOf(sheet, isPicture) ?? {};
    expect(left).toBeCloseTo(12, 0);
    expect(right).toBeCloseTo(198, 0);
    // Two pages of 120 x 160 pixels with the gap between them.
    expect((bottom - top) / (right - left)).toBeCloseTo(160 / 242, 1);
    expect(text).toContain('p02 – p03');
  });

  it('has both pages in the pixels of a printer, not of the screen', async () => {
    const page = await open('view/many/p02.png?pages=2', { viewport: { width: 420, height: 320 } });
    await page.evaluate(() => {
      addEventListener('beforeprint', () => {
        const picture = document.querySelector<HTMLCanvasElement>('.print-image canvas');
        document.documentElement.dataset['pixels'] = `${picture?.width} ${picture?.height}`;
      });
    });
    await page.evaluate(() => {
      window.print = () => {
        dispatchEvent(new Event('beforeprint'));
        dispatchEvent(new Event('afterprint'));
        document.documentElement.dataset['printed'] = 'yes';
      };
    });
    await page.keyboard.press('c');
    await page.getByRole('tab', { name: 'Download' }).click();
    await page.getByRole('button', { name: 'Print', exact: true }).click();
    await page.waitForFunction(() => document.documentElement.dataset['printed'] === 'yes');
    const [width = 0, height = 0] = ((await page.locator('html').getAttribute('data-pixels')) ?? '')
      .split(' ')
      .map(Number);
    // Those of the scans, which the screen shows enlarged.
    expect(height).toBe(160);
    expect(width).toBeCloseTo(242, -1);
  });

  it('is one sheet for a tall picture too, also on landscape paper and in the dark theme', {
    tags: 'exhaustive',
  }, async () => {
    const page = await open('view/book/tall.png', { colorScheme: 'dark' });
    for (const landscape of [false, true]) {
      const { sheets } = await print(page, 'A4', landscape);
      expect(sheets).toHaveLength(1);
      const [sheet] = sheets as [Sheet];
      const { left = 0, right = 0, top = 0, bottom = 0 } = extentOf(sheet, isPicture) ?? {};
      expect((bottom - top) / (right - left)).toBeCloseTo(1000 / 600, 1);
      expect(Array.from(sheet.data.subarray(0, 3))).toEqual([255, 255, 255]);
    }
  });

  it('shows a region with its marks where they are on the image', async () => {
    const page = await open('view/book/wide.png?wx=0.25&wy=0.25&ww=0.5&wh=0.5&mk=0.5/0.5&rg=0.3/0.3/0.1/0.1');
    await page.locator('.mark-handle').waitFor();
    const { sheets } = await print(page, 'A4');
    const [sheet] = sheets as [Sheet];
    const picture = extentOf(sheet, isPicture);
    expect(picture?.right).toBeCloseTo(198, 0);
    // The ring around the middle hides the edge between red and blue for some mm.
    const middle = Math.round((((picture?.top ?? 0) + (picture?.bottom ?? 0)) / 2) * 4);
    const row = {
      ...sheet,
      data: sheet.data.subarray(middle * sheet.width * 3, (middle + 1) * sheet.width * 3),
      height: 1,
    };
    const ring = extentOf(row, isDark);
    expect(((ring?.left ?? 0) + (ring?.right ?? 0)) / 2).toBeCloseTo(105, 0);
  });

  it('has a finer picture when it is printed by the reading room', { tags: 'exhaustive' }, async () => {
    const page = await open('view/book/wide.png', { viewport: { width: 500, height: 500 } });
    await printByKey(page);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const picture = page.locator('.print-image img');
    expect(await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1200);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await picture.count()).toBe(0);
  });
});

describe('a folder on paper', () => {
  for (const format of formats)
    it(`is a contact sheet on ${format}, with every image and name, and no blank sheet`, {
      tags: 'exhaustive',
    }, async () => {
      const page = await session.open('browse/many');
      await page.locator('.image-card[data-path]').last().waitFor();
      await printByKey(page);
      const { sheets, text } = await print(page, format);
      expect(sheets.length).toBeGreaterThan(1);
      expect(sheets.length).toBeLessThan(5);
      for (const sheet of sheets) expect(extentOf(sheet, isRed)).toBeDefined();
      for (let at = 1; at <= 50; at += 1) expect(text).toContain(`p${String(at).padStart(2, '0')}`);
      for (const button of ['Open with', 'Light table', 'Search']) expect(text).not.toContain(button);
    });
});

describe('the light table on paper', () => {
  it('is the contact sheet of its whole folder, black on white', async () => {
    const page = await session.open('browse/many?layout=table', { viewport: { width: 600, height: 400 } });
    await page.locator('.cell').first().waitFor();
    await printByKey(page);
    const { sheets, text } = await print(page, 'A4');
    expect(text).toContain('p01');
    expect(text).toContain('p50');
    for (const sheet of sheets) {
      expect(extentOf(sheet, isRed)).toBeDefined();
      expect(Array.from(sheet.data.subarray(0, 3))).toEqual([255, 255, 255]);
    }
  });
});

describe('a comparison on paper', () => {
  it.each(formats)(
    'is one sheet of %s with both images, their names and the address, without buttons',
    async (format) => {
      const page = await session.open('compare?1.fn=book/wide.png&2.fn=book/wide.png&2.colop=INVERT');
      await page.waitForFunction(() => performance.getEntriesByName('lectern:sharp').length > 1);
      await pauseIn(page, 300);
      const { sheets, text } = await print(page, format, true);
      const [sheet] = sheets;
      if (sheets.length !== 1 || sheet === undefined) throw new Error(`${sheets.length} sheets`);
      // The left image is red and blue; the right one has the opposite colors.
      const isOpposite = (r: number, g: number, b: number): boolean =>
        g > 200 && Math.max(r, b) > 200 && Math.min(r, b) < 60;
      const [own, other] = [extentOf(sheet, isPicture), extentOf(sheet, isOpposite)];
      const middle = (paper[format][1] - 24) / 2 + 12;
      expect(own?.right).toBeLessThan(middle + 2);
      expect((own?.right ?? 0) - (own?.left ?? 0)).toBeGreaterThan(90);
      expect((other?.right ?? 0) - (other?.left ?? 0)).toBeGreaterThan(90);
      expect(other?.right).toBeLessThan(paper[format][1] - 12);
      expect(text).toContain('compare?1.fn=book/wide.png');
      expect(text).not.toMatch(/Whole|Side by side/);
    },
  );
});
