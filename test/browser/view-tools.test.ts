// @module-tag chromium
/** Sizes and tools of the viewer. */
import { describe, expect, it } from 'vitest';
import { pauseIn } from './browser.ts';
import { type Pixels, pixelsOf, scalerPixels, stagePixels, waitUntilSettled } from './stage-pixels.ts';
import { setUpViewer } from './viewer-pages.ts';

const viewer = setUpViewer();

/** The edges of the whole image on the stage: the first and last columns and rows that don't have the stage's color. */
function boundsOn(stage: Pixels): { readonly width: number; readonly height: number } {
  const [red, green, blue] = stage.at(1, 1);
  const isStage = (x: number, y: number): boolean => {
    const seen = stage.at(x, y);
    return Math.abs(seen[0] - red) + Math.abs(seen[1] - green) + Math.abs(seen[2] - blue) < 6;
  };
  const middle = { x: Math.floor(stage.width / 2), y: Math.floor(stage.height / 2) };
  const count = (length: number, isInside: (at: number) => boolean): number =>
    Array.from({ length }, (_, at) => at).filter(isInside).length;
  return {
    width: count(stage.width, (x) => !isStage(x, middle.y)),
    height: count(stage.height, (y) => !isStage(middle.x, y)),
  };
}

describe('sizes', () => {
  it('are 1:1, the whole image and its width, by buttons and keys', async () => {
    const page = await viewer.open('view/colors.png');
    await page.getByRole('button', { name: '1:1' }).click();
    await waitUntilSettled(page);
    expect(boundsOn(await stagePixels(page))).toEqual({ width: 360, height: 270 });
    expect(new URL(page.url()).searchParams.get('mo')).toBe('clip');
    await page.keyboard.press('0');
    await waitUntilSettled(page);
    const whole = boundsOn(await stagePixels(page));
    expect(whole.height).toBeGreaterThan(450);
    expect(new URL(page.url()).search).toBe('');
    await page.keyboard.press('w');
    await waitUntilSettled(page);
    expect(boundsOn(await stagePixels(page)).width).toBeGreaterThan(880);
  });

  it('are true on the reader’s display, whatever display the address names', { tags: 'exhaustive' }, async () => {
    const page = await viewer.open('view/dense.png?mo=osize&ddpi=300');
    // 600 pixels at 150 dpi are 4 inches; a display that was not measured is assumed to have 96 pixels per inch.
    await waitUntilSettled(page);
    expect(boundsOn(await stagePixels(page)).width).toBeCloseTo(4 * 96, -1);
    await page.getByRole('button', { name: 'True size' }).click();
    const bar = page.locator('.ruler');
    const slider = page.getByLabel('Length of the bar');
    await slider.fill('404.5');
    expect((await bar.boundingBox())?.width).toBeCloseTo(404.5, 0);
    // A card is 85.6 mm long, so the display has 120 pixels per inch.
    await page.getByRole('button', { name: 'Show in true size' }).click();
    await waitUntilSettled(page);
    expect(boundsOn(await stagePixels(page)).width / (4 * 120)).toBeCloseTo(1, 2);
    await page.reload();
    await waitUntilSettled(page);
    expect(boundsOn(await stagePixels(page)).width / (4 * 120)).toBeCloseTo(1, 2);
  });
});

describe('tools', () => {
  it('rotate, mirror and color together, and reset all of it', async () => {
    const page = await viewer.open('view/wide.png');
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'Turn right' }).click();
    await page.getByRole('button', { name: 'Mirror left to right' }).click();
    await page.getByLabel('Negative').check();
    await page.getByLabel('Brightness', { exact: true }).fill('40');
    await expect.poll(() => new URL(page.url()).search).toBe('?rot=270&mo=hmir&brgt=40&colop=INVERT');
    await page.getByRole('button', { name: 'Reset the view' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  it.each([
    ['r', '90'],
    ['Shift+R', '270'],
    [']', '5'],
    ['h', null],
  ])(
    'keep the scale and the center of an enlarged image: the key %s',
    { tags: 'exhaustive' },
    async (key, rotation) => {
      const page = await viewer.open('view/wide.png?wx=0.55&wy=0.1&ww=0.4&wh=0.25');
      const box = await page.locator('.stage').boundingBox();
      if (box === null) throw new Error('there is no stage');
      // Beyond an edge of the image, whose region in the address ends there.
      await page.mouse.move(box.x + 500, box.y + 200);
      await page.mouse.down();
      await page.mouse.move(box.x + 400, box.y + 320, { steps: 4 });
      await page.mouse.up();
      await waitUntilSettled(page);
      const state = async () => {
        const stage = await stagePixels(page);
        return {
          percent: await page.locator('.zoom-percent').textContent(),
          center: stage.at(stage.width / 2, stage.height / 2),
        };
      };
      const before = await state();
      await page.keyboard.press(key);
      await expect.poll(() => new URL(page.url()).searchParams.get('rot')).toBe(rotation);
      await waitUntilSettled(page);
      const after = await state();
      expect(after.percent).toBe(before.percent);
      for (const channel of [0, 1, 2]) {
        expect(Math.abs((after.center[channel] ?? 0) - (before.center[channel] ?? 0))).toBeLessThan(4);
      }
    },
  );

  it('show the whole again where the image was made smaller', { tags: 'exhaustive' }, async () => {
    const page = await viewer.open('view/wide.png');
    const percent = () => page.locator('.zoom-percent').textContent();
    const whole = await percent();
    for (const key of ['0', 'Backspace']) {
      await page.keyboard.press('-');
      await expect.poll(percent).not.toBe(whole);
      await waitUntilSettled(page);
      await page.keyboard.press(key);
      await expect.poll(percent).toBe(whole);
    }
  });

  it('zoom to a drawn area, show its position in the navigator, and move it there', async () => {
    const page = await viewer.open('view/wide.png');
    const stage = await page.locator('.stage').boundingBox();
    if (stage === null) throw new Error('no stage');
    const at = (x: number, y: number): readonly [number, number] => [
      stage.x + x * stage.width,
      stage.y + y * stage.height,
    ];
    await page.keyboard.press('z');
    await page.mouse.move(...at(0.3, 0.3));
    await page.mouse.down();
    await page.mouse.move(...at(0.4, 0.4), { steps: 4 });
    await page.mouse.move(...at(0.5, 0.5), { steps: 4 });
    await page.mouse.up();
    await waitUntilSettled(page);
    const query = new URL(page.url()).searchParams;
    expect(Number(query.get('ww'))).toBeLessThan(0.5);
    expect(Number(query.get('wx'))).toBeGreaterThan(0.15);
    const navigator = await page.locator('.navigator').boundingBox();
    if (navigator === null) throw new Error('no bird’s navigator');
    await page.mouse.click(navigator.x + navigator.width * 0.9, navigator.y + navigator.height * 0.9);
    await expect.poll(() => Number(new URL(page.url()).searchParams.get('wx'))).toBeGreaterThan(0.5);
  });

  it('move the view at 1:1 by the navigator, without changing its scale', { tags: 'exhaustive' }, async () => {
    const page = await viewer.open('view/wide.png?mo=clip', { size: { width: 700, height: 500 } });
    const navigator = await page.locator('.navigator').boundingBox();
    if (navigator === null) throw new Error('no bird’s navigator');
    await page.mouse.click(navigator.x + navigator.width * 0.5, navigator.y + navigator.height * 0.5);
    await expect.poll(() => Number(new URL(page.url()).searchParams.get('wx'))).toBeGreaterThan(0.1);
    await waitUntilSettled(page);
    expect(new URL(page.url()).searchParams.get('mo')).toBe('clip');
    const stage = await stagePixels(page);
    const picture = await scalerPixels(viewer, 'fn=wide.png&mo=rawfile');
    const left = Math.round((picture.width - stage.width) / 2);
    const top = Math.round((picture.height - stage.height) / 2);
    for (const [x, y] of [
      [40, 40],
      [stage.width - 40, stage.height - 120],
    ] as const) {
      const [seen, wanted] = [stage.at(x, y), picture.at(left + x, top + y)];
      for (const channel of [0, 1, 2]) expect(Math.abs((seen[channel] ?? 0) - (wanted[channel] ?? 0))).toBeLessThan(4);
    }
  });

  it('magnify what is under the pointer', async () => {
    const page = await viewer.open('view/wide.png');
    await page.keyboard.press('l');
    await page.mouse.move(500, 300);
    await page.mouse.move(505, 305);
    const glass = page.locator('.magnifier canvas').first();
    await glass.waitFor();
    await pauseIn(page, 500);
    const plain = await pixelsOf(await page.locator('.magnifier').screenshot());
    await page.keyboard.press('Escape');
    expect(await page.locator('.magnifier').count()).toBe(0);
    const under = await stagePixels(page);
    // The center of the glass shows what is under it; its edge shows what is nearer to the center.
    const stage = await page.locator('.stage').boundingBox();
    const seen = under.at(505 - (stage?.x ?? 0), 305 - (stage?.y ?? 0));
    const middle = plain.at(plain.width / 2, plain.height / 2);
    for (const channel of [0, 1, 2]) expect(Math.abs((seen[channel] ?? 0) - (middle[channel] ?? 0))).toBeLessThan(8);
    const edge = plain.at(plain.width - 20, plain.height / 2);
    const nearer = under.at(505 + 100 / 3 - (stage?.x ?? 0), 305 - (stage?.y ?? 0));
    for (const channel of [0, 1, 2]) expect(Math.abs((edge[channel] ?? 0) - (nearer[channel] ?? 0))).toBeLessThan(8);
  });
});
