/** Tasks of readers who take something along, put books beside each other, and look for what is about them. */
import { patienceMs, until } from './trial.mjs';

export const sharingTasks = [
  {
    name: 'cite',
    async lectern(trial) {
      await trial.press('c');
      await trial.sees('.citation');
      return 'a citation and an address of the view';
    },
    async universalViewer(trial) {
      await trial.button('Share');
      await trial.sees('input.copy-input, .copy-input');
      return 'an address of the page';
    },
  },
  {
    name: 'print',
    async lectern(trial) {
      await trial.page.evaluate(() => {
        window.print = () => document.body.setAttribute('data-printed', '');
      });
      await trial.press('Control+p');
      await trial.sees('body[data-printed]');
    },
  },
  {
    name: 'download',
    async lectern(trial) {
      await trial.press('Shift+F');
      await trial.sees('.side-panel a[download]');
      return 'picture of the part, original, PDF, text';
    },
    async mirador(trial) {
      await trial.button('Toggle sidebar');
      await trial.page.getByRole('link', { name: 'PDF' }).waitFor({ timeout: patienceMs });
      return 'links of the manifest (PDF, data set); no image';
    },
    async universalViewer(trial) {
      await trial.button('Download');
      await trial.seesText(/Whole image/);
      return 'image, text, PDF';
    },
  },
  {
    name: 'both pages',
    async lectern(trial) {
      await trial.press('ArrowRight');
      await trial.press('Shift+F');
      await trial.seesText(/both pages/i);
      return 'as one picture';
    },
    async universalViewer(trial) {
      await trial.button('Next Image');
      await trial.button('Download');
      await trial.seesText('Individual Pages');
      return 'one by one, by choosing a thumbnail';
    },
  },
  {
    name: 'share',
    async lectern(trial) {
      await trial.press('+');
      await until(async () => /[?&]w[wh]=/.test(trial.page.url()), 'the part in the address');
      return 'the address of the page says part, turn, colors, notes';
    },
    async universalViewer(trial) {
      await trial.button('Share');
      await trial.sees('.copy-input');
      return 'an address in a field';
    },
    async mirador(trial) {
      await trial.button('Workspace options');
      await trial.click('text="Export workspace"');
      await trial.sees('[role=dialog]');
      return 'only the workspace as JSON';
    },
  },
  {
    name: 'embed',
    async lectern(trial) {
      await trial.press('Shift+W');
      await trial.seesText('lectern-viewer');
    },
    async universalViewer(trial) {
      await trial.button('Share');
      await trial.sees('select:visible');
      return 'in sizes to choose from';
    },
  },
  {
    name: 'drop',
    lectern: (trial) =>
      dropManifest(trial, '.stage-image', () => decodeURIComponent(trial.page.url()).includes('maps')),
    async mirador(trial) {
      const count = () => trial.page.locator('.mirador-window').count();
      await dropManifest(trial, '.mirador-workspace, .mirador-viewer', async () => (await count()) > 1);
    },
  },
  {
    name: 'thumbnails',
    lectern: (trial) => trial.sees('.filmstrip img'),
    async mirador(trial) {
      await trial.button('Window views & thumbnail display');
      await trial.click('text="Bottom"');
      await trial.sees('.mirador-thumbnail-nav-canvas');
    },
    async universalViewer(trial) {
      await trial.sees('.thumb img');
    },
  },
  {
    name: 'contents',
    async lectern(trial) {
      await trial.press('Shift+C');
      await trial.seesText('Flowers of the hills');
    },
    async mirador(trial) {
      await trial.button('Toggle sidebar');
      await trial.tab('Index');
      await trial.seesText('Flowers of the hills');
    },
    async universalViewer(trial) {
      await trial.click('text="Index"');
      await trial.seesText('Flowers of the hills');
    },
  },
  {
    name: 'metadata',
    async lectern(trial) {
      await trial.press('i');
      await trial.sees('.side-panel :text("Port Vellum")');
    },
    async mirador(trial) {
      await trial.button('Toggle sidebar');
      await trial.seesText('Port Vellum');
    },
    async universalViewer(trial) {
      await trial.button('Expand Information');
      await trial.seesText('Port Vellum');
    },
  },
  {
    name: 'windows of books',
    async mirador(trial) {
      await trial.button('Add resource');
      await trial.click('li button');
      await until(async () => (await trial.page.locator('.mirador-window').count()) > 1, 'a second window');
    },
    async lectern(trial) {
      await trial.link(/^Compare: put/);
      await trial.click('.picker-image', 3);
      await until(async () => (await trial.page.locator('.pane').count()) > 1, 'a second image');
      await trial.sees('.pane:last-of-type :is(a, button)[aria-label^="Next page"]');
      return 'two to sixty, each leafed through';
    },
  },
  {
    name: 'collections',
    start: 'collection',
    lectern: (trial) => trial.seesText('A book of 1000 pages'),
    async mirador(trial) {
      await trial.button('show collection');
      await trial.seesText('A book of 1000 pages');
    },
    universalViewer: (trial) => trial.seesText('A book of 1000 pages'),
  },
];

/** Drags the address of a manifest over an element and drops it there. */
async function dropManifest({ page }, selector, isOpen) {
  const address = await page.evaluate(() => new URLSearchParams(location.search).get('manifest') ?? '');
  const manifest = address || `${new URL(page.url()).origin}/presentation/3/maps/manifest.json`;
  const dataTransfer = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.setData('text/uri-list', `${text}?manifest=${text}`);
    data.setData('text/plain', text);
    return data;
  }, manifest);
  for (const type of ['dragenter', 'dragover', 'dragover', 'drop']) {
    await page.locator(selector).first().dispatchEvent(type, { dataTransfer });
    await page.waitForTimeout(50);
  }
  await until(isOpen, 'what was dropped');
}
