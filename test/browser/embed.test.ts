// @module-tag chromium
/** The viewer in pages of other sites: the element, its messages, which sites may frame it, and small frames. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityViolations } from './accessibility.ts';
import { startBrowseLibrary } from './browse-library.ts';
import { openBrowser, problemsOf, type TestBrowser } from './browser.ts';
import { type EmbeddingPage, lastEvent, startEmbeddingPage } from './embedding-page.ts';
import { type ReusedPages, reusePages } from './reused-pages.ts';
import { waitUntilSettled } from './stage-pixels.ts';
import type { TemporaryServer } from './temporary-server.ts';

let browser: TestBrowser;
let library: TemporaryServer;
let pages: ReusedPages;
let page: Page;
let embedding: EmbeddingPage | undefined;
let problems: readonly string[];

beforeAll(async () => {
  library = await startBrowseLibrary();
  browser = await openBrowser();
  pages = reusePages(browser);
});
afterAll(async () => {
  await browser?.close();
  await library?.close();
});
afterEach(async () => {
  await pages?.release();
  embedding?.close();
  embedding = undefined;
});

/** Opens a page of another site. */
async function openEmbedding(html: string, libraryUrl = library.url): Promise<void> {
  embedding = await startEmbeddingPage(libraryUrl, html);
  page = await pages.open({ viewport: { width: 1000, height: 900 }, locale: 'en' });
  page.setDefaultTimeout(15_000);
  problems = problemsOf(page);
  await page.goto(embedding.url);
}

/** Calls a function with the element. */
const onElement = <T>(act: (viewer: ViewerLike) => T): Promise<T> =>
  page.locator('lectern-viewer').evaluate(act as (element: Element) => T) as Promise<T>;

/** The members of the element as documented in the guide. */
interface ViewerLike extends HTMLElement {
  readonly view: Record<string, unknown> | undefined;
  readonly page: Record<string, unknown> | undefined;
  show(what: object | string): void;
  goToPage(which: number | string): void;
  next(): void;
  previous(): void;
  reset(): void;
  zoomIn(): void;
}

/** Waits until the detail of the last event of this name has these members. */
async function expectEvent(name: string, parts: Record<string, unknown>): Promise<void> {
  await expect.poll(() => lastEvent(page, name), { timeout: 15_000 }).toMatchObject(parts);
}

const element = (attributes: string): string => `<lectern-viewer ${attributes}></lectern-viewer>`;

describe('the element in a page of another site', () => {
  it('shows an image by its address, and sends events when it is ready, of its page and of its view', async () => {
    await openEmbedding(element(`src="${library.url}view/atlas/wide.png?rot=90" title="A map"`));
    await expectEvent('ready', {});
    await expectEvent('page', { at: 1, total: 2, label: 'Frontispiece', path: 'atlas/wide.png' });
    await expectEvent('view', {
      rotation: 90,
      path: 'atlas/wide.png',
      address: `${library.url}view/atlas/wide.png?rot=90`,
    });
    expect(await onElement(({ view, page: now }) => [view?.['rotation'], now?.['label']])).toEqual([
      90,
      'Frontispiece',
    ]);
    expect(await page.locator('iframe').getAttribute('title')).toBe('A map');
    expect(problems).toEqual([]);
  });

  it('shows an image by its path in the library that serves the script, with readable attributes', {
    tags: 'exhaustive',
  }, async () => {
    await openEmbedding(
      element('path="atlas/tall page.jpg" region="0.25,0.25,0.5,0.5" rotation="180" marks="0.1/0.2"'),
    );
    await expectEvent('view', {
      path: 'atlas/tall page.jpg',
      region: { x: 0.25, y: 0.25, width: 0.5, height: 0.5 },
      rotation: 180,
      marks: [{ x: 0.1, y: 0.2 }],
    });
  });

  it('follows its attributes, and resets what is removed', { tags: 'exhaustive' }, async () => {
    await openEmbedding(element('path="atlas/wide.png" mk="0.1/0.2" rot="90"'));
    await expectEvent('view', { rotation: 90 });
    await onElement((viewer) => viewer.setAttribute('rotation', '45'));
    await expectEvent('view', { rotation: 45, marks: [{ x: 0.1, y: 0.2 }] });
    await onElement((viewer) => viewer.setAttribute('region', '0.5,0.5,0.25,0.25'));
    await expectEvent('view', { rotation: 45, region: { x: 0.5, y: 0.5, width: 0.25, height: 0.25 } });
    await onElement((viewer) => viewer.removeAttribute('rotation'));
    await expectEvent('view', { rotation: 0, region: { x: 0.5, y: 0.5, width: 0.25, height: 0.25 } });
    await onElement((viewer) => viewer.setAttribute('path', 'atlas/tall page.jpg'));
    await expectEvent('page', { path: 'atlas/tall page.jpg' });
  });

  it('executes its methods, also those that are called before it is ready', { tags: 'exhaustive' }, async () => {
    await openEmbedding(element('path="atlas/wide.png"'));
    await page.waitForFunction(() => customElements.get('lectern-viewer') !== undefined);
    const entries = await page.evaluate(() => history.length);
    await onElement((viewer) => viewer.show({ rotation: 90, color: { operation: 'INVERT' } }));
    await expectEvent('view', { rotation: 90, color: { operation: 'INVERT', brightness: 0 } });
    await onElement((viewer) => viewer.show('?mo=hmir&cont=0.5'));
    await expectEvent('view', {
      rotation: 90,
      mirror: { horizontal: true, vertical: false },
      color: { contrast: 0.5 },
    });
    await onElement((viewer) => viewer.reset());
    await expectEvent('view', { rotation: 0, color: { operation: '', contrast: 0 } });
    await onElement((viewer) => viewer.next());
    await expectEvent('page', { at: 2, path: 'atlas/tall page.jpg' });
    await onElement((viewer) => viewer.previous());
    await expectEvent('page', { at: 1 });
    await onElement((viewer) => viewer.goToPage(2));
    await expectEvent('page', { at: 2 });
    await onElement((viewer) => viewer.goToPage('long/leaf-007.png'));
    await expectEvent('page', { at: 7, total: 250 });
    await onElement((viewer) => viewer.zoomIn());
    await expectEvent('view', { region: { width: 1, height: expect.closeTo(1 / 1.4, 2) } });
    // The history of the embedding page is unchanged.
    expect(await page.evaluate(() => history.length)).toBe(entries);
  });

  it('sends an event if the image can’t be shown', async () => {
    await openEmbedding(element('path="atlas/none.png"'));
    await expectEvent('problem', { problem: 'not-found' });
  });

  it('takes the aspect ratio of the image if it has the attribute fit', { tags: 'exhaustive' }, async () => {
    await openEmbedding(element('path="atlas/wide.png" fit'));
    await expectEvent('view', {});
    const heightOf = async (): Promise<number> => (await page.locator('lectern-viewer').boundingBox())?.height ?? 0;
    const stage = page.frameLocator('iframe').locator('.stage-area');
    await expect.poll(heightOf).not.toBe(600);
    await expect
      .poll(async () => {
        const box = await stage.boundingBox();
        return (box?.width ?? 0) / (box?.height ?? 1);
      })
      .toBeCloseTo(4 / 3, 1);
    const upright = await heightOf();
    await onElement((viewer) => viewer.show({ rotation: 90 }));
    await expect.poll(heightOf).toBeGreaterThan(upright * 1.3);
  });

  it.each(['javascript:alert(1)', 'data:text/html,hello', 'http://'])(
    'opens nothing for %s',
    { tags: 'exhaustive' },
    async (src) => {
      await openEmbedding(element(`src="${src}"`));
      await page.waitForFunction(() => customElements.get('lectern-viewer') !== undefined);
      expect(await page.locator('iframe').getAttribute('src')).toBeNull();
    },
  );
});

describe('messages', () => {
  const frame = (): string =>
    `<iframe src="${library.url}embed/atlas/wide.png" width="600" height="500" title="A map"></iframe>`;
  const post = (message: unknown): Promise<void> =>
    page.evaluate((data) => document.querySelector('iframe')?.contentWindow?.postMessage(data, '*'), message);
  const heard = (): Promise<readonly Record<string, unknown>[]> =>
    page.evaluate(() => (globalThis as unknown as { messages: Record<string, unknown>[] }).messages);
  const typesHeard = async (): Promise<readonly unknown[]> => (await heard()).map(({ type }) => type);

  it('are answered with the version and without the texts of marks', async () => {
    await openEmbedding(frame());
    await expect.poll(typesHeard).toContain('ready');
    await post({ lectern: 1, type: 'show', view: { marks: [{ x: 0.5, y: 0.5, text: 'mine' }] } });
    await post({ lectern: 1, type: 'get', id: 'first' });
    await expect.poll(typesHeard).toContain('answer');
    const answer = (await heard()).find(({ type }) => type === 'answer');
    expect(answer).toMatchObject({
      lectern: 1,
      id: 'first',
      origin: new URL(library.url).origin,
      page: { at: 1, total: 2 },
      size: { width: 400, height: 300, ratio: 4 / 3 },
      view: { marks: [{ x: 0.5, y: 0.5 }], rotation: 0 },
    });
    expect(JSON.stringify(await heard())).not.toContain('mine');
  });

  it('show marks on the image, and the viewer’s own marks again when they are removed', async () => {
    await openEmbedding(frame());
    await expect.poll(typesHeard).toContain('ready');
    const marks = page.frameLocator('iframe').locator('.mark-handle');
    await post({
      lectern: 1,
      type: 'show',
      view: {
        marks: [
          { x: 0.25, y: 0.5 },
          { x: 0.75, y: 0.5, text: 'a text' },
        ],
      },
    });
    await expect.poll(() => marks.count()).toBe(2);
    expect(await marks.nth(1).getAttribute('aria-label')).toContain('a text');
    await post({ lectern: 1, type: 'show', query: 'mk=' });
    await expect.poll(() => marks.count()).toBe(0);
  });

  it('of another form have no effect', { tags: 'exhaustive' }, async () => {
    await openEmbedding(frame());
    await expect.poll(typesHeard).toContain('ready');
    const shapes = [
      'show',
      null,
      { type: 'show', view: { rotation: 90 } },
      { lectern: 2, type: 'show', view: { rotation: 90 } },
      { lectern: 1, type: 'show', view: { rotation: '90', region: { x: 0, y: 0, width: -1, height: 1 }, mode: 'x' } },
      { lectern: 1, type: 'show', view: { color: { operation: 'toString', multiply: [1, 2] }, marks: 'x' } },
      { lectern: 1, type: 'page', at: 1.5 },
      { lectern: 1, type: 'page', at: 0 },
      { lectern: 1, type: 'constructor' },
      { lectern: 1, type: 'get' },
    ];
    for (const shape of shapes) await post(shape);
    await post({ lectern: 1, type: 'get', id: 1 });
    await expect.poll(typesHeard).toContain('answer');
    const answers = (await heard()).filter(({ type }) => type === 'answer');
    expect(answers).toMatchObject([
      {
        id: 1,
        page: { at: 1 },
        view: { rotation: 0, mode: 'fit', marks: [], color: { operation: '', multiply: [0, 0, 0] } },
      },
    ]);
    expect(problems).toEqual([]);
  });

  it('of another frame are ignored', { tags: 'exhaustive' }, async () => {
    await openEmbedding(frame());
    await expect.poll(typesHeard).toContain('ready');
    await page.frames()[1]?.evaluate(() => window.postMessage({ lectern: 1, type: 'get', id: 'own' }, '*'));
    await post({ lectern: 1, type: 'get', id: 'parent' });
    await expect.poll(typesHeard).toContain('answer');
    expect((await heard()).filter(({ type }) => type === 'answer').map(({ id }) => id)).toEqual(['parent']);
  });
});

describe('a site that may not frame the viewer', () => {
  it('gets an empty frame, and no events', async () => {
    const closed = await startBrowseLibrary({ readingRoom: { embedAncestors: ['https://library.example'] } });
    try {
      await openEmbedding(element(`src="${closed.url}view/atlas/wide.png"`), closed.url);
      await expect.poll(() => problems.join(' ')).toMatch(/frame-ancestors|ERR_BLOCKED_BY_RESPONSE/);
      expect(await lastEvent(page, 'ready')).toBeUndefined();
    } finally {
      await closed.close();
    }
  });
});

describe('the embedded viewer', () => {
  async function openEmbedded(width: number, height: number, options: BrowserContextOptions = {}): Promise<void> {
    page = await pages.open({ viewport: { width, height }, locale: 'en', ...options });
    page.setDefaultTimeout(15_000);
    problems = problemsOf(page);
    await page.goto(`${library.url}embed/atlas/wide.png?rot=90`);
    await waitUntilSettled(page);
  }

  it('has no link to the folder, no thumbnails and no panel about the image, but a link to the reading room', async () => {
    await openEmbedded(1000, 700);
    for (const name of ['.folder-link', '.filmstrip']) expect(await page.locator(name).count()).toBe(0);
    await page.keyboard.press('i');
    expect(await page.locator('.side-panel').count()).toBe(0);
    const link = page.getByRole('link', { name: 'Open in the reading room' });
    expect(await link.getAttribute('href')).toBe(`${library.url}view/atlas/wide.png?rot=90`);
    expect(await link.getAttribute('target')).toBe('_blank');
  });

  it('leaves most of a frame of 300 x 200 to the image', { tags: 'exhaustive' }, async () => {
    await openEmbedded(300, 200);
    const stage = await page.locator('.stage-area').boundingBox();
    expect(stage?.width).toBe(300);
    expect(stage?.height).toBeGreaterThan(150);
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.waitForURL(/tall%20page/);
    await page.keyboard.press('c');
    expect((await page.locator('.side-panel').boundingBox())?.width).toBe(300);
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });

  for (const [colorScheme, locale, width, height] of [
    ['light', 'en', 900, 600],
    ['dark', 'de', 300, 200],
  ] as const) {
    it(`is accessible (${colorScheme}, ${locale}, ${width} x ${height})`, { tags: 'exhaustive' }, async () => {
      await openEmbedded(width, height, { colorScheme, locale });
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(problems).toEqual([]);
    });
  }
});

/** Turns the wheel over the middle of the frame; the deltas are those of one notch. */
async function wheelOverFrame(deltaY: number, key?: string): Promise<void> {
  const box = await page.locator('lectern-viewer').boundingBox();
  if (box === null) throw new Error('there is no frame');
  await page.mouse.move(box.x + box.width / 2, box.y + 250);
  if (key !== undefined) await page.keyboard.down(key);
  await page.mouse.wheel(0, deltaY);
  if (key !== undefined) await page.keyboard.up(key);
}

const scrolled = (): Promise<number> => page.evaluate(() => scrollY);
const frameOf = () => page.frameLocator('iframe');

const zoomPercent = () => frameOf().locator('.zoom-percent').textContent();

/** The zoom of the whole image, which is shown a moment after its first tile. */
async function firstZoom(): Promise<string | null> {
  await frameOf().locator('.stage-image canvas').first().waitFor();
  await expect.poll(zoomPercent).toMatch(/%/);
  return zoomPercent();
}

describe('the wheel over an embedded viewer', () => {
  const withSpace = (attributes: string): string => `${element(attributes)}<pre>${'below<br>'.repeat(200)}</pre>`;

  it('scrolls the page around it, says how to zoom, and zooms with Ctrl', async () => {
    await openEmbedding(withSpace('path="atlas/wide.png"'));
    await expectEvent('ready', {});
    const whole = await firstZoom();
    await wheelOverFrame(120);
    await expect.poll(scrolled).toBeGreaterThan(50);
    await frameOf().locator('.wheel-hint.shown').waitFor();
    expect(await frameOf().locator('.wheel-hint').textContent()).toBe('Ctrl + wheel zooms');
    expect(await zoomPercent()).toBe(whole);
    const before = await scrolled();
    await wheelOverFrame(-120, 'Control');
    await expect.poll(zoomPercent).not.toBe(whole);
    expect(await scrolled()).toBe(before);
  });

  it('zooms where the attribute says so, also when that is set later', { tags: 'exhaustive' }, async () => {
    await openEmbedding(withSpace('path="atlas/wide.png" wheel="zoom"'));
    await expectEvent('ready', {});
    const whole = await firstZoom();
    await wheelOverFrame(-120);
    await expect.poll(zoomPercent).not.toBe(whole);
    expect(await scrolled()).toBe(0);
    await onElement((viewer) => viewer.removeAttribute('wheel'));
    await wheelOverFrame(120);
    await expect.poll(scrolled).toBeGreaterThan(50);
  });
});

describe('the attributes of the element', () => {
  it.each([
    ['', ['.view-bar', '.tool-rail', '.zoom-bar'], []],
    ['toolbar="zoom"', ['.view-bar', '.zoom-bar'], ['.tool-rail']],
    ['toolbar="none"', [], ['.view-bar', '.tool-rail', '.zoom-bar', '.navigator']],
  ])('%s shows %j and hides %j', async (attribute, shown, hidden) => {
    await openEmbedding(element(`path="atlas/wide.png" ${attribute}`));
    await expectEvent('ready', {});
    for (const part of shown) await frameOf().locator(part).waitFor();
    for (const part of hidden) expect(await frameOf().locator(part).isVisible(), part).toBe(false);
    const stage = await frameOf().locator('.stage-area').boundingBox();
    const frame = await page.locator('lectern-viewer').boundingBox();
    if (hidden.length > 1) expect(stage?.height).toBe(frame?.height);
  });

  it('toolbar can be set later', async () => {
    await openEmbedding(element('path="atlas/wide.png"'));
    await expectEvent('ready', {});
    await onElement((viewer) => viewer.setAttribute('toolbar', 'none'));
    await frameOf().locator('.view-bar').waitFor({ state: 'hidden' });
    await onElement((viewer) => viewer.removeAttribute('toolbar'));
    await frameOf().locator('.view-bar').waitFor({ state: 'visible' });
  });

  it('page opens a page by its position or path, at first and later', { tags: 'exhaustive' }, async () => {
    await openEmbedding(element('path="atlas" page="2"'));
    await expectEvent('page', { at: 2, path: 'atlas/tall page.jpg' });
    await onElement((viewer) => viewer.setAttribute('page', 'atlas/wide.png'));
    await expectEvent('page', { at: 1, path: 'atlas/wide.png' });
  });

  it('view has the parameters of an address; those that it loses have their defaults again', {
    tags: 'exhaustive',
  }, async () => {
    await openEmbedding(element('path="atlas/wide.png" view="rot=90&mk=0.1/0.2" rotation="45"'));
    await expectEvent('view', { rotation: 45, marks: [{ x: 0.1, y: 0.2 }] });
    await onElement((viewer) => viewer.setAttribute('view', 'wx=0.5&ww=0.25&wy=0.5&wh=0.25'));
    await expectEvent('view', { rotation: 0, region: { x: 0.5, y: 0.5, width: 0.25, height: 0.25 } });
  });
});
