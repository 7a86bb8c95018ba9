/** Recipes about books: openings, directions, contents, orders of pages, and pages that are missing. */
import { expect } from 'vitest';
import type { OpenedRecipe } from '../opened-recipe.ts';
import type { Recipes } from '../recipe.ts';

const isTwoPages = (recipe: OpenedRecipe): Promise<boolean> =>
  recipe.page.evaluate(() => new URLSearchParams(location.search).get('pages') === '2');

/** The labels of chapters with their pages, as they are read. */
const chapters = (recipe: OpenedRecipe): Promise<readonly string[]> =>
  recipe.panel.locator('.chapters a').allInnerTexts();

const regionOf = (recipe: OpenedRecipe): Promise<readonly number[]> =>
  recipe.page.evaluate(() => {
    const query = new URLSearchParams(location.search);
    return ['wx', 'wy', 'ww', 'wh'].map((name) => Number(query.get(name)));
  });

async function expectRegion(recipe: OpenedRecipe, wanted: readonly number[]): Promise<void> {
  await expect
    .poll(async () => {
      const seen = await regionOf(recipe);
      return Math.max(...wanted.map((value, at) => Math.abs(value - (seen[at] ?? 0))));
    })
    .toBeLessThan(0.01);
}

export const bookRecipes: Recipes = {
  '0009-book-1': {
    asks: 'pages in their order with their labels, to be turned two at a time',
    shown: 'openings: the first page alone, then two facing each other; the strip has all labels in order',
    async check(recipe) {
      await recipe.open();
      await recipe.expectTitle('Simple Manifest - Book');
      await recipe.expectPages('Blank page');
      await recipe.press('PageDown');
      await recipe.expectPages('Frontispiece – Title page');
      const scan = (number: number): string =>
        `59d09e6773341f28ea166e9f3c1e674f-gallica_ark_12148_bpt6k1526005v_f${number}`;
      const [left, right] = [await recipe.expectShape(scan(19), 3186 / 4612), await recipe.boxOf(scan(20))];
      expect(left.x + left.width).toBeLessThanOrEqual(right.x + 1);
      await expect
        .poll(() =>
          recipe.page.locator('.filmstrip a').evaluateAll((all) => all.map((one) => (one as HTMLElement).title)),
        )
        .toEqual(['Blank page', 'Frontispiece', 'Title page', 'Blank page', 'Bookplate']);
    },
  },
  '0010-book-2-viewing-direction': {
    asks: 'one book is read from right to left, the other from top to bottom',
    shown: '← leads on and the strip begins at the right; ↓ leads on, and pages scroll from top to bottom',
    async check(recipe) {
      await recipe.open('manifest-rtl.json');
      await recipe.expectPages('front cover');
      await recipe.press('ArrowLeft');
      await recipe.expectPages('pages 1–2');
      const shown = await recipe.page
        .locator('.filmstrip a')
        .evaluateAll((all) =>
          all
            .toSorted((one, other) => one.getBoundingClientRect().x - other.getBoundingClientRect().x)
            .map((one) => (one as HTMLElement).title),
        );
      expect([shown.at(-1), shown[0]]).toEqual(['front cover', 'back cover']);
      await recipe.open('manifest-ttb.json');
      await recipe.expectPages('image 1');
      await recipe.press('ArrowDown');
      await recipe.expectPages('image 2');
      await recipe.press('ArrowUp');
      await recipe.expectPages('image 1');
      await recipe.press('Shift+S');
      const tops = (): Promise<readonly number[]> =>
        recipe.page.locator('.whole-book a').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y));
      await expect.poll(async () => (await tops()).length).toBeGreaterThan(1);
      const seen = await tops();
      expect(seen.toSorted((one, other) => one - other)).toEqual(seen);
    },
  },
  '0011-book-3-behavior': {
    asks: 'a scroll is one continuous view; photographed openings are shown one at a time',
    shown:
      'all sections in a row without gaps, which is scrolled and zoomed as one; one image at a time without openings',
    async check(recipe) {
      await recipe.show('manifest-continuous.json');
      const expectInRow = async (): Promise<void> => {
        const sections = recipe.page.locator('.whole-book.in-row li');
        await expect.poll(() => sections.count()).toBeGreaterThan(1);
        const boxes = await sections.evaluateAll((all) =>
          all.map((one) => {
            const { left, right, top } = one.getBoundingClientRect();
            return { left, right, top };
          }),
        );
        for (const [index, box] of boxes.slice(1).entries()) {
          expect(Math.abs(box.left - (boxes[index]?.right ?? 0))).toBeLessThan(1.5);
          expect(box.top).toBe(boxes[index]?.top);
        }
      };
      await expectInRow();
      await recipe.page.locator('.whole-book').evaluate((area) => area.scrollTo({ left: area.scrollWidth }));
      await recipe.expectPages('Section 4 [Recto]');
      await expectInRow();
      await recipe.open('manifest-individuals.json');
      await recipe.expectPages('inside cover; 1r');
      await recipe.press('PageDown');
      await recipe.expectPages('2v, 3r');
      expect(await isTwoPages(recipe)).toBe(false);
    },
  },
  '0024-book-4-toc': {
    asks: 'chapters within chapters, in their order, lead to their pages',
    shown: '**Contents** has the same tree; a chapter leads to its first page, and the bar names it',
    async check(recipe) {
      await recipe.open();
      await recipe.press('Shift+C');
      await expect
        .poll(() => chapters(recipe))
        .toEqual([
          'Table of Contents\nf. 1r',
          'Tabiba Tabiban [ጠቢበ ጠቢባን]\nf. 1r',
          "Arede'et [አርድዕት]\nf. 2r",
          'Monday\nf. 2r',
          'Tuesday\nf. 3r',
        ]);
      await recipe.panel.getByRole('link', { name: /Tuesday/ }).click();
      await recipe.expectPages('f. 3r');
      await expect.poll(() => recipe.page.locator('.chapter-now').textContent()).toBe('Tuesday');
    },
  },
  '0025-newspaper-article-index': {
    asks: 'an article begins at its first column, and the reader goes on to its other columns and pages in their order',
    shown: '**Contents** lists each column below its article; “next chapter” shows them one after the other',
    async check(recipe) {
      await recipe.open();
      await recipe.press('Shift+C');
      await recipe.panel
        .getByRole('link', { name: /Tagesneuigkeiten/ })
        .first()
        .click();
      await recipe.expectPages('Seite 2.');
      const part = (x: number, y: number, width: number, height: number): readonly number[] => [
        x / 1634,
        y / 2402,
        width / 1634,
        height / 2402,
      ];
      await expectRegion(recipe, part(553, 1157, 470, 1103));
      await recipe.press('Shift+PageDown');
      await expectRegion(recipe, part(1018, 95, 461, 245));
      await recipe.press('Shift+PageDown');
      await recipe.expectPages('Seite 5.');
      await expectRegion(recipe, part(569, 104, 478, 2153));
      await recipe.press('Shift+PageDown');
      await expectRegion(recipe, part(1044, 104, 466, 2147));
    },
  },
  '0027-alternative-page-order': {
    asks: 'the pages follow the first order, and another one can be chosen by its name',
    shown:
      '**Contents** offers both orders; with the author’s, pages are turned and listed in it, and the address keeps it',
    async check(recipe) {
      await recipe.open();
      const labels = (): Promise<readonly string[]> =>
        recipe.page.locator('.filmstrip a').evaluateAll((all) => all.map((one) => (one as HTMLElement).title));
      await expect.poll(labels).toEqual(['171r (387)', '171v (384)', '172r (385)', '172v [386]']);
      await recipe.press('Shift+C');
      const choice = recipe.panel.getByLabel('Order of the pages');
      await expect
        .poll(() => choice.locator('option').allInnerTexts())
        .toEqual(['Physical sequence', 'Author-intended sequence']);
      await choice.selectOption('Author-intended sequence');
      await expect.poll(labels).toEqual(['171v (384)', '172r (385)', '172v [386]', '171r (387)']);
      await recipe.page.reload();
      await expect.poll(labels).toEqual(['171v (384)', '172r (385)', '172v [386]', '171r (387)']);
    },
  },
  '0031-bound-multivolume': {
    asks: 'the volumes of one binding are listed and lead to their pages',
    shown: '**Contents** lists them below the whole, in their order',
    async check(recipe) {
      await recipe.open();
      await recipe.press('Shift+C');
      const labels = async (): Promise<readonly string[]> =>
        (await chapters(recipe)).map((one) => one.split('\n')[0]?.slice(0, 16) ?? '');
      await expect.poll(labels).toEqual(['Gottesdienstlich', 'Front Matter', 'Erste Ausgabe. B', 'Zweyte Ausgabe. ']);
      await recipe.panel.getByRole('link', { name: /Zweyte Ausgabe/ }).click();
      await recipe.expectPages('Vol. 2 title page');
    },
  },
  '0035-foldouts': {
    asks: 'the unfolded sheet stands beside the sequence, so that versos and rectos stay together',
    shown: 'openings as in the book; the unfolded sheet follows alone',
    async check(recipe) {
      await recipe.open();
      const seen: string[] = [];
      for (const label of [
        'Front cover',
        'Inside front cover – Foldout, folded',
        'Foldout, unfolded',
        'Foldout, folded (recto) – Title page',
        'Back of title page – Inside back cover',
        'Back cover',
      ]) {
        await recipe.expectPages(label);
        seen.push(label);
        await recipe.press('PageDown');
      }
      expect(seen).toHaveLength(6);
    },
  },
  '0202-start-canvas': {
    asks: 'it begins at the second canvas, and the first can be reached',
    shown: 'the frontispiece at first; “previous page” leads to the blank page before it',
    async check(recipe) {
      await recipe.open();
      await recipe.expectPages('Frontispiece');
      await recipe.press('PageUp');
      await recipe.expectPages('Blank page');
    },
  },
  '0283-missing-image': {
    asks: 'a page without an image keeps its place, with its label and what is said of it',
    shown: 'a page that says so under its label, with its metadata; the pages around it keep their sides',
    async check(recipe) {
      await recipe.open();
      await recipe.expectPages('f. 1r');
      await recipe.press('PageDown');
      await recipe.page.getByRole('heading', { name: 'This page has no image' }).waitFor();
      await recipe.expectPages('f. 1v — MISSING');
      await recipe.page.getByText('Image unavailable or does not exist').first().waitFor();
      await recipe.press('PageDown');
      await recipe.expectPages('f. 2r');
    },
  },
};
