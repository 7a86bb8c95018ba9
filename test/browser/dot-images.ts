/** Images with dots whose places are known, the reading room that shows them, and where the dots are on its screen. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp, { type OutputInfo, type Sharp } from 'sharp';
import { type RunningApp, startApp } from '../protocol/running-app.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Every image has this size and these dots, by their centers in pixels. */
export const size = { width: 1200, height: 900 } as const;
export const dots = {
  red: { x: 300, y: 630 },
  green: { x: 480, y: 180 },
  blue: { x: 1020, y: 720 },
} as const satisfies Record<string, Point>;

export type DotName = keyof typeof dots;

export const dotNames: readonly DotName[] = ['red', 'green', 'blue'];

const colors: Readonly<Record<DotName, string>> = { red: '#f00', green: '#0f0', blue: '#00f' };

/** A dot's place in fractions of the image. */
export const fractionOf = (name: DotName): Point => ({
  x: dots[name].x / size.width,
  y: dots[name].y / size.height,
});

function picture(): Sharp {
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

/** Pixels for an inch of the images that say it. */
export const dpi = { square: 300, across: 300, down: 150 } as const;

const perMillimeter = (perInch: number): number => perInch / 25.4;

async function fill(folder: string): Promise<void> {
  mkdirSync(path.join(folder, 'dots'));
  const place = (name: string): string => path.join(folder, 'dots', name);
  await picture().withMetadata({ density: dpi.square }).png().toFile(place('known.png'));
  // Libvips writes a resolution into every PNG.
  await picture().webp({ lossless: true }).toFile(place('silent.webp'));
  await picture()
    .tiff({ compression: 'deflate', xres: perMillimeter(dpi.across), yres: perMillimeter(dpi.down) })
    .toFile(place('oblong.tif'));
}

export interface DotApp {
  readonly app: RunningApp;
  /** The address of the library, with a slash at its end. */
  readonly url: string;
  close(): Promise<void>;
}

/** A unit of the site's own. */
export const ownUnit = { name: 'Lectern ell', place: 'Lectern', meters: 0.5 } as const;

export async function startDotApp(): Promise<DotApp> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-dots-'));
  const units = path.join(folder, 'units.json');
  writeFileSync(units, JSON.stringify({ units: [ownUnit] }));
  await fill(folder);
  const app = await startApp({
    library: { folders: [folder] },
    http: { contextPath: '/books' },
    readingRoom: { units },
  });
  return {
    app,
    url: `${app.url}/books/`,
    async close() {
      await app.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Waits until all tiles are drawn and nothing moves. */
export async function waitUntilSettled(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('lectern:sharp').length > 0);
  await page.waitForTimeout(350);
}

/** Opens a panel of notes by its key, and waits until it and the notes on the image are there. */
export async function openNotesPanel(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key);
  await page.locator('.notes-layer').waitFor({ state: 'attached' });
  await page.locator('.side-panel .tool-buttons').waitFor();
}

/** Whether the pixel whose values begin there is of a color: its channel high, the others low. */
function isColor(values: Buffer, start: number, channel: number): boolean {
  const low = (by: number): boolean => (values[start + ((channel + by) % 3)] ?? 255) < 60;
  return (values[start + channel] ?? 0) > 200 && low(1) && low(2);
}

/** The centers of the dots on the screen, as the pixels of the page show them without the notes. */
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

/** The middle of all pixels of a color; pixels are squares, so half of one lies beyond its number. */
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

/** The middle of an element on the screen. */
export async function middleOf(page: Page, selector: string): Promise<Point> {
  const box = await page.locator(selector).first().boundingBox();
  if (box === null) throw new Error(`nothing is seen of ${selector}`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

export const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);
