/** Recipes about a single image, or several on one canvas. */
import { expect } from 'vitest';
import type { Recipes } from '../recipe.ts';

const gottingen = '918ecd18c2592080851777620de9bcb5-gottingen';
const page1 = 'https://iiif.io/api/presentation/2.1/example/fixtures/resources/page1-full.png';
const orines = '85a96c630f077e6ac6cb984f1b752bbf-0-21198-zz00022840-1-page1';
const [dee, xRay] = ['421e65be2ce95439b3ad6ef1f2ab87a9-dee-natural', '421e65be2ce95439b3ad6ef1f2ab87a9-dee-xray'];

/** Half a pixel of the stage is a fraction of this size. */
const middle = { x: 0.5, y: 0.5 };

export const imageRecipes: Recipes = {
  '0001-mvm-image': {
    asks: 'an image fills its canvas, with the title of the manifest',
    shown: 'the image whole, in its proportions, below its title',
    async check(recipe) {
      await recipe.open();
      await recipe.expectTitle('Single Image Example');
      await recipe.expectShape(page1, 1200 / 1800);
      await recipe.expectSeen(page1, middle, middle);
    },
  },
  '0004-canvas-size': {
    asks: 'an image smaller than its canvas fills it',
    shown: 'the image fills the canvas, in whose proportions it is seen',
    async check(recipe) {
      await recipe.open();
      const image = 'https://fixtures.iiif.io/video/indiana/donizetti-elixir/act1-thumbnail.png';
      await recipe.expectShape(image, 1920 / 1080);
      const stage = await recipe.page.locator('.stage').boundingBox();
      const { width, height } = await recipe.boxOf(image);
      expect(Math.max(width / (stage?.width ?? 0), height / (stage?.height ?? 0))).toBeGreaterThan(0.95);
    },
  },
  '0005-image-service': {
    asks: 'the image is zoomed by its image service',
    shown: 'tiles of the seen part in all of its pixels, once the reader zooms to them',
    async check(recipe) {
      await recipe.open();
      await recipe.expectPages('Canvas with a single IIIF image');
      await recipe.expectShape(gottingen, 4032 / 3024);
      await recipe.press('1');
      const fullTile = new RegExp(`${gottingen}/\\d+,\\d+,512,512/512,`);
      await expect.poll(() => recipe.host.requested.some((address) => fullTile.test(address))).toBe(true);
      await recipe.expectSeen(gottingen, middle, middle);
    },
  },
  '0033-choice': {
    asks: 'the first image is shown, and the reader can choose the other by its name',
    shown: 'natural light first; **Layers** lists both by name, shows either alone, and mixes them',
    async check(recipe) {
      await recipe.open();
      await recipe.expectSeen(dee, middle, middle);
      await recipe.press('y');
      await expect.poll(() => recipe.panel.locator('.layer label').allInnerTexts()).toEqual(['Natural Light', 'X-Ray']);
      await recipe.panel.getByRole('button', { name: 'Show only “X-Ray”' }).click();
      await recipe.expectSeen(xRay, middle, middle);
    },
  },
  '0036-composition-from-multiple-images': {
    asks: 'the second image lies over the first at its place on the canvas',
    shown: 'both as one page: the miniature at its place over the folio',
    async check(recipe) {
      await recipe.open();
      const [folio, miniature] = [
        '899da506920824588764bc12b10fc800-bnf_chateauroux',
        '899da506920824588764bc12b10fc800-bnf_chateauroux_miniature',
      ];
      const whole = await recipe.expectShape(folio, 7216 / 5412);
      const part = await recipe.boxOf(miniature);
      expect((part.x - whole.x) / whole.width).toBeCloseTo(3949 / 7216, 2);
      expect((part.y - whole.y) / whole.height).toBeCloseTo(994 / 5412, 2);
      expect(part.width / whole.width).toBeCloseTo(1091 / 7216, 2);
      expect(part.height / whole.height).toBeCloseTo(1232 / 5412, 2);
    },
  },
  '0040-image-rotation-service': {
    asks: 'the image is turned by 90°, by the image service in one manifest and by CSS in the other',
    shown: 'both turned as asked, in the proportions of the canvas; the reader can turn them on',
    async check(recipe) {
      for (const document of ['manifest-service.json', 'manifest-css.json']) {
        await recipe.open(document);
        const { x, width } = await recipe.expectShape(orines, 2105 / 1523);
        const stage = await recipe.page.locator('.stage').boundingBox();
        // What is at the bottom of the image is at the left.
        await recipe.expectSeen(orines, { x: (x + width * 0.1) / (stage?.width ?? 1), y: 0.5 }, { x: 0.5, y: 0.9 });
      }
    },
  },
  '0117-add-image-thumbnail': {
    asks: 'the manifest’s thumbnail stands for the object, and the canvas has one of its own image',
    shown: 'the strip shows the image of the canvas; the thumbnail stands beside what the manifest says of itself',
    async check(recipe) {
      await recipe.open();
      const [bar, cover] = [
        '4f92cceb12dd53b52433425ce44308c7-ucla_bib1987273_no001_rs_001_full',
        '4f92cceb12dd53b52433425ce44308c7-ucla_bib1987273_no001_rs_001',
      ];
      await recipe.expectShape(bar, 4520 / 5312);
      await recipe.openAbout();
      await expect.poll(() => recipe.panel.locator('.work-thumbnail').getAttribute('src')).toContain(`/${cover}/`);
    },
  },
  '0232-image-thumbnail-canvas': {
    asks: 'thumbnails of canvases are those that are declared, in their sizes',
    shown: 'the strip asks for declared sizes only, of images, and the picture of a video',
    async check(recipe) {
      await recipe.open('manifest-image.json');
      const sources = (): Promise<readonly (string | null)[]> =>
        recipe.page.locator('.filmstrip img').evaluateAll((all) => all.map((one) => one.getAttribute('src')));
      await expect.poll(async () => (await sources()).length).toBe(2);
      for (const source of await sources())
        expect(source).toMatch(
          /level0\/Glen\/photos\/(?:gottingen|fountain)\/full\/(?:max|126,95|95,126|252,189|189,252)\//,
        );
      await recipe.play('manifest-av.json');
      await expect
        .poll(sources)
        .toEqual(
          [1, 2].map((act) =>
            recipe.host.others.addressOf(
              `https://fixtures.iiif.io/video/indiana/donizetti-elixir/act${act}-thumbnail.png`,
            ),
          ),
        );
    },
  },
  '0299-region': {
    asks: 'a region of an image is shown alone, in its proportions',
    shown: 'the article alone fills the stage, and nothing around it is seen',
    async check(recipe) {
      await recipe.open();
      const page = '4ce82cef49fb16798f4c2440307c3d6f-newspaper-p2';
      await recipe.expectShape(page, 1768 / 2080);
      await recipe.expectSeen(page, middle, { x: (1768 + 884) / 3536, y: (2423 + 1040) / 4999 });
    },
  },
  '0561-text-on-image': {
    asks: 'a text is seen on the image at its place, and the image can be zoomed',
    shown: 'the text lies on its part of the image, with its style, and moves and grows with it',
    async check(recipe) {
      await recipe.open();
      const text = recipe.page.locator('.painted-text');
      await text.getByText('The koto is to the right, carried in a cloth wrapping.').waitFor();
      const image = '36ca0a3370db128ec984b33d71a1543d-100320001004';
      const expectPlace = async (): Promise<void> => {
        const [box, whole, stage] = [
          await text.boundingBox(),
          await recipe.boxOf(image),
          await recipe.page.locator('.stage').boundingBox(),
        ];
        expect(((box?.x ?? 0) - (stage?.x ?? 0) - whole.x) / whole.width).toBeCloseTo(5500 / 70399, 1);
        expect(((box?.y ?? 0) - (stage?.y ?? 0) - whole.y) / whole.height).toBeCloseTo(12200 / 31722, 1);
        expect((box?.width ?? 0) / whole.width).toBeCloseTo(8000 / 70399, 1);
      };
      await recipe.expectShape(image, 70399 / 31722);
      await expectPlace();
      const before = await text.boundingBox();
      await recipe.press('+');
      await expect.poll(async () => (await text.boundingBox())?.width ?? 0).toBeGreaterThan((before?.width ?? 0) * 1.2);
    },
  },
};
