// @module-tag chromium
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { accessibilityViolations } from './accessibility.ts';
import { setUpBrowser } from './browser-pages.ts';
import { dots, picture, size } from './dot-images.ts';
import { waitUntilSettled } from './stage-pixels.ts';
import { serveFrom } from './temporary-server.ts';

const half = 20;

/** A square around a dot, in pixels of the image. */
const around = ({ x, y }: { readonly x: number; readonly y: number }): string =>
  `xywh=${x - half},${y - half},${2 * half},${2 * half}`;

const session = setUpBrowser(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-own-annotations-'));
  mkdirSync(path.join(folder, 'book'));
  const file = await picture().png().toBuffer();
  for (const name of ['a.png', 'b.png']) writeFileSync(path.join(folder, 'book', name), file);
  const note = (value: string, tag: string, fragment: string, color?: string): object => ({
    type: 'Annotation',
    body: [
      { type: 'TextualBody', value },
      { type: 'TextualBody', value: tag, purpose: 'tagging' },
      ...(color === undefined ? [] : [{ type: 'TextualBody', value: color, purpose: 'highlighting' }]),
    ],
    target: `https://elsewhere.example/canvas/9#${fragment}`,
  });
  const items = [
    note('The red dot', 'warm', around(dots.red)),
    note('The blue dot', 'cold', around(dots.blue), '#ff00ff'),
  ];
  writeFileSync(path.join(folder, 'book/a.png.annotations.json'), JSON.stringify({ type: 'AnnotationPage', items }));
  mkdirSync(path.join(folder, 'plates'));
  await sharp([file, file], { join: { animated: true } })
    .tiff()
    .toFile(path.join(folder, 'plates/a.tif'));
  writeFileSync(path.join(folder, 'plates/b.png'), file);
  return serveFrom(folder, { library: { folders: [folder] } });
});

/** The middle of a shape on the image, in fractions of the image, and the color of its lines. */
const shapeOf = (page: Page, number: number) =>
  page.evaluate(
    ([at, width, height]) => {
      const core = document.querySelector<SVGPathElement>(`.annotation-shape[data-number="${at}"] .core`);
      if (core === null) throw new Error(`no annotation ${at}`);
      const { x, y, width: wide, height: high } = core.getBBox();
      // The paths have 10000 units per side of the image.
      const point = { x: ((x + wide / 2) / 10_000) * width, y: ((y + high / 2) / 10_000) * height };
      return { point, color: getComputedStyle(core).stroke };
    },
    [number, size.width, size.height] as const,
  );

it('annotations beside a scan are shown on the image, searched and filtered, and offered for their page alone', async () => {
  const page = await session.open('view/book/a.png');
  await waitUntilSettled(page);
  await page.getByRole('button', { name: 'Annotations' }).click();
  await page.getByText('The red dot').waitFor();
  await page.locator('.annotation-shape').first().waitFor({ state: 'attached' });
  const [red, blue] = [await shapeOf(page, 1), await shapeOf(page, 2)];
  for (const [shape, dot] of [
    [red, dots.red],
    [blue, dots.blue],
  ] as const) {
    expect(Math.hypot(shape.point.x - dot.x, shape.point.y - dot.y)).toBeLessThan(1);
  }
  expect(blue.color).toBe('rgb(255, 0, 255)');
  expect(red.color).not.toBe(blue.color);
  await page.getByLabel('Search the annotations').fill('blue');
  expect(await page.locator('.annotation').allTextContents()).toEqual([expect.stringContaining('The blue dot')]);
  await page.getByLabel('Search the annotations').fill('');
  await page.getByLabel('Kind').selectOption('warm');
  expect(await page.locator('.annotation-shape').count()).toBe(1);
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.goto(`${session.url()}view/book/b.png`);
  await waitUntilSettled(page);
  expect(await page.getByRole('button', { name: 'Annotations' }).count()).toBe(0);
});

it('notes of a file keep tags and colors, and the file adds nothing the second time, nor after an export', {
  tags: 'exhaustive',
}, async () => {
  const page = await session.open('view/book/b.png');
  await waitUntilSettled(page);
  await page.keyboard.press('m');
  const polygon = '<svg><polygon points="10,10 400,10 10,400" stroke="#00ff00"/></svg>';
  const items = [
    { id: 'urn:1', body: { value: 'A corner' }, target: { selector: { type: 'SvgSelector', value: polygon } } },
    {
      id: 'urn:2',
      body: [{ value: 'Boxed' }, { value: 'a tag', purpose: 'tagging' }, { value: 'red', purpose: 'highlighting' }],
      target: '#xywh=100,100,200,200',
    },
    { id: 'urn:3', body: { value: 'A point' }, target: { selector: { type: 'PointSelector', x: 600, y: 450 } } },
  ];
  const open = (text: string): Promise<void> =>
    page
      .locator('.file-chooser')
      .setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  const stored = (): Promise<unknown> =>
    page.evaluate(() => JSON.parse(localStorage.getItem('lectern:notes:book/b.png') ?? '{}'));
  await open(JSON.stringify({ type: 'AnnotationPage', items }));
  await page.getByText('3 notes were added.').waitFor();
  await page.locator('.note-tag', { hasText: 'a tag' }).waitFor();
  const before = await stored();
  expect(before).toMatchObject({
    marks: [{ id: 'urn:3', text: 'A point' }],
    rectangles: [{ id: 'urn:2', tags: ['a tag'], color: 'red' }],
    measures: [{ id: 'urn:1', kind: 'polygon', color: '#00ff00' }],
  });
  const lines = page.locator('.region-lines .core');
  expect(await lines.evaluate((core) => getComputedStyle(core).stroke)).toBe('rgb(255, 0, 0)');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as a file' }).click(),
  ]);
  const exported = readFileSync(await download.path(), 'utf8');
  const canvas = `${session.url()}presentation/3/book/canvas/b-png`;
  expect(JSON.parse(exported).items).toMatchObject(
    ['urn:3', 'urn:2', 'urn:1'].map((id) => ({ id, target: { source: { id: canvas, type: 'Canvas' } } })),
  );
  for (const text of [JSON.stringify(items), exported]) {
    await open(text);
    await page.getByText('3 notes were here already.').waitFor();
    expect(await stored()).toEqual(before);
    await page.getByLabel('Text of Mark 1').fill('Edited here');
    await open(text);
    await page.getByText('3 notes were here already.').waitFor();
    await page.getByLabel('Text of Mark 1').fill('A point');
  }
  expect(await accessibilityViolations(page)).toEqual([]);
});

it('"open with" counts the canvases before a page, also those of a file with several pages', {
  tags: 'exhaustive',
}, async () => {
  const page = await session.open('browse/plates');
  await page.getByRole('button', { name: 'Open b with other programs' }).click();
  const link = page.getByRole('link', { name: 'Universal Viewer' });
  await expect.poll(() => link.getAttribute('href')).toContain('&cv=2');
});
