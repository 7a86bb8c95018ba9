// @module-tag chromium
import { describe, expect, it } from 'vitest';
import { setUpBrowsing } from './browse-pages.ts';

const session = setUpBrowsing();

describe('"open with"', () => {
  const dialog = () => session.page.getByRole('dialog');
  const addresses = (): Promise<readonly string[]> => dialog().locator('dd a').allInnerTexts();

  it.each([
    ['', 'Open with', 4],
    ['browse/atlas', 'Open with', 6],
    ['browse/long', 'Open with', 4],
    ['browse/atlas', 'Open tall page with other programs', 7],
  ])('has valid addresses, for %s by "%s"', async (address, button, count) => {
    await session.open(address);
    await session.page.getByRole('button', { name: button, exact: true }).click();
    await dialog().getByRole('tab', { name: 'Addresses' }).waitFor();
    const shown = await addresses();
    expect(shown).toHaveLength(count);
    for (const line of shown) expect([line, (await fetch(line)).status]).toEqual([line, 200]);
    expect(session.problems).toEqual([]);
  });

  it('has HTML snippets for other viewers, in tabs with arrow keys', { tags: 'exhaustive' }, async () => {
    await session.open('browse/atlas');
    await session.page.getByRole('button', { name: 'Open with', exact: true }).click();
    const text = dialog().locator('pre').first();
    await dialog().getByRole('tab', { name: 'Addresses' }).focus();
    for (const [name, holds] of [
      ['OpenSeadragon', 'OpenSeadragon({'],
      ['Mirador', 'mirador@4'],
      ['Universal Viewer', 'universalviewer@4'],
    ] as const) {
      await session.page.keyboard.press('ArrowRight');
      expect(await dialog().getByRole('tab', { selected: true }).textContent()).toBe(name);
      expect(await text.textContent()).toContain(holds);
      expect(await text.textContent()).toContain(`"${session.url}presentation/3/atlas/manifest.json"`);
    }
    await session.page.keyboard.press('End');
    expect(await text.textContent()).toMatch(/^<img src="http.*Scaler\?fn=atlas%2Fwide\.png&amp;dw=800/);
    expect(await dialog().locator('pre').nth(1).textContent()).toContain(`<iframe src="${session.url}embed/atlas"`);
    await session.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('has the IIIF icon with a link that viewers accept by drag and drop', { tags: 'exhaustive' }, async () => {
    await session.open('browse/atlas');
    await session.page.getByRole('button', { name: 'Open with', exact: true }).click();
    const icon = dialog().getByRole('link', { name: 'Drag to a IIIF viewer' });
    const address = new URL((await icon.getAttribute('href')) ?? '');
    expect(address.searchParams.get('manifest')).toBe(`${session.url}presentation/3/atlas/manifest.json`);
    const dragged = await icon.evaluate((link) => {
      const dataTransfer = new DataTransfer();
      link.dispatchEvent(new DragEvent('dragstart', { dataTransfer, bubbles: true }));
      return dataTransfer.getData('text/uri-list');
    });
    expect(dragged).toBe(address.href);
  });

  it('opens other viewers with the image', { tags: 'exhaustive' }, async () => {
    await session.open('browse/atlas');
    await session.page.getByRole('button', { name: 'Open tall page with other programs' }).click();
    const icon = dialog().getByRole('link', { name: 'Drag to a IIIF viewer' });
    const { searchParams } = new URL((await icon.getAttribute('href')) ?? '');
    const manifest = await (await fetch(searchParams.get('manifest') ?? '')).json();
    const canvas = manifest.items.find(({ id }: { id: string }) => id === searchParams.get('canvas'));
    expect(canvas.label).toEqual({ none: ['tall page'] });
    await dialog().getByRole('tab', { name: 'Mirador' }).click();
    expect(await dialog().locator('pre').first().textContent()).toContain(`canvasId: "${canvas.id}"`);
  });

  it('opens viewers of other sites at the page', { tags: 'exhaustive' }, async () => {
    await session.open('browse/atlas');
    await session.page.getByRole('button', { name: 'Open tall page with other programs' }).click();
    const link = async (name: string): Promise<URL> =>
      new URL((await dialog().getByRole('link', { name, exact: true }).getAttribute('href')) ?? '');
    const manifest = `${session.url}presentation/3/atlas/manifest.json`;
    const { items } = (await (await fetch(manifest)).json()) as { items: { id: string; label: object }[] };
    const canvas = items[1]?.id;
    // Mirador begins at the canvas that the manifest names.
    const mirador = await link('Mirador');
    expect(mirador.origin).toBe('https://projectmirador.org');
    const start = (await (await fetch(mirador.searchParams.get('iiif-content') ?? '')).json()) as object;
    expect(start).toMatchObject({ id: manifest, start: { id: canvas, type: 'Canvas' } });
    const universal = new URLSearchParams((await link('Universal Viewer')).hash.slice(2));
    expect([universal.get('manifest'), universal.get('cv')]).toEqual([manifest, '1']);
    const state = (await link('Theseus')).searchParams.get('iiif-content') ?? '';
    const json = decodeURIComponent(Buffer.from(state, 'base64url').toString());
    expect(JSON.parse(json)).toMatchObject({
      motivation: ['contentState'],
      target: { id: canvas, type: 'Canvas', partOf: [{ id: manifest, type: 'Manifest' }] },
    });
  });
});
