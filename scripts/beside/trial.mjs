/** One try of a task in one viewer: its page, and the steps that a reader takes. */

/** What a loaded machine may take. */
export const patienceMs = 20_000;

/** Waits until a condition of the page holds; the text says what was waited for. */
export async function until(holds, text) {
  const end = Date.now() + patienceMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not seen: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const middleOf = (page) => {
  const { width, height } = page.viewportSize();
  return { x: width * 0.3, y: height * 0.25, width: width * 0.3, height: height * 0.4 };
};

/** Waits until two screenshots of a part in the middle are equal; resolves to it. */
async function settled(page) {
  let last = Buffer.alloc(0);
  for (let round = 0; round < 40; round++) {
    const now = await page.screenshot({ clip: middleOf(page) });
    if (now.equals(last)) return now;
    last = now;
    await page.waitForTimeout(300);
  }
  return last;
}

/** A click, a key, a typed text and a drag are a step each. */
export function trialOf(page) {
  let steps = 0;
  const step = async (act) => {
    steps += 1;
    return act();
  };
  return {
    page,
    steps: () => steps,
    button: (name, { exact = false, at = 0 } = {}) =>
      step(() => page.getByRole('button', { name, exact }).nth(at).click({ timeout: patienceMs })),
    link: (name) =>
      step(() =>
        page
          .getByRole('link', { name, exact: typeof name === 'string' })
          .first()
          .click({ timeout: patienceMs }),
      ),
    field: (name) => step(() => page.getByLabel(name).first().click({ timeout: patienceMs })),
    click: (selector, at = 0) => step(() => page.locator(selector).nth(at).click({ timeout: patienceMs })),
    tab: (name) => step(() => page.getByRole('tab', { name, exact: true }).click({ timeout: patienceMs })),
    press: (key) => step(() => page.keyboard.press(key)),
    type: (text) => step(() => page.keyboard.type(text)),
    drag: ([x, y], [toX, toY]) =>
      step(async () => {
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(toX, toY, { steps: 8 });
        await page.mouse.up();
      }),
    sees: (selector) => page.locator(selector).first().waitFor({ timeout: patienceMs }),
    seesText: (text) => page.getByText(text).first().waitFor({ timeout: patienceMs }),
    /** Does something; fails where the middle of the window looks as before. */
    async changes(act) {
      const before = await settled(page);
      await act();
      await until(
        async () => !(await page.screenshot({ clip: middleOf(page) })).equals(before),
        'a change of the image',
      );
      await settled(page);
    },
  };
}
