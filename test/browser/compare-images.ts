/** Images with dots for tests of comparing, an app that serves them, and where the dots are on the screen. */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import sharp, { type Sharp } from 'sharp';
import { pauseIn } from './browser.ts';
import { type Pixels, pixelsOf } from './stage-pixels.ts';
import { serveFrom, type TemporaryServer } from './temporary-server.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const dotColors = { red: [255, 0, 0], green: [0, 255, 0], blue: [0, 0, 255] } as const;

export type DotName = keyof typeof dotColors;

const dotNames: readonly DotName[] = ['red', 'green', 'blue'];

export interface DotImage {
  readonly width: number;
  readonly height: number;
  readonly dots: Readonly<Record<DotName, Point>>;
}

const first: DotImage = {
  width: 1200,
  height: 900,
  dots: { red: { x: 300, y: 630 }, green: { x: 480, y: 180 }, blue: { x: 1020, y: 720 } },
};

/** How the second image shows the first one: turned by degrees, scaled, then shifted by pixels. */
const photographed = { degrees: 17, scale: 0.8, shift: { x: 330, y: -40 } } as const;

function photograph({ x, y }: Point): Point {
  const turn = (photographed.degrees * Math.PI) / 180;
  const [cosine, sine] = [Math.cos(turn) * photographed.scale, Math.sin(turn) * photographed.scale];
  return {
    x: cosine * x - sine * y + photographed.shift.x,
    y: sine * x + cosine * y + photographed.shift.y,
  };
}

export const images = {
  first,
  /** The same dots from elsewhere. */
  second: {
    width: 1300,
    height: 1000,
    dots: { red: photograph(first.dots.red), green: photograph(first.dots.green), blue: photograph(first.dots.blue) },
  },
  third: { ...first, dots: { red: { x: 900, y: 100 }, green: { x: 100, y: 100 }, blue: { x: 600, y: 800 } } },
} as const satisfies Record<string, DotImage>;

export type ImageName = keyof typeof images;

/** The path of an image in the library. */
export const pathOf = (name: ImageName): string => (name === 'third' ? 'other/third.png' : `dots/${name}.png`);

/** A dot in fractions of its image. */
export function fractionOf(name: ImageName, dot: DotName): Point {
  const { width, height, dots } = images[name];
  return { x: dots[dot].x / width, y: dots[dot].y / height };
}

function picture({ width, height, dots }: DotImage, paper: string): Sharp {
  const circles = dotNames.map(
    (name) => `<circle cx="${dots[name].x}" cy="${dots[name].y}" r="9" fill="rgb(${dotColors[name].join()})"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${paper}"/>${circles.join('')}</svg>`;
  return sharp(Buffer.from(svg)).removeAlpha();
}

/** Pixels per inch of the first and the second image. */
export const dpi = { first: 300, second: 150 } as const;

/** The colors of the papers. */
export const papers = { first: [221, 221, 221], second: [200, 220, 200], third: [150, 150, 150] } as const;

/** Writes the images into a folder. */
export async function fillCompared(folder: string): Promise<void> {
  for (const name of ['dots', 'other']) mkdirSync(path.join(folder, name));
  for (const name of ['first', 'second', 'third'] as const) {
    const density = name === 'third' ? {} : { density: dpi[name] };
    await picture(images[name], `rgb(${papers[name].join()})`)
      .withMetadata(density)
      .png()
      .toFile(path.join(folder, pathOf(name)));
  }
}

export async function startCompareApp(): Promise<TemporaryServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-compare-'));
  await fillCompared(folder);
  return serveFrom(folder, { library: { folders: [folder] }, http: { contextPath: '/books' } });
}

/** Waits until `count` images are sharp, movements have ended, and all is in the address. */
export async function waitUntilSharp(page: Page, count: number): Promise<void> {
  await page.waitForFunction((wanted) => performance.getEntriesByName('lectern:sharp').length >= wanted, count);
  await pauseIn(page, 700);
}

export const paneOf = (page: Page, number: number): Locator => page.locator(`.pane[data-image="${number}"]`);

const overlays = '.active-layer, .notes-layer, .alignment-marks, .edge-layer';

/** The pixels of the stage of an image, in CSS pixels, without what is drawn above it. */
export async function panePixels(page: Page, number: number): Promise<Pixels> {
  const show = (visibility: string): Promise<void> =>
    page.evaluate(
      ([selector, value]) => {
        for (const one of document.querySelectorAll<HTMLElement>(selector)) one.style.visibility = value;
      },
      [overlays, visibility] as const,
    );
  await show('hidden');
  const box = await paneOf(page, number).locator('.stage').boundingBox();
  if (box === null) throw new Error(`there is no stage of image ${number}`);
  const file = await page.screenshot({ clip: box, animations: 'disabled' });
  await show('');
  return pixelsOf(file);
}

const isNear = (color: readonly number[], wanted: readonly number[]): boolean =>
  wanted.every((value, channel) => Math.abs((color[channel] ?? 0) - value) < 70);

/** The center of the pixels of a color, in CSS pixels of the stage; undefined where there are none. */
export function centerOf(pixels: Pixels, wanted: readonly number[]): Point | undefined {
  let [x, y, count] = [0, 0, 0];
  for (let row = 0; row < pixels.height; row += 1) {
    for (let column = 0; column < pixels.width; column += 1) {
      if (!isNear(pixels.at(column, row), wanted)) continue;
      x += column;
      y += row;
      count += 1;
    }
  }
  return count === 0 ? undefined : { x: x / count + 0.5, y: y / count + 0.5 };
}

/** Where a dot of an image is, in CSS pixels of its stage. */
export async function dotIn(page: Page, number: number, dot: DotName): Promise<Point> {
  const center = centerOf(await panePixels(page, number), dotColors[dot]);
  if (center === undefined) throw new Error(`the ${dot} dot of image ${number} is not seen`);
  return center;
}

/** A point of a stage on the page. */
export async function onPage(page: Page, number: number, { x, y }: Point): Promise<Point> {
  const box = await paneOf(page, number).locator('.stage').boundingBox();
  if (box === null) throw new Error(`there is no stage of image ${number}`);
  return { x: box.x + x, y: box.y + y };
}

/** Drags with the left button, over several frames. */
export async function drag(page: Page, from: Point, to: Point): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (const part of [0.3, 0.6, 1]) {
    await page.mouse.move(from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part);
    await pauseIn(page, 60);
  }
  await page.mouse.up();
  await pauseIn(page, 700);
}
