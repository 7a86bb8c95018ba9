// Finds an installed Chromium or Chrome: the one that CHROMIUM names, or one on the PATH.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function find(names) {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const candidates = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [process.env.CHROMIUM, ...candidates].find((file) => file && isExecutable(file));
}

/** The absolute path of a browser, or undefined. */
export const findChromium = () => find(names);

/** The same for tests, which prefer the headless shell: it opens a page in a third of the processor time. */
export const findTestChromium = () => find(['chromium-headless-shell', ...names]);
