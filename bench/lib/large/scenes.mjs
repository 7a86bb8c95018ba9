/** What is done with the large things in the reading room and in Mirador, each for some seconds. */

const pause = (page, ms) => page.waitForTimeout(ms);

const untilShown = (page, selector) => page.locator(selector).first().waitFor({ timeout: 60_000 });

/** Drags the middle of the window around in circles. */
async function drag(page, ms) {
  const end = Date.now() + ms;
  await page.mouse.move(640, 380);
  await page.mouse.down();
  for (let at = 0; Date.now() < end; at++) {
    await page.mouse.move(640 + 240 * Math.sin(at / 14), 380 + 160 * Math.cos(at / 11));
    await pause(page, 8);
  }
  await page.mouse.up();
}

/** Enlarges by the wheel as far as it goes, and back. */
async function zoomByWheel(page) {
  await page.mouse.move(640, 380);
  for (let at = 0; at < 60; at++) {
    await page.mouse.wheel(0, at < 30 ? -240 : 240);
    await pause(page, 60);
  }
}

/** Scrolls an element from its beginning to its end in 3 s. */
const scrollThrough = (page, selector, side) =>
  page
    .locator(selector)
    .first()
    .evaluate(
      (element, across) =>
        new Promise((resolve) => {
          const begin = performance.now();
          const step = (now) => {
            const part = Math.min(1, (now - begin) / 3000);
            if (across) element.scrollLeft = part * (element.scrollWidth - element.clientWidth);
            else element.scrollTop = part * (element.scrollHeight - element.clientHeight);
            if (part < 1) requestAnimationFrame(step);
            else resolve();
          };
          requestAnimationFrame(step);
        }),
      side === 'across',
    );

/** Moves a slider through its values for 2 s. */
const slide = (page, selector) =>
  page
    .locator(selector)
    .first()
    .evaluate(async (slider) => {
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
      const [min, max] = [Number(slider.min), Number(slider.max)];
      const end = performance.now() + 2000;
      for (let at = 0; performance.now() < end; at++) {
        set.call(slider, String(min + (max - min) * (0.5 + 0.5 * Math.sin(at / 12))));
        slider.dispatchEvent(new Event('input', { bubbles: true }));
        slider.dispatchEvent(new Event('change', { bubbles: true }));
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    });

const turn = (act) => async (page) => {
  for (let at = 0; at < 12; at++) {
    await act(page);
    await pause(page, 350);
  }
};

const turnByClick = turn((page) => page.getByRole('button', { name: 'Next item' }).click());

const play = (page) =>
  page
    .locator('audio')
    .first()
    .evaluate(async (sound) => {
      await sound.play();
      sound.currentTime = 3600;
      await new Promise((resolve) => setTimeout(resolve, 3000));
    });

/** In the order of the report: what is open, what is done, and how in each of both; none where there is no such function. */
export const scenes = [
  {
    thing: 'book',
    name: 'book of 1,000 pages: 12 pages are turned',
    room: { address: 'view/book/page-0500.jpg', act: turn((page) => page.keyboard.press('PageDown')) },
    mirador: { act: turnByClick },
  },
  {
    thing: 'book',
    name: 'the same: the thumbnails are scrolled through',
    room: { address: 'view/book/page-0001.jpg', act: (page) => scrollThrough(page, '.filmstrip', 'across') },
    mirador: {
      async before(page) {
        await page.getByRole('button', { name: 'Window views & thumbnail display' }).click();
        await page.locator('text="Bottom"').click();
        await untilShown(page, '.mirador-thumbnail-nav-canvas');
      },
      act: (page) => scrollThrough(page, '.mirador-thumb-navigation > div > div', 'across'),
    },
  },
  {
    thing: 'book',
    name: 'the same: all pages are scrolled through',
    room: {
      address: 'view/book/page-0001.jpg?layout=gallery',
      async before(page) {
        await untilShown(page, '.gallery img');
      },
      act: (page) => scrollThrough(page, '.gallery'),
    },
  },
  {
    thing: 'book',
    name: 'the same: pages below each other are scrolled through',
    room: {
      address: 'view/book/page-0001.jpg?layout=scroll',
      async before(page) {
        await untilShown(page, '.whole-book.scroll img');
      },
      act: (page) => scrollThrough(page, '.whole-book.scroll'),
    },
  },
  {
    thing: 'map',
    name: 'map of 10 gigapixels: zoomed by the wheel and back',
    room: { address: 'view/map/map.tif', act: zoomByWheel },
    mirador: { act: zoomByWheel },
  },
  {
    thing: 'map',
    name: 'the same: moved, enlarged',
    room: {
      address: 'view/map/map.tif?wx=0.5&wy=0.5&ww=0.02&wh=0.02',
      act: (page) => drag(page, 3000),
    },
    mirador: {
      async before(page) {
        for (let at = 0; at < 6; at++) await page.getByRole('button', { name: 'Zoom in' }).click();
        await pause(page, 1500);
      },
      act: (page) => drag(page, 3000),
    },
  },
  {
    thing: 'bands',
    name: '16 layers, all shown: the opacity of one is slid',
    room: {
      address: `view/bands/band-01.jpg?layers=${Array.from({ length: 16 }, (_, at) => at + 1).join(',')}`,
      async before(page) {
        await page.keyboard.press('y');
        await untilShown(page, '.side-panel input[type=range]');
      },
      act: (page) => slide(page, '.side-panel input[type=range]'),
    },
    mirador: {
      async before(page) {
        await page.getByRole('button', { name: 'Toggle sidebar' }).first().click();
        await page.getByRole('tab', { name: 'Layers' }).click();
        for (let at = 1; at < 16; at++) await page.getByRole('button', { name: 'Show layer' }).first().click();
        await pause(page, 1500);
      },
      act: (page) => slide(page, 'aside input[type=range]'),
    },
  },
  {
    thing: 'talk',
    name: 'sound of 2 hours: played from its middle',
    room: {
      address: 'view/talk/talk.wav',
      async before(page) {
        await untilShown(page, '.media-lines li');
      },
      act: play,
    },
    mirador: { act: play },
  },
  {
    thing: 'talk',
    name: 'the same: its transcript of 2,400 lines is scrolled through',
    room: {
      address: 'view/talk/talk.wav',
      async before(page) {
        await untilShown(page, '.media-lines li');
      },
      act: (page) => scrollThrough(page, '.media-lines'),
    },
  },
];
