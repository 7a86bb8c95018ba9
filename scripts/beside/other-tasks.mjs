/** Tasks of some readers: on a phone, by a screen reader, in their language, of sound. */
import { readFileSync } from 'node:fs';
import { patienceMs, until } from './trial.mjs';

const axe = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** Elements that break rules of WCAG 2.2, levels A and AA. */
async function faults({ page }) {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const values = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
    const { violations } = await globalThis.axe.run(document, { runOnly: { type: 'tag', values } });
    return violations.flatMap(({ id, nodes }) => nodes.map(() => id));
  });
  if (found.length > 0) throw new Error(`axe: ${found.length} (${[...new Set(found)].join(', ')})`);
  return 'axe: 0';
}

/** Buttons in sight that are lower or narrower than 24 pixels, and whether the page is wider than the window. */
async function fits({ page }) {
  const [small, over] = await page.evaluate(() => {
    const buttons = [...document.querySelectorAll('button, [role=button], a[href]')].filter((one) =>
      one.checkVisibility(),
    );
    const boxes = buttons.map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 0);
    const cut = boxes.filter(
      ({ right, left, bottom }) => right > innerWidth + 1 || left < -1 || bottom > innerHeight + 1,
    );
    return [cut.length, document.documentElement.scrollWidth - innerWidth];
  });
  if (over > 1) throw new Error(`${over} px wider than the window`);
  if (small > 0) throw new Error(`${small} controls beyond the edge`);
  return undefined;
}

const isPlaying = (page) =>
  page.evaluate(() => [...document.querySelectorAll('audio, video')].some(({ currentTime }) => currentTime > 0));

const plays = ({ page }) => until(() => isPlaying(page), 'a time that passes');

export const otherTasks = [
  {
    name: 'phone',
    window: { width: 390, height: 844 },
    async lectern(trial) {
      await trial.changes(() => trial.button('Next page'));
      return fits(trial);
    },
    async mirador(trial) {
      await trial.changes(() => trial.button('Next item'));
      return fits(trial);
    },
    async universalViewer(trial) {
      await trial.changes(() =>
        trial.page.getByRole('button', { name: 'Next Image' }).locator('visible=true').first().click(),
      );
      return fits(trial);
    },
  },
  { name: 'accessibility', lectern: faults, mirador: faults, universalViewer: faults },
  {
    name: 'languages',
    locale: 'de',
    async lectern(trial) {
      await trial.page.getByRole('button', { name: 'Nächste Seite' }).waitFor({ timeout: patienceMs });
      return '23, that of the browser, or by a menu';
    },
    async mirador(trial) {
      await trial.button('Workspace settings');
      await trial.click('text="Language"');
      await trial.sees('text="Deutsch"');
      const count = await trial.page.locator('[role=menu] >> nth=-1').locator('li').count();
      await trial.click('text="Deutsch"');
      return `${count}, by a menu`;
    },
    async universalViewer(trial) {
      await trial.button('Settings');
      const options = trial.page.locator('#locale option');
      await until(async () => (await options.count()) > 0, 'languages');
      const names = await options.allTextContents();
      return `${names.length}, by settings: ${names.join(', ')}`;
    },
  },
  {
    name: 'sound and video',
    start: 'talk',
    async lectern(trial) {
      await trial.press('k');
      await plays(trial);
      await trial.seesText('Sentence 3 of the talk');
      return 'chapters, transcript that follows, captions, speed';
    },
    async mirador(trial) {
      await trial.sees('audio');
      await trial.page.locator('audio').focus();
      await trial.press('Space');
      await plays(trial);
      return 'the browser’s own controls';
    },
    async universalViewer(trial) {
      await trial.button('Play');
      await plays(trial);
      return 'captions';
    },
  },
];
