// The screenshots of the guide: the address, the window, and the actions before the screenshot is taken.

const desk = { width: 1280, height: 820 };
const phone = { width: 390, height: 800 };

/** Clicks at points of the stage, in fractions of its size. */
async function clickOnStage(page, points) {
  const box = await page.locator('.stage').boundingBox();
  for (const [x, y] of points) {
    await page.mouse.click(box.x + x * box.width, box.y + y * box.height);
    await page.waitForTimeout(150);
  }
}

/** Measures with a tool of the open panel. */
async function measure(page, tool, points) {
  await page.getByRole('button', { name: tool, exact: true }).click();
  await clickOnStage(page, points);
}

/** Types a note into the text field with this index. */
async function note(page, index, text) {
  await page.locator('.side-panel textarea').nth(index).fill(text);
}

export const scenes = [
  { name: 'library', window: desk, address: '' },
  { name: 'browse', window: desk, address: 'browse/herbal' },
  { name: 'view', window: desk, address: 'view/herbal/page-004.jpg?pages=1' },
  { name: 'two-pages', window: desk, address: 'view/herbal/page-003.jpg' },
  { name: 'compare', window: desk, address: 'compare?1.fn=herbal/page-003.jpg&2.fn=herbal/page-005.jpg' },
  {
    name: 'compare-slider',
    window: desk,
    address:
      'compare?1.fn=herbal/page-003.jpg&1.wy=0.1&1.wh=0.5&2.fn=herbal/page-003.jpg&2.wy=0.1&2.wh=0.5&2.colop=MAP_GRAY_BGR&layout=slider',
  },
  {
    name: 'adjust',
    window: desk,
    address: 'view/maps/coast-pyramid.tif?wx=0.32&wy=0.36&ww=0.4&wh=0.4&rot=12&cont=0.35&brgt=-30',
    act: (page) => page.keyboard.press('a'),
  },
  {
    name: 'measure',
    window: desk,
    address: 'view/maps/coast-pyramid.tif?wx=0.35&wy=0.4&ww=0.42&wh=0.4',
    async act(page) {
      await page.keyboard.press('d');
      await page.getByRole('button', { name: 'Line', exact: true }).waitFor();
      await measure(page, 'Line', [
        [0.2, 0.24],
        [0.66, 0.44],
      ]);
      await measure(page, 'Angle', [
        [0.504, 0.47],
        [0.504, 0.72],
        [0.675, 0.585],
      ]);
      await page.keyboard.press('Escape');
    },
  },
  {
    name: 'regions',
    window: desk,
    address:
      'view/maps/coast-pyramid.tif?wx=0.3&wy=0.3&ww=0.5&wh=0.5&mk=0.611/0.535,0.562/0.707&rg=0.42/0.42/0.13/0.17',
    async act(page) {
      await page.keyboard.press('m');
      await page.getByRole('button', { name: 'Add them to mine' }).click();
      await note(page, 0, 'Saint Serif has no lighthouse yet.');
      await note(page, 1, 'The rose points two degrees west of north.');
    },
  },
  {
    name: 'magnifier',
    window: desk,
    address: 'view/maps/coast-pyramid.tif',
    async act(page) {
      await page.keyboard.press('l');
      await page.mouse.move(700, 300);
      await page.mouse.move(690, 392);
    },
  },
  {
    name: 'dark',
    window: desk,
    dark: true,
    address: 'view/herbal/page-009.jpg?pages=1&wx=0.1&wy=0.1&ww=0.8&wh=0.5',
    act: (page) => page.keyboard.press('c'),
  },
  {
    name: 'light-table',
    window: desk,
    address: 'browse/herbal?layout=table&columns=5',
    async act(page) {
      for (const index of [2, 3, 6]) await page.getByRole('option').nth(index).click();
    },
  },
  {
    name: 'free-light-table',
    window: desk,
    address:
      'light-table?1=55/75/101.6/356,,herbal/page-003.jpg&2=170/80/101.6/5,,/page-004.jpg&3=285/66/90/0/1,0.28/0.1/0.44/0.36,/page-005.jpg&4n=300/135/62/0/1,Same%20block%20as%20the%20fern%20of%20the%20second%20printing%3F&5=80/175/45,,objects/coin.png',
    async act(page) {
      await page.getByRole('option', { name: 'harbour' }).click();
    },
  },
  { name: 'phone', window: phone, density: 2, address: 'view/herbal/page-008.jpg' },
  {
    name: 'phone-adjust',
    window: phone,
    density: 2,
    dark: true,
    address: 'view/herbal/page-008.jpg?colop=INVERT',
    act: (page) => page.getByRole('button', { name: 'Adjust' }).click(),
  },
  { name: 'phone-library', window: phone, density: 2, address: 'browse/herbal' },
];
