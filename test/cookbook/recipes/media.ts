/** Recipes about sound, video and canvases with a time; what is played is made for the test, in the length that the recipe says. */
import { expect } from 'vitest';
import type { OpenedRecipe } from '../opened-recipe.ts';
import type { Recipes } from '../recipe.ts';

const fixtures = 'https://fixtures.iiif.io/';

const position = (recipe: OpenedRecipe): Promise<string | null> =>
  recipe.page.getByRole('slider', { name: 'Position' }).evaluate((slider) => slider.ariaValueText);

const press = (recipe: OpenedRecipe): Promise<void> =>
  recipe.page.getByRole('button', { name: 'Play', exact: true }).click();

const timeOf = (recipe: OpenedRecipe, selector: string): Promise<number> =>
  recipe.page
    .locator(selector)
    .first()
    .evaluate((element) => (element as HTMLMediaElement).currentTime);

const sourceOf = (recipe: OpenedRecipe, selector: string): Promise<string | null> =>
  recipe.page.locator(selector).first().getAttribute('src');

const chapters = (recipe: OpenedRecipe): Promise<readonly string[]> =>
  recipe.page.locator('.media-chapters button').allInnerTexts();

const tab = (recipe: OpenedRecipe, name: string): Promise<void> =>
  recipe.page.getByRole('tab', { name, exact: true }).click();

async function expectPlays(recipe: OpenedRecipe, selector: string, from = 0): Promise<void> {
  await press(recipe);
  await expect.poll(() => timeOf(recipe, selector)).toBeGreaterThan(from + 0.2);
}

async function shapeOf(recipe: OpenedRecipe): Promise<number> {
  const box = await recipe.page.locator('.media-canvas').boundingBox();
  return (box?.width ?? 0) / (box?.height ?? 1);
}

const act = (number: number): string =>
  `${fixtures}video/indiana/donizetti-elixir/vae0637_accessH264_low_act_${number}.mp4`;
const prelude = "Preludio e Coro d'introduzione – Bel conforto al mietitore";

export const mediaRecipes: Recipes = {
  '0002-mvm-audio': {
    asks: 'sound that plays, in the length of its canvas',
    shown: 'a player of 33:05, which plays',
    async check(recipe) {
      await recipe.play();
      expect(await position(recipe)).toBe('0:00 of 33:05');
      await expectPlays(recipe, 'audio');
    },
  },
  '0003-mvm-video': {
    asks: 'a video that plays, in the proportions of its canvas',
    shown: 'a player of 9:32 in 4 : 3, which plays',
    async check(recipe) {
      await recipe.play();
      expect(await position(recipe)).toBe('0:00 of 9:32');
      await expectPlays(recipe, 'video');
      expect(await shapeOf(recipe)).toBeCloseTo(480 / 360, 1);
    },
  },
  '0013-placeholderCanvas': {
    asks: 'an image is seen until the video plays',
    shown: 'the still picture, which gives way to the video',
    async check(recipe) {
      await recipe.play();
      const poster = recipe.page.locator('.media-canvas img');
      await poster.waitFor();
      expect(await sourceOf(recipe, '.media-canvas img')).toContain('act1-thumbnail.png');
      await press(recipe);
      await poster.waitFor({ state: 'detached' });
    },
  },
  '0014-accompanyingcanvas': {
    asks: 'an image is seen while the sound plays',
    shown: 'the page of the score, also while it plays',
    async check(recipe) {
      await recipe.play();
      const score = recipe.page.locator('.media-canvas img');
      await score.waitFor();
      await expectPlays(recipe, 'audio');
      expect(await score.isVisible()).toBe(true);
      expect(await sourceOf(recipe, '.media-canvas img')).toContain('mahler-0');
      expect(await shapeOf(recipe)).toBeCloseTo(772 / 998, 1);
    },
  },
  '0015-start': {
    asks: 'the video begins at 120.5 seconds',
    shown: 'it stands at 2:00, and plays from there',
    async check(recipe) {
      await recipe.play();
      expect(await position(recipe)).toBe('2:00 of 30:01');
      await expect.poll(() => timeOf(recipe, 'video')).toBeCloseTo(120.5, 1);
      await expectPlays(recipe, 'video', 120.5);
    },
  },
  '0017-transcription-av': {
    asks: 'the transcript can be had as a file',
    shown: 'beside the video, and as a file',
    async check(recipe) {
      await recipe.play();
      await tab(recipe, 'Files');
      expect(await recipe.page.getByRole('link', { name: 'Transcript' }).getAttribute('href')).toContain(
        'volleyball.txt',
      );
      await tab(recipe, 'Transcript');
      await recipe.page.getByText('What is said').waitFor();
    },
  },
  '0026-toc-opera': {
    asks: 'acts and scenes lead to their times on one canvas',
    shown: 'chapters as in the manifest; each leads to its time',
    async check(recipe) {
      await recipe.play();
      await expect
        .poll(() => chapters(recipe))
        .toEqual(['Atto Primo\n0:00', `${prelude}\n0:00`, 'Remainder of Atto Primo\n5:02', 'Atto Secondo\n1:06:11']);
      await recipe.page.getByRole('button', { name: /Atto Secondo/ }).click();
      await expect.poll(() => timeOf(recipe, 'video')).toBeCloseTo(3971.24, 0);
    },
  },
  '0064-opera-one-canvas': {
    asks: 'two files are one time, with chapters over both',
    shown: 'one player of 2:01:18; a chapter leads into the second file',
    async check(recipe) {
      await recipe.play();
      expect(await position(recipe)).toMatch(/of 2:01:18$/);
      await recipe.page.getByRole('button', { name: /Atto Secondo/ }).click();
      await press(recipe);
      await expect
        .poll(() => recipe.page.locator('.media-item:not(.hidden) video').getAttribute('src'))
        .toBe(recipe.host.others.addressOf(act(2)));
    },
  },
  '0065-opera-multiple-canvases': {
    asks: 'chapters lead to the times of two canvases',
    shown: 'a chapter of the other canvas opens it',
    async check(recipe) {
      await recipe.play();
      await expect.poll(() => sourceOf(recipe, 'video')).toBe(recipe.host.others.addressOf(act(1)));
      await recipe.page.getByRole('button', { name: /Atto Secondo/ }).click();
      await expect.poll(() => sourceOf(recipe, 'video')).toBe(recipe.host.others.addressOf(act(2)));
    },
  },
  '0074-multiple-language-captions': {
    asks: 'captions in one of two languages',
    shown: 'a choice of both, and none',
    async check(recipe) {
      await recipe.play();
      const choice = recipe.page.getByLabel('Captions');
      expect(await choice.locator('option').allInnerTexts()).toEqual([
        'Off',
        'English – Captions in WebVTT format',
        'Italian – Sottotitoli in formato WebVTT',
      ]);
      await choice.selectOption('Italian – Sottotitoli in formato WebVTT');
      await recipe.page.getByRole('slider', { name: 'Position' }).fill('9');
      await expect.poll(() => recipe.page.locator('.media-captions').getAttribute('lang')).toBe('it');
    },
  },
  '0103-poetry-reading-annotations': {
    asks: 'remarks about times of a reading',
    shown: 'listed with their times, which lead there',
    async check(recipe) {
      await recipe.play();
      await tab(recipe, 'Annotations');
      await recipe.page.getByText('Soft laughter, rustling').waitFor();
      await recipe.page.getByRole('button', { name: '11:42–11:45' }).click();
      await expect.poll(() => timeOf(recipe, 'audio')).toBeCloseTo(702, 0);
    },
  },
  '0219-using-caption-file': {
    asks: 'captions over the video',
    shown: 'over the video, and beside it as a transcript that follows',
    async check(recipe) {
      await recipe.play();
      await expect.poll(() => recipe.page.locator('.media-captions').textContent()).toBe('Good morning');
      await expect
        .poll(() => recipe.page.locator('.media-lines button').allInnerTexts())
        .toEqual(['0:00\nGood morning']);
    },
  },
  '0229-behavior-ranges': {
    asks: 'parts of a video are chosen by pictures, without one that is not for navigation',
    shown: 'chapters with pictures, from 0:09 on',
    async check(recipe) {
      await recipe.play();
      await expect.poll(async () => (await chapters(recipe))[0]).toBe('9s – 305s\n0:09');
      const count = (await chapters(recipe)).length;
      expect(count).toBeGreaterThan(9);
      expect(await recipe.page.locator('.media-chapters img').count()).toBe(count);
    },
  },
  '0434-choice-av': {
    asks: 'of several forms one that plays, and the others to choose',
    shown: 'the first that the browser plays; all in a choice',
    async check(recipe) {
      await recipe.play();
      const forms = ['ALAC', 'MP3', 'FLAC', 'OGG Vorbis OGG', 'MPEG2', 'WAV'];
      const choice = recipe.page.getByLabel('Version');
      expect(await choice.locator('option').allInnerTexts()).toEqual(forms);
      const types = ['audio/alac', 'audio/mpeg', 'audio/flac', 'audio/ogg', 'audio/mpeg', 'audio/wav'];
      const first = await recipe.page.evaluate(
        (all) => all.findIndex((type) => new Audio().canPlayType(type) !== ''),
        types,
      );
      await expect.poll(() => choice.locator('option:checked').textContent()).toBe(forms[first]);
      await choice.selectOption('WAV');
      await expect.poll(() => sourceOf(recipe, 'audio')).toContain('egbe-iyawo-ucla.wav');
      await expectPlays(recipe, 'audio');
    },
  },
  '0489-multimedia-canvas': {
    asks: 'image, video and texts on one canvas at their times and places',
    shown: 'texts first; at 0:11 the image with the clock over it; at 0:42 the last text',
    async check(recipe) {
      await recipe.play();
      await recipe.page.locator('.media-text', { hasText: 'Press Play' }).waitFor();
      const slider = recipe.page.getByRole('slider', { name: 'Position' });
      await slider.fill('20');
      await recipe.page.locator('.media-canvas img').first().waitFor();
      const [canvas, clock] = [
        await recipe.page.locator('.media-canvas').boundingBox(),
        await recipe.page.locator('.media-item:has(video)').boundingBox(),
      ];
      expect((clock?.width ?? 0) / (canvas?.width ?? 1)).toBeCloseTo(5000 / 70399, 2);
      await slider.fill('60');
      await recipe.page.locator('.media-text', { hasText: 'Close your browser' }).waitFor();
    },
  },
  '0560-resources-on-a-timeline': {
    asks: 'two images follow each other in time, again and again',
    shown: 'a player of 4 seconds, which shows one after the other and begins again',
    async check(recipe) {
      await recipe.play();
      expect(await position(recipe)).toBe('0:00 of 0:04');
      const shown = (): Promise<readonly (string | null)[]> =>
        recipe.page.locator('img.media-item').evaluateAll((all) => all.map((one) => one.getAttribute('src')));
      await expect.poll(async () => (await shown()).length).toBe(1);
      const [first] = await shown();
      await press(recipe);
      await expect.poll(async () => (await shown())[0] !== first).toBe(true);
      await expect.poll(async () => (await shown())[0] === first).toBe(true);
      expect(await recipe.page.getByRole('button', { name: 'Pause', exact: true }).isVisible()).toBe(true);
    },
  },
};
