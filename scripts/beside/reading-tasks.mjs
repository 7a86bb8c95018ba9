/** Tasks of readers in a book: to find their way, to look, and to search. A viewer without a function for a task has none. */
import { until } from './trial.mjs';

/** Addresses of image requests that are not thumbnails, of the pages that a page has loaded. */
const images = (page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => decodeURIComponent(name))
      .filter((name) => /\/iiif\/[23]\//.test(name) && !name.endsWith('info.json')),
  );

const seesBoth = (page) =>
  until(async () => {
    const names = (await images(page)).join(' ');
    return names.includes('page-002') && names.includes('page-003');
  }, 'both pages of an opening');

export const readingTasks = [
  { name: 'open', lectern: async () => {}, mirador: async () => {}, universalViewer: async () => {} },
  {
    name: 'zoom',
    lectern: (trial) => trial.changes(() => trial.press('+')),
    mirador: (trial) => trial.changes(() => trial.button('Zoom in')),
    universalViewer: (trial) => trial.changes(() => trial.button('Zoom In')),
  },
  {
    name: 'turn the page',
    lectern: (trial) => trial.changes(() => trial.press('ArrowRight')),
    mirador: (trial) => trial.changes(() => trial.button('Next item')),
    universalViewer: (trial) => trial.changes(() => trial.button('Next Image')),
  },
  {
    name: 'opening',
    async lectern(trial) {
      await trial.press('ArrowRight');
      await seesBoth(trial.page);
    },
    async mirador(trial) {
      await trial.button('Next item');
      await seesBoth(trial.page);
    },
    async universalViewer(trial) {
      await trial.button('Next Image');
      await seesBoth(trial.page);
    },
  },
  {
    name: 'search',
    async lectern(trial) {
      await trial.press('/');
      await trial.type('lantern');
      await trial.press('Enter');
      await trial.sees('.side-panel mark');
    },
    async mirador(trial) {
      await trial.button('Toggle sidebar');
      await trial.tab('Search');
      await trial.page.getByLabel('search terms').waitFor();
      await trial.click('input[type=text]');
      await trial.type('lantern');
      await trial.press('Enter');
      await trial.sees('aside li strong, aside [role=button] strong');
    },
    async universalViewer(trial) {
      await trial.click('#searchWithinInput');
      await trial.type('lantern');
      await trial.press('Enter');
      await trial.sees('.searchResultsInfo .info:has-text("lantern")');
    },
  },
  {
    name: 'select words',
    async lectern(trial) {
      await trial.press('ArrowRight');
      await seesBoth(trial.page);
      await trial.press('s');
      await trial.sees('.text-layer');
      await trial.press('Control+a');
      await trial.page.getByRole('button', { name: /^Copy/ }).first().waitFor();
    },
  },
  {
    name: 'measure',
    async lectern(trial) {
      await trial.press('d');
      await trial.sees('.side-panel .tool-buttons');
      await trial.drag([400, 300], [600, 420]);
      await trial.page.getByRole('button', { name: /^Line 1: [0-9]/ }).waitFor();
    },
  },
  {
    name: 'annotate',
    async lectern(trial) {
      await trial.press('m');
      await trial.page.getByRole('button', { name: 'Region', exact: true }).waitFor();
      await trial.button('Region', { exact: true });
      await trial.drag([400, 300], [600, 420]);
      await trial.type('A note');
      await trial.page
        .getByRole('button', { name: /A note/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'compare',
    async lectern(trial) {
      await trial.link(/^Compare: put/);
      await trial.click('.picker-image', 3);
      await trial.sees('.pane[data-image="2"] canvas, .pane[data-image="1"] canvas');
      return 'two to sixty images, moved together, aligned, over each other';
    },
    async mirador(trial) {
      await trial.button('Add resource');
      await trial.click('[data-testid="manifest-list-item"] button, li button');
      await until(async () => (await trial.page.locator('.mirador-window').count()) > 1, 'a second window');
      return 'windows beside each other, each moved alone';
    },
  },
  {
    name: 'layers',
    start: 'bands',
    async lectern(trial) {
      await trial.press('y');
      await trial.sees('.side-panel img');
      await trial.changes(() => trial.click('.side-panel .layer-list button, .side-panel li button', 3));
      return 'with slider, blinking, difference, false color, in the address';
    },
    async mirador(trial) {
      await trial.button('Toggle sidebar');
      await trial.tab('Layers');
      await trial.changes(() => trial.button('Show layer', { at: 2 }));
      return 'with opacity and order';
    },
    async universalViewer(trial) {
      await trial.button('Layers');
      await trial.changes(() => trial.click('input[type=radio]:visible', 3));
      return 'one at a time';
    },
  },
  {
    name: 'adjust',
    async lectern(trial) {
      await trial.press('a');
      await trial.page
        .getByRole('button', { name: 'Negative' })
        .or(trial.page.getByLabel('Negative'))
        .first()
        .waitFor();
      await trial.changes(() => trial.button('Auto levels'));
      return 'auto levels, contrast, ink, channels, sharpening; in the address';
    },
    async universalViewer(trial) {
      await trial.button('Adjust image');
      await trial.changes(async () => {
        await trial.page.locator('input[type=range]:visible').first().focus();
        await trial.press('End');
      });
      return 'contrast, brightness, saturation';
    },
  },
];
