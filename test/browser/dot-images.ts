/** Images with dots at known positions, an app that serves them, and the positions of the dots on the screen. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp, { type OutputInfo, type Sharp } from 'sharp';
import { pauseIn } from './browser.ts';
import { serveFrom, type TemporaryServer } from './temporary-server.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The size of every image, and the centers of its dots in pixels. */
export const size = { width: 1200, height: 900 } as const;
export const dots = {
  red: { x: 300, y: 630 },
  green: { x: 480, y: 180 },
  blue: { x: 1020, y: 720 },
} as const satisfies Record<string, Point>;

export type DotName = keyof typeof dots;

export const dotNames: readonly DotName[] = ['red', 'green', 'blue'];

const colors: Readonly<Record<DotName, string>> = { red: '#f00', green: '#0f0', blue: '#00f' };

/** A dot's position in fractions of the image. */
export const fractionOf = (name: DotName): Point => ({
  x: dots[name].x / size.width,
  y: dots[name].y / size.height,
});

export function picture(): Sharp {
  const circles = dotNames.map(
    (name) => `<circle cx="${dots[name].x}" cy="${dots[name].y}" r="9" fill="${colors[name]}"/>`,
  );
  const { width, height } = size;
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#ddd"/>${circles.join('')}</svg>`,
    ),
  ).removeAlpha();
}

/** Pixels per inch of the images with a resolution. */
export const dpi = { square: 300, across: 300, down: 150 } as const;

const perMillimeter = (perInch: number): number => perInch / 25.4;

async function fill(folder: string): Promise<void> {
  mkdirSync(path.join(folder, 'dots'));
  const pathOf = (name: string): string => path.join(folder, 'dots', name);
  await picture().withMetadata({ density: dpi.square }).png().toFile(pathOf('dpi.png'));
  // Libvips writes a resolution into every PNG.
  await picture().webp({ lossless: true }).toFile(pathOf('without-dpi.webp'));
  await picture()
    .tiff({ compression: 'deflate', xres: perMillimeter(dpi.across), yres: perMillimeter(dpi.down) })
    .toFile(pathOf('oblong.tif'));
}

/** A unit that the site configures. */
export const ownUnit = { name: 'Lectern ell', place: 'Lectern', meters: 0.5 } as const;

export async function startDotApp(): Promise<TemporaryServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-dots-'));
  const units = path.join(folder, 'units.json');
  writeFileSync(units, JSON.stringify({ units: [ownUnit] }));
  await fill(folder);
  return serveFrom(folder, {
    library: { folders: [folder] },
    http: { contextPath: '/books' },
    readingRoom: { units },
  });
}

/** Waits until all tiles are drawn and animations have ended. */
export async function waitUntilSettled(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('lectern:sharp').length > 0);
  await pauseIn(page, 350);
}

/** Opens a panel of notes by its key, and waits for it and for the notes on the image. */
export async function openNotesPanel(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key);
  await page.locator('.notes-layer').waitFor({ state: 'attached' });
  await page.locator('.side-panel .tool-buttons').waitFor();
}

/** Whether the pixel whose samples start there has a color: its channel is high, the others are low. */
function isColor(values: Buffer, start: number, channel: number): boolean {
  const low = (by: number): boolean => (values[start + ((channel + by) % 3)] ?? 255) < 60;
  return (values[start + channel] ?? 0) > 200 && low(1) && low(2);
}

/** The centers of the dots on the screen, from a screenshot without the notes. */
export async function visibleDots(page: Page): Promise<Readonly<Partial<Record<DotName, Point>>>> {
  const hide = (visibility: string) =>
    page.evaluate((value) => {
      for (const one of document.querySelectorAll<HTMLElement>('.notes-layer, .navigator'))
        one.style.visibility = value;
    }, visibility);
  await hide('hidden');
  const box = await page.locator('.stage-image').boundingBox();
  if (box === null) throw new Error('there is no stage');
  const bytes = await page.screenshot({ clip: box });
  await hide('');
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const found = dotNames.map((name) => [name, centerOf(data, info, name)] as const);
  return Object.fromEntries(
    found.flatMap(([name, center]) => (center ? [[name, { x: center.x + box.x, y: center.y + box.y }]] : [])),
  );
}

/** The center of all pixels of a color, measured from the edges of pixels. */
function centerOf(data: Buffer, { width, height }: OutputInfo, name: DotName): Point | undefined {
  const channel = dotNames.indexOf(name);
  let [x, y, count] = [0, 0, 0];
  for (let at = 0; at < width * height; at += 1) {
    if (!isColor(data, at * 3, channel)) continue;
    x += at % width;
    y += Math.floor(at / width);
    count += 1;
  }
  return count === 0 ? undefined : { x: x / count + 0.5, y: y / count + 0.5 };
}

/** The center of an element on the screen. */
export async function middleOf(page: Page, selector: string): Promise<Point> {
  const box = await page.locator(selector).first().boundingBox();
  if (box === null) throw new Error(`not visible: ${selector}`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

export const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);
