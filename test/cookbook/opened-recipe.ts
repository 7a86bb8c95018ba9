/** A recipe opened in the reading room, and what can be asked of the page. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Pixels, stagePixels, waitUntilSettled } from '../browser/stage-pixels.ts';
import type { RunningApp } from '../protocol/running-app.ts';
import type { CookbookHost } from './cookbook-host.ts';

/** A point of an image, in fractions of it, and which image that is. */
interface SeenPoint {
  readonly blue: number;
  readonly x: number;
  readonly y: number;
}

export interface SeenBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Room {
  readonly page: Page;
  readonly app: RunningApp;
  readonly host: CookbookHost;
  /** The folder of the recipe, as `0001-mvm-image`. */
  readonly folder: string;
}

const reference = 'https://iiif.io/api/image/3.0/example/reference/';

export class OpenedRecipe {
  readonly page: Page;
  readonly host: CookbookHost;
  readonly #app: RunningApp;
  readonly #folder: string;

  constructor({ page, app, host, folder }: Room) {
    this.page = page;
    this.host = host;
    this.#app = app;
    this.#folder = folder;
  }

  /** The address of a document of the recipe, or of another one. */
  address(document = 'manifest.json', folder = this.#folder): string {
    return `${this.host.url}/recipe/${folder}/${document}`;
  }

  /** Opens a page of the room by its path and query. */
  async goTo(path: string): Promise<void> {
    await this.page.goto(`${this.#app.url}/${path}`);
  }

  /** Opens a manifest, whatever it has. */
  async show(document = 'manifest.json', more = ''): Promise<void> {
    await this.goTo(`view?manifest=${encodeURIComponent(this.address(document))}${more}`);
  }

  /** Opens a manifest, and waits until its image is sharp. */
  async open(document = 'manifest.json', more = ''): Promise<void> {
    await this.show(document, more);
    await waitUntilSettled(this.page);
  }

  /** Opens a manifest of sound or video. */
  async play(document = 'manifest.json'): Promise<void> {
    await this.show(document);
    await this.page.getByRole('region', { name: 'Player' }).waitFor();
  }

  get panel(): Locator {
    return this.page.locator('.side-panel');
  }

  /** Opens the panel with what the manifest says of itself. */
  async openAbout(): Promise<Locator> {
    await this.page.keyboard.press('i');
    await this.panel.locator('.facts').first().waitFor();
    return this.panel;
  }

  /** Opens the panel of the annotations, and waits for their number. */
  async openAnnotations(count: number): Promise<Locator> {
    await this.page.keyboard.press('o');
    await expect.poll(() => this.panel.locator('.annotation').count()).toBe(count);
    return this.panel;
  }

  /** What a line of the metadata says. */
  fact(label: string): Locator {
    return this.panel
      .locator('.facts > div', { has: this.page.locator('dt', { hasText: new RegExp(`^${label}$`) }) })
      .locator('dd');
  }

  async expectTitle(title: string): Promise<void> {
    await expect.poll(() => this.page.locator('.folder-link').textContent()).toBe(title);
  }

  /** Expects the labels of the pages on the stage. */
  async expectPages(label: string): Promise<void> {
    await expect.poll(() => this.page.locator('.stage-label').textContent()).toBe(label);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** The number that is in all pixels of an image; a name alone is one of the reference images of the cookbook. */
  blueOf(name: string): number {
    return this.host.others.image(name.includes('/') ? name : reference + name).blue;
  }

  /** What is seen at a point of the stage, in fractions of it. */
  async seenAt(x: number, y: number): Promise<SeenPoint> {
    const pixels = await stagePixels(this.page);
    return pointIn(pixels, x * (pixels.width - 1), y * (pixels.height - 1));
  }

  /** Where an image is seen on the stage, in CSS pixels. */
  async boxOf(name: string): Promise<SeenBox> {
    return boxIn(await stagePixels(this.page), this.blueOf(name));
  }

  /** Waits until an image is seen with this proportion of width to height, and returns where. */
  async expectShape(name: string, proportion: number): Promise<SeenBox> {
    await expect
      .poll(async () => {
        const { width, height } = await this.boxOf(name);
        return Math.abs(width / height / proportion - 1);
      })
      .toBeLessThan(0.02);
    return this.boxOf(name);
  }

  /** Waits until an image is seen at a point of the stage, with the point of the image that lies there. */
  async expectSeen(
    name: string,
    at: { readonly x: number; readonly y: number },
    of: { readonly x: number; readonly y: number },
  ): Promise<void> {
    await expect
      .poll(async () => {
        const seen = await this.seenAt(at.x, at.y);
        return Math.max(Math.abs(seen.x - of.x), Math.abs(seen.y - of.y), seen.blue === this.blueOf(name) ? 0 : 1);
      })
      .toBeLessThan(0.02);
  }
}

const pointIn = (pixels: Pixels, x: number, y: number): SeenPoint => {
  const [red, green, blue] = pixels.at(x, y);
  return { blue, x: red / 255, y: green / 255 };
};

/** The pixels of an image are told from others by their blue, and by red and green that say where they are among them. */
function boxIn(pixels: Pixels, blue: number): SeenBox {
  let [left, top, right, bottom] = [pixels.width, pixels.height, -1, -1];
  const background = pixels.at(1, 1);
  for (let y = 0; y < pixels.height; y += 1) {
    for (let x = 0; x < pixels.width; x += 1) {
      const color = pixels.at(x, y);
      if (color[2] !== blue || color.every((value, at) => value === background[at])) continue;
      [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
    }
  }
  return { x: left, y: top, width: right + 1 - left, height: bottom + 1 - top };
}
