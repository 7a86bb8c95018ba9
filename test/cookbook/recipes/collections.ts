/** Recipes of several documents: collections, both versions of a manifest, and links that open something. */
import { expect } from 'vitest';
import { waitUntilSettled } from '../../browser/stage-pixels.ts';
import type { OpenedRecipe } from '../opened-recipe.ts';
import type { Recipes } from '../recipe.ts';

const members = (recipe: OpenedRecipe) => recipe.page.locator('.collection-members li');

const titles = (recipe: OpenedRecipe) => members(recipe).locator('strong').allTextContents();

const parameter = (recipe: OpenedRecipe, name: string): Promise<string | null> =>
  recipe.page.evaluate((key) => new URLSearchParams(location.search).get(key), name);

const encoded = (value: object): string => Buffer.from(encodeURIComponent(JSON.stringify(value))).toString('base64url');

async function documentOf(recipe: OpenedRecipe, name: string): Promise<object> {
  return (await (await fetch(recipe.address(name))).json()) as object;
}

const middle = { x: 0.5, y: 0.5 };

export const collectionRecipes: Recipes = {
  '0030-multi-volume': {
    asks: 'the volumes of a work are listed in their order, and read from right to left, one image at a time',
    shown: 'cards of the volumes under the title of the work; a volume as its manifest asks',
    async check(recipe) {
      await recipe.show('collection.json');
      await expect.poll(() => titles(recipe)).toEqual(['巻 1 [Vol. 1]', '巻 2 [Vol. 2]']);
      await recipe.page.getByRole('heading', { name: '青楼絵本年中行事 [Seirō ehon nenjū gyōji]' }).waitFor();
      await members(recipe).first().getByRole('link').click();
      await waitUntilSettled(recipe.page);
      await recipe.expectPages('Front cover');
      await recipe.press('ArrowLeft');
      await recipe.expectPages('Page spread 1');
    },
  },
  '0032-collection': {
    asks: 'the manifests of a collection are listed with its title, and can be opened',
    shown: 'cards in their order under the title of the collection',
    async check(recipe) {
      await recipe.show('collection.json');
      await expect.poll(() => titles(recipe)).toEqual(['The Gulf Stream', 'Northeaster']);
      await recipe.page.getByRole('heading', { name: 'Simple Collection Example' }).waitFor();
      await recipe.page.getByRole('link', { name: 'Northeaster' }).click();
      await recipe.expectTitle('Northeaster');
    },
  },
  '0057-publishing-v2-and-v3': {
    asks: 'a manifest is published in versions 2 and 3',
    shown: 'both open with the same title and image',
    async check(recipe) {
      for (const document of ['manifest-v2.json', 'manifest-v3.json']) {
        await recipe.open(document);
        await recipe.expectTitle('IIIF Presentation Version 3 Minimum Viable Manifest');
        await recipe.expectSeen(
          'https://iiif.io/api/presentation/2.1/example/fixtures/resources/page1-full.png',
          middle,
          middle,
        );
      }
    },
  },
  '0068-newspaper': {
    asks: 'the issues of a newspaper by their dates; an issue with its text as annotations, its ALTO files, provider and rights',
    shown:
      'issues with their dates; each page’s lines in the list and outlined, its ALTO file as a link, provider and rights',
    async check(recipe) {
      await recipe.show('newspaper_title-collection.json');
      await recipe.page.getByRole('heading', { name: 'Berliner Tageblatt' }).waitFor();
      await expect
        .poll(() => members(recipe).allInnerTexts())
        .toEqual([expect.stringContaining('1925-02-16'), expect.stringContaining('1925-03-13')]);
      await members(recipe).first().getByRole('link').click();
      await waitUntilSettled(recipe.page);
      await recipe.expectPages('p. 1');
      await recipe.openAbout();
      await expect.poll(() => recipe.fact('Provider').textContent()).toContain('Europeana');
      expect(await recipe.fact('Date').textContent()).toBe('1925-02-16');
      expect(await recipe.panel.locator('a.rights').getAttribute('href')).toBe(
        'http://creativecommons.org/publicdomain/mark/1.0/',
      );
      expect(await recipe.panel.getByRole('link', { name: 'ALTO XML' }).getAttribute('href')).toBe(
        recipe.address('newspaper_issue_1-alto_p1.xml'),
      );
      await recipe.press('o');
      await recipe.panel.getByText('I. 54. Jahrgang').waitFor();
      expect(await recipe.page.locator('.annotation-shape').count()).toBeGreaterThan(100);
    },
  },
  '0230-navdate': {
    asks: 'the dates of the members of a collection, and of a manifest',
    shown: 'the list has the dates, the earliest first; a manifest’s date is among its metadata',
    async check(recipe) {
      await recipe.show('navdate-collection.json');
      await expect.poll(() => members(recipe).locator('time').allInnerTexts()).toEqual(['1986-01-01', '1987-01-01']);
      await members(recipe).nth(1).getByRole('link').click();
      await waitUntilSettled(recipe.page);
      await recipe.openAbout();
      await expect.poll(() => recipe.fact('Date').textContent()).toBe('1987-01-01');
    },
  },
  '0318-navPlace-navDate': {
    asks: 'date and place of each member of a collection',
    shown: 'the list has dates, in whose order it can be put, and places with `geo:` links',
    async check(recipe) {
      await recipe.show('collection.json');
      const dates = members(recipe).locator('time');
      await expect
        .poll(() => dates.allInnerTexts())
        .toEqual(['1776-01-01', '1776-01-01', '1725-01-01', '1849-01-01', '1821-01-01']);
      expect(await members(recipe).nth(1).locator('a[href^="geo:"]').getAttribute('href')).toBe(
        'geo:41.890278,12.492222',
      );
      await recipe.page.getByLabel('Order by date').check();
      await expect
        .poll(() => dates.allInnerTexts())
        .toEqual(['1725-01-01', '1776-01-01', '1776-01-01', '1821-01-01', '1849-01-01']);
      await recipe.open('manifest-2.json');
      await recipe.openAbout();
      await expect.poll(() => recipe.fact('Date').textContent()).toBe('1776-01-01');
      expect(await recipe.panel.getByRole('link', { name: 'The Colosseum' }).getAttribute('href')).toBe(
        'geo:41.890278,12.492222',
      );
    },
  },
  '0466-link-for-loading-manifest': {
    asks: 'a link with `iiif-content` and the address of a manifest opens it',
    shown: 'at the address of the room: the manifest of 0001',
    async check(recipe) {
      await recipe.goTo(`?iiif-content=${recipe.address('manifest.json', '0001-mvm-image')}`);
      await waitUntilSettled(recipe.page);
      await recipe.expectTitle('Single Image Example');
    },
  },
  '0485-contentstate-canvas-region': {
    asks: 'a content state opens a part of the second page of a book',
    shown: 'that part fills the window, and the book can be read on',
    async check(recipe) {
      await recipe.goTo(`?iiif-content=${encoded(await documentOf(recipe, 'annotation.json'))}`);
      await waitUntilSettled(recipe.page);
      await expect.poll(() => parameter(recipe, 'canvas')).toBe(recipe.address('canvas/p2', '0009-book-1'));
      await recipe.expectSeen('59d09e6773341f28ea166e9f3c1e674f-gallica_ark_12148_bpt6k1526005v_f19', middle, {
        x: (1528 + 172) / 3186,
        y: (3024 + 204) / 4612,
      });
      const seen = await recipe.boxOf('59d09e6773341f28ea166e9f3c1e674f-gallica_ark_12148_bpt6k1526005v_f19');
      const stage = await recipe.page.locator('.stage').boundingBox();
      expect(seen.height / (stage?.height ?? 1)).toBeGreaterThan(0.95);
    },
  },
  '0540-link-for-opening-multiple-canvases': {
    asks: 'a content state opens two canvases of two manifests beside each other',
    shown: 'both in a comparison',
    async check(recipe) {
      await recipe.goTo(`?iiif-content=${encoded(await documentOf(recipe, 'annotation.json'))}`);
      await expect.poll(() => recipe.page.locator('.pane').count()).toBe(2);
      await expect.poll(() => recipe.page.locator('.pane .stage-image').count()).toBe(2);
      expect(await parameter(recipe, '1.canvas')).toBe(recipe.address('canvas/2'));
      expect(await parameter(recipe, '2.canvas')).toBe(recipe.address('canvas/p2'));
      await expect.poll(() => recipe.page.locator('.pane-head', { hasText: 'The Colosseum' }).count()).toBe(2);
    },
  },
  '0599-drag-and-drop': {
    asks: 'a content state that is dropped opens its manifest',
    shown: 'dropped onto the manifest of 0001: that of 0006',
    async check(recipe) {
      await recipe.goTo(`view?manifest=${encodeURIComponent(recipe.address('manifest.json', '0001-mvm-image'))}`);
      await waitUntilSettled(recipe.page);
      const state = JSON.stringify(await documentOf(recipe, 'manifest.json'));
      const dataTransfer = await recipe.page.evaluateHandle((text) => {
        const data = new DataTransfer();
        data.setData('text/plain', text);
        return data;
      }, state);
      await recipe.page.locator('main').first().dispatchEvent('drop', { dataTransfer });
      await recipe.expectTitle("Whistler's Mother");
    },
  },
};
