// @module-tag chromium
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { setUpBrowsing } from './browse-pages.ts';

const session = setUpBrowsing();

describe('the light table', () => {
  const cell = (name: string) => session.page.getByRole('option', { name, exact: true });
  const selected = (): Promise<readonly string[]> => session.texts('[role=option][aria-selected=true] .cell-label');
  const selectionText = (): Promise<string | null> => session.page.locator('.selection-bar p').textContent();

  it('draws and fetches only what is visible, and begins at the position in the address', async () => {
    const requests: string[] = [];
    await session.open('browse/long?layout=table&from=201&columns=5');
    session.page.on(
      'request',
      (request) => void (request.url().includes('folder.json') && requests.push(request.url())),
    );
    await cell('leaf-201').waitFor();
    const top = await cell('leaf-201').boundingBox();
    expect(top?.y).toBeLessThan(90);
    expect(await cell('leaf-201').getAttribute('aria-posinset')).toBe('201');
    expect(await session.page.locator('[role=option]').count()).toBeLessThan(60);
    const parts = (): readonly (string | null)[] =>
      requests.map((address) => new URL(address).searchParams.get('from'));
    expect(parts()).not.toContain('1');
    await session.page.getByRole('listbox').evaluate((list) => list.scrollTo(0, 0));
    await cell('leaf-001').waitFor();
    await session.page.waitForFunction(() => !location.search.includes('from='));
    expect(parts().filter((part) => part === '1')).toEqual(['1']);
    expect(session.problems).toEqual([]);
  });

  it('begins there before the browser says that it has scrolled', { tags: 'exhaustive' }, async () => {
    await session.open('browse/long');
    const parts: (string | null)[] = [];
    session.page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('folder.json')) parts.push(searchParams.get('from'));
    });
    await session.page.evaluate(() => {
      addEventListener('scroll', (event) => event.stopImmediatePropagation(), true);
      history.pushState(undefined, '', `${location.pathname}?layout=table&from=201&columns=5`);
      dispatchEvent(new PopStateEvent('popstate'));
    });
    await cell('leaf-206').waitFor();
    expect(await session.page.locator('[role=option]').count()).toBeLessThan(60);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(parts).toContain('201');
    expect(parts).not.toContain('1');
  });

  it('selects by mouse, with ranges, and keeps the selection while the reader scrolls', async () => {
    await session.open('browse/long?layout=table&columns=5');
    await cell('leaf-002').click();
    await cell('leaf-006').click({ modifiers: ['Shift'] });
    await cell('leaf-004').click();
    expect(await selected()).toEqual(['leaf-002', 'leaf-003', 'leaf-005', 'leaf-006']);
    const list = session.page.getByRole('listbox');
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await cell('leaf-250').click();
    expect(await selectionText()).toBe('5 selected');
    await list.evaluate((element) => element.scrollTo(0, 0));
    await cell('leaf-002').waitFor();
    expect(await selected()).toContain('leaf-002');
    await session.page.getByRole('button', { name: 'Clear' }).click();
    expect(await selected()).toEqual([]);
  });

  it('selects by keys, and opens by Enter; going back restores the selection', { tags: 'exhaustive' }, async () => {
    await session.open('browse/long?layout=table&columns=5');
    await cell('leaf-001').waitFor();
    await session.page.getByRole('listbox').focus();
    for (const key of ['ArrowRight', 'ArrowDown', 'Space', 'Shift+ArrowRight']) await session.page.keyboard.press(key);
    expect(await selected()).toEqual(['leaf-007', 'leaf-008']);
    await session.page.keyboard.press('End');
    await cell('leaf-250').waitFor();
    const active = await session.page.getByRole('listbox').getAttribute('aria-activedescendant');
    expect(await session.page.locator(`[id="${active}"]`).getAttribute('aria-posinset')).toBe('250');
    await session.page.keyboard.press('Control+a');
    expect(await selectionText()).toBe('250 selected');
    await session.page.getByText('Up to 60 can be compared').waitFor();
    await session.page.keyboard.press('Escape');
    await session.page.keyboard.press('Home');
    await session.page.keyboard.press('Space');
    await session.page.keyboard.press('Enter');
    await session.page.waitForURL(/view\/long\/leaf-001\.png/);
    await session.page.goBack();
    await cell('leaf-001').waitFor();
    expect(await selected()).toEqual(['leaf-001']);
  });

  it('goes back to the rows that a key has scrolled to, also if the image was opened before they were drawn', async () => {
    await session.open('browse/long?layout=table&columns=5');
    await cell('leaf-001').waitFor();
    await session.page.getByRole('listbox').press('End');
    await cell('leaf-250').waitFor();
    await session.page.getByRole('listbox').evaluate((list) => {
      for (const key of ['Home', 'Enter']) list.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    });
    await session.page.waitForURL(/view\/long\/leaf-001\.png/);
    await session.page.goBack();
    await cell('leaf-001').waitFor();
    expect(session.currentPath()).toBe('browse/long?layout=table&columns=5');
  });

  it('has its tools in one row of a laptop, and says of how many images the comparison can be', async () => {
    await session.open('browse/long?layout=table&columns=5', { viewport: { width: 1366, height: 657 } });
    await cell('leaf-001').waitFor();
    const heightOfTools = (): Promise<number | undefined> =>
      session.page
        .locator('.selection-bar')
        .boundingBox()
        .then((box) => box?.height);
    const height = await heightOfTools();
    await cell('leaf-001').click();
    await cell('leaf-012').click({ modifiers: ['Shift'] });
    await session.page.getByRole('link', { name: 'Compare' }).waitFor();
    expect(await heightOfTools()).toBe(height);
    await session.page.keyboard.press('Control+a');
    await session.page.getByText('Up to 60 can be compared').waitFor();
    expect(await session.page.getByRole('link', { name: 'Compare' }).count()).toBe(0);
    expect(await heightOfTools()).toBe(height);
  });

  it('copies addresses, and saves a list as a file', async () => {
    await session.open('browse/atlas?layout=table', { permissions: ['clipboard-read', 'clipboard-write'] });
    await cell('Frontispiece').click();
    await cell('tall page').click();
    await session.page.getByRole('button', { name: 'Addresses and lists' }).click();
    await session.page.getByRole('button', { name: 'Copy info.json addresses' }).click();
    await session.page.getByText('Copied').waitFor();
    const lines = (await session.page.evaluate(() => navigator.clipboard.readText())).split('\n');
    expect(lines).toEqual([
      `${session.url}iiif/3/atlas!wide.png/info.json`,
      `${session.url}iiif/3/atlas!tall%20page.jpg/info.json`,
    ]);
    for (const line of lines) expect((await fetch(line)).status).toBe(200);
    const coming = session.page.waitForEvent('download');
    await session.page.getByRole('button', { name: 'Download list' }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe('atlas-images.json');
    const list = JSON.parse(readFileSync(await download.path(), 'utf8')) as readonly { path: string; label: string }[];
    expect(list.map(({ path, label }) => [path, label])).toEqual([
      ['atlas/wide.png', 'Frontispiece'],
      ['atlas/tall page.jpg', 'tall page'],
    ]);
    const table = session.page.waitForEvent('download');
    await session.page.getByRole('button', { name: 'List for spreadsheets (CSV)' }).click();
    const csv = await table;
    expect(csv.suggestedFilename()).toBe('atlas-images.csv');
    const [names, first] = readFileSync(await csv.path(), 'utf8').split('\r\n');
    expect(names).toBe('\ufeffpath,label,width,height,address,info');
    expect(first).toBe(
      `atlas/wide.png,Frontispiece,400,300,${session.url}view/atlas/wide.png,${session.url}iiif/3/atlas!wide.png/info.json`,
    );
  });

  it('shows all actions for a selection on a phone too', async () => {
    await session.open('browse/atlas?layout=table', { viewport: { width: 390, height: 800 } });
    await cell('Frontispiece').click();
    await session.page.getByRole('button', { name: 'Addresses and lists' }).click();
    const buttons = await session.page.locator('.selection-bar button').all();
    expect(buttons.length).toBeGreaterThan(5);
    for (const button of buttons) {
      const box = await button.boundingBox();
      expect(box && [box.x >= 0, box.x + box.width <= 390, box.y + box.height <= 800]).toEqual([true, true, true]);
    }
  });

  it('applies the operations of an old contact sheet to every thumbnail', async () => {
    await session.open('jquery/digicat.html?fn=long&pg=2&rows=2&cols=3&rot=90&mo=hmir');
    await cell('leaf-007').waitFor();
    const sources = await session.page
      .locator('.cell img')
      .evaluateAll((images) => images.map((image) => image.getAttribute('src')));
    for (const source of sources) expect(source).toMatch(/^Scaler\?.*mo=hmir.*rot=90|^Scaler\?.*rot=90.*mo=hmir/);
    await session.pictureWidths();
    const shape = await cell('leaf-007')
      .locator('img')
      .evaluate((image) => {
        const { naturalWidth, naturalHeight } = image as HTMLImageElement;
        return naturalWidth / naturalHeight;
      });
    expect(shape).toBeCloseTo(80 / 60, 1);
    const [first, second, fourth] = await Promise.all(
      ['leaf-007', 'leaf-008', 'leaf-010'].map((n) => cell(n).boundingBox()),
    );
    expect(second?.y).toBe(first?.y);
    expect(fourth?.x).toBe(first?.x);
  });
});
