/** Recipes about annotations: their texts, their places, and where they come from. */
import { expect } from 'vitest';
import type { OpenedRecipe, SeenBox } from '../opened-recipe.ts';
import type { Recipes } from '../recipe.ts';

const gottingen = '918ecd18c2592080851777620de9bcb5-gottingen';
const koto = '36ca0a3370db128ec984b33d71a1543d-100320001004';
const map = '43153e2ec7531f14dd1c9b2fc401678a-88695674';

const texts = (recipe: OpenedRecipe): Promise<readonly string[]> =>
  recipe.panel.locator('.annotation > div').allInnerTexts();

/** Where the outline of an annotation lies, in fractions of the image. */
async function outlineOf(recipe: OpenedRecipe, image: string, number: number): Promise<SeenBox> {
  const shape = recipe.page.locator(`.annotation-shape[data-number="${number}"] .core`);
  const box = await shape.evaluate((path) => {
    const svg = path as SVGPathElement;
    const [bounds, matrix] = [svg.getBBox(), svg.getScreenCTM() ?? new DOMMatrix()];
    const [from, to] = [
      new DOMPoint(bounds.x, bounds.y).matrixTransform(matrix),
      new DOMPoint(bounds.x + bounds.width, bounds.y + bounds.height).matrixTransform(matrix),
    ];
    return { x: from.x, y: from.y, width: to.x - from.x, height: to.y - from.y };
  });
  const shapes = (visibility: string): Promise<void> =>
    recipe.page.locator('.annotation-shapes').evaluate((all, value) => {
      (all as SVGElement).style.visibility = value;
    }, visibility);
  await shapes('hidden');
  const [whole, stage] = [await recipe.boxOf(image), await recipe.page.locator('.stage').boundingBox()];
  await shapes('');
  return {
    x: (box.x - (stage?.x ?? 0) - whole.x) / whole.width,
    y: (box.y - (stage?.y ?? 0) - whole.y) / whole.height,
    width: box.width / whole.width,
    height: box.height / whole.height,
  };
}

/** Expects an outline at a place in units of the canvas. */
async function expectOutline(
  recipe: OpenedRecipe,
  image: string,
  [x, y, width, height]: readonly [number, number, number, number],
  of: { readonly width: number; readonly height: number },
  number = 1,
): Promise<void> {
  const wanted = { x: x / of.width, y: y / of.height, width: width / of.width, height: height / of.height };
  await expect
    .poll(async () => {
      const seen = await outlineOf(recipe, image, number);
      return Math.max(...(['x', 'y', 'width', 'height'] as const).map((name) => Math.abs(seen[name] - wanted[name])));
    })
    .toBeLessThan(0.01);
}

const photo = { width: 4032, height: 3024 };

export const annotationRecipes: Recipes = {
  '0019-html-in-annotations': {
    asks: 'an annotation with a link and an image',
    shown: 'its text with the link; pictures of other hosts are left out',
    async check(recipe) {
      await recipe.open();
      const panel = await recipe.openAnnotations(1);
      await panel.getByText('Göttinger Marktplatz mit Gänseliesel Brunnen').waitFor();
      expect(await panel.getByRole('link').first().getAttribute('href')).toContain('https://de.wikipedia.org/wiki/G');
      expect(await panel.locator('.annotation').textContent()).not.toContain('<');
    },
  },
  '0021-tagging': {
    asks: 'a tag on a part of the image',
    shown: 'in the list, with an outline around its part',
    async check(recipe) {
      await recipe.open();
      await recipe.openAnnotations(1);
      expect((await texts(recipe))[0]).toContain('Gänseliesel-Brunnen');
      await expectOutline(recipe, gottingen, [265, 661, 1260, 1239], photo);
    },
  },
  '0022-linking-with-a-hotspot': {
    asks: 'a part of the image leads to another canvas',
    shown: 'its outline, and a link in the list that opens the other page',
    async check(recipe) {
      await recipe.open();
      const panel = await recipe.openAnnotations(1);
      await expectOutline(recipe, gottingen, [265, 661, 1260, 1239], photo);
      await panel.getByText('A link to a close up of Gänseliesel-Brunnen fountain.').waitFor();
      await panel.locator('.annotation').getByRole('link').click();
      await expect
        .poll(() => recipe.page.evaluate(() => new URLSearchParams(location.search).get('canvas')))
        .toBe(recipe.address('canvas/p2'));
      await recipe.expectShape('918ecd18c2592080851777620de9bcb5-fountain', 3024 / 4032);
    },
  },
  '0045-css': {
    asks: 'the texts of two authors are told apart by their colors',
    shown: 'each text with a stroke in the color that the style sheet gives it, which is told in no other way',
    async check(recipe) {
      await recipe.open();
      const panel = await recipe.openAnnotations(2);
      await panel.getByText('(TK)').waitFor();
      await expectOutline(recipe, koto, [700, 1250, 1850, 1150], { width: 8800, height: 3966 });
      const colors = (): Promise<readonly string[]> =>
        panel
          .locator('.annotation')
          .evaluateAll((all) => all.map((one) => getComputedStyle(one).getPropertyValue('--author')));
      await expect.poll(async () => new Set(await colors()).size).toBe(2);
      expect((await colors()).every((color) => color !== '')).toBe(true);
    },
  },
  '0135-annotating-point-in-canvas': {
    asks: 'a point of the map with its name, seen at every zoom',
    shown: 'a dot of one size at its place, with its name in the list',
    async check(recipe) {
      await recipe.open();
      await recipe.openAnnotations(1);
      expect((await texts(recipe))[0]).toContain('Town Creek Aqueduct');
      await expectOutline(recipe, map, [3385, 1464, 0, 0], { width: 5212, height: 7072 });
      const width = (): Promise<string> =>
        recipe.page
          .locator('.annotation-shape.point .core')
          .evaluate((path) => `${getComputedStyle(path).strokeWidth} ${getComputedStyle(path).vectorEffect}`);
      expect(await width()).toMatch(/^\d+(?:\.\d+)?px non-scaling-stroke$/);
    },
  },
  '0139-geolocate-canvas-fragment': {
    asks: 'a part of the image with its place in the world',
    shown: 'an outline around the part; in the list the name, and the coordinates of its middle with a `geo:` link',
    async check(recipe) {
      await recipe.open();
      const panel = await recipe.openAnnotations(1);
      expect((await texts(recipe))[0]).toContain('Targeted Map from Chesapeake and Ohio Canal Pamphlet');
      await expectOutline(recipe, map, [920, 3600, 1510, 3000], { width: 5212, height: 7072 });
      expect(await panel.locator('.annotation a[href^="geo:"]').getAttribute('href')).toMatch(
        /^geo:38\.95\d*,-77\.15\d*$/,
      );
    },
  },
  '0258-tagging-external-resource': {
    asks: 'a tag with the address of what it names',
    shown: 'its text and a link to the address, with an outline around its part',
    async check(recipe) {
      await recipe.open();
      const panel = await recipe.openAnnotations(1);
      expect((await texts(recipe))[0]).toContain('Gänseliesel-Brunnen');
      expect(await panel.locator('.annotation').getByRole('link').getAttribute('href')).toBe(
        'http://www.wikidata.org/entity/Q18624915',
      );
      await expectOutline(recipe, gottingen, [749, 1054, 338, 460], photo);
    },
  },
  '0261-non-rectangular-commenting': {
    asks: 'an outline of any shape, and no rectangle around it',
    shown: 'the outline of the statue, and no other',
    async check(recipe) {
      await recipe.open();
      await recipe.openAnnotations(1);
      expect((await texts(recipe))[0]).toContain('Gänseliesel-Brunnen');
      const seen = await outlineOf(recipe, gottingen, 1);
      expect(seen.x).toBeCloseTo(270 / 4032, 2);
      expect(seen.y + seen.height).toBeCloseTo(1900 / 3024, 2);
      const path = await recipe.page.locator('.annotation-shape .core').getAttribute('d');
      expect((path ?? '').split('L').length).toBeGreaterThan(5);
      expect(await recipe.page.locator('.annotation-shape').count()).toBe(1);
    },
  },
  '0266-full-canvas-annotation': {
    asks: 'a text about the whole canvas',
    shown: 'in the list, said to be about the whole page',
    async check(recipe) {
      await recipe.open();
      await recipe.openAnnotations(1);
      expect(await texts(recipe)).toEqual([
        expect.stringMatching(/^Göttinger Marktplatz mit Gänseliesel Brunnen\s+.*whole page/i),
      ]);
    },
  },
  '0269-embedded-or-referenced-annotations': {
    asks: 'annotations of another document are the same as those in the manifest',
    shown: 'loaded when the panel opens, and listed as those of 0266',
    async check(recipe) {
      await recipe.open();
      expect(recipe.host.requested).not.toContain(recipe.address('annotationpage.json'));
      await recipe.openAnnotations(1);
      expect((await texts(recipe))[0]).toContain('Göttinger Marktplatz mit Gänseliesel Brunnen');
    },
  },
  '0306-linking-annotations-to-manifests': {
    asks: 'an annotation whose target names its canvas and manifest',
    shown: 'in the list, with an outline around its part',
    async check(recipe) {
      await recipe.open();
      await recipe.openAnnotations(1);
      expect((await texts(recipe))[0]).toContain('Der Gänseliesel-Brunnen');
      await expectOutline(recipe, gottingen, [300, 800, 1200, 1200], photo);
    },
  },
  '0309-annotation-collection': {
    asks: 'the annotations of a collection are a group with its label',
    shown: 'the label of the collection as a kind to choose, which leaves its annotations on each page',
    async check(recipe) {
      await recipe.open();
      const panel = await recipe.openAnnotations(4);
      await panel.getByLabel('Kind').selectOption('Newspaper layout markup');
      await expect.poll(() => panel.locator('.annotation').count()).toBe(4);
      await expectOutline(recipe, '4ce82cef49fb16798f4c2440307c3d6f-newspaper-p1', [88, 957, 2768, 248], {
        width: 3602,
        height: 5000,
      });
      await recipe.press('PageDown');
      await expect.poll(() => panel.locator('.annotation', { hasText: 'text-3-1' }).count()).toBe(1);
      expect(await panel.locator('.annotation').count()).toBe(4);
    },
  },
  '0326-annotating-image-layer': {
    asks: 'an annotation of one image of a choice is about that image alone',
    shown: 'in the list and outlined while that image is shown, and not with the other one',
    async check(recipe) {
      await recipe.open('manifest.json', '&layers=2');
      const panel = await recipe.openAnnotations(1);
      expect((await texts(recipe))[0]).toContain('skulls');
      await expectOutline(recipe, '421e65be2ce95439b3ad6ef1f2ab87a9-dee-xray', [810, 900, 260, 370], {
        width: 2000,
        height: 1271,
      });
      await recipe.press('Shift+Y');
      await expect.poll(() => panel.locator('.annotation').count()).toBe(0);
    },
  },
  '0346-multilingual-annotation-body': {
    asks: 'of the same text in several languages the reader’s is shown',
    shown: 'the Japanese one alone for a reader of Japanese',
    locale: 'ja',
    async check(recipe) {
      await recipe.open();
      await recipe.page.keyboard.press('o');
      await expect.poll(() => recipe.panel.locator('.annotation').count()).toBe(1);
      const [text = ''] = await texts(recipe);
      expect(text).toContain('袋に収められた琴');
      expect(text).not.toContain('Koto');
      await expectOutline(recipe, koto, [1650, 1200, 925, 1250], { width: 8800, height: 3966 });
    },
  },
  '0377-image-in-annotation': {
    asks: 'an annotation with a picture and a text about a part of the image',
    shown: 'the picture above the text in the list, with an outline around the part',
    async check(recipe) {
      await recipe.open();
      const panel = await recipe.openAnnotations(1);
      await panel.getByText('Night picture of the Gänseliesel fountain').waitFor();
      await expectOutline(recipe, gottingen, [138, 550, 1477, 1710], photo);
      const picture = panel.locator('.annotation img');
      await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(300);
    },
  },
  '0464-reuse-manifest': {
    asks: 'a manifest with the canvas of another, its rights, and an annotation of its own',
    shown: 'rights, statement and the link to the source; the annotation in the list',
    async check(recipe) {
      await recipe.open();
      await recipe.expectTitle('Picture of Göttingen taken during the 2019 IIIF Conference, reused and annotated.');
      await recipe.openAbout();
      expect(await recipe.panel.locator('a.rights').getAttribute('href')).toBe(
        'http://creativecommons.org/licenses/by-sa/3.0/',
      );
      const source = recipe.address('manifest.json', '0008-rights');
      await recipe.panel.locator(`a[href="${source}"]`).waitFor();
      await recipe.openAnnotations(1);
      expect((await texts(recipe))[0]).toContain('Göttinger Marktplatz mit Gänseliesel Brunnen');
    },
  },
};
