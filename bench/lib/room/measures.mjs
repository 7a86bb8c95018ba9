/** The measurements on a page of the reading room, in ms of the browser's own clock. */

const mark = 'lectern:sharp';

/** Opens an address; resolves to the time from the navigation to the sharp image. */
export async function timeToSharp(page, address) {
  await page.goto(address);
  await page.waitForFunction((name) => performance.getEntriesByName(name).length > 0, mark);
  return page.evaluate((name) => performance.getEntriesByName(name)[0].startTime, mark);
}

/** Turns pages, with a pause at each; resolves to the times from the key press to the next page’s sharp image. */
export async function turnPages(page, steps) {
  const times = [];
  for (let step = 0; step < steps; step++) {
    await page.waitForTimeout(1500);
    await page.evaluate((name) => {
      performance.clearMarks(name);
      addEventListener('keydown', (event) => performance.mark('key', { startTime: event.timeStamp }), {
        once: true,
        capture: true,
      });
    }, mark);
    await page.keyboard.press('PageDown');
    await page.waitForFunction((name) => performance.getEntriesByName(name).length > 0, mark);
    times.push(
      await page.evaluate(
        (name) =>
          performance.getEntriesByName(name)[0].startTime - performance.getEntriesByName('key').at(-1).startTime,
        mark,
      ),
    );
  }
  return times;
}

/** Moves the brightness slider; resolves to the times until the frame after the one that was drawn with the new value. */
export async function moveSlider(page, times) {
  await page.keyboard.press('a');
  await page.locator('.slider input[type=range]').nth(1).waitFor();
  return page.evaluate(async (count) => {
    const slider = document.querySelectorAll('.slider input[type=range]')[1];
    const waits = [];
    for (let at = 0; at < count; at++) {
      await new Promise((resolve) => setTimeout(resolve, 120));
      slider.value = String(10 + at * 3);
      const begin = performance.now();
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      waits.push(performance.now() - begin);
    }
    return waits;
  }, times);
}

const panMs = 2500;

/** Drags the zoomed image around; resolves to the frames per second that were drawn. */
export async function framesWhilePanning(page) {
  await page.keyboard.press('1');
  await page.waitForTimeout(1200);
  const counting = page.evaluate(
    (ms) =>
      new Promise((resolve) => {
        let frames = 0;
        const begin = performance.now();
        const count = (now) => {
          if (now - begin >= ms) resolve((frames * 1000) / (now - begin));
          else {
            frames++;
            requestAnimationFrame(count);
          }
        };
        requestAnimationFrame(count);
      }),
    panMs,
  );
  const end = Date.now() + panMs;
  await page.mouse.move(640, 400);
  await page.mouse.down();
  for (let at = 0; Date.now() < end; at++) {
    await page.mouse.move(640 + 260 * Math.sin(at / 14), 400 + 180 * Math.cos(at / 11));
    await new Promise((resolve) => setTimeout(resolve, 8));
  }
  await page.mouse.up();
  return counting;
}
